/** The figures of an experiment report by name, for programs: one flat record. */
import type { ExperimentReport, Measured, MeasuredTwice } from './experiment-report.ts';
import type { NodeFigures } from './node-figures.ts';
import type { SelectionFigures } from './selection.ts';
import type { ShippedFigures } from './shipped.ts';

/** AUC, ECE and shares in [0, 1], accuracies in percent; `…Auc2` are of Experiment 2, the three test databases. */
export function experimentMetrics(report: ExperimentReport): Readonly<Record<string, number>> {
  const {
    static: fixed,
    samples4,
    published72,
    inDatabase,
    transfer,
    setups8,
    pickFive,
    pickAll,
    pickAllByRisk,
    shipped,
  } = report;
  const metrics: Record<string, number> = {
    ...(fixed && twice(fixed, '')),
    ...(samples4 && twice(samples4, 'Samples4')),
    ...(published72 && aucs(published72.tolerant, '2Published72')),
    ...(inDatabase && aucs(inDatabase, '1')),
    ...(transfer && aucs(transfer, '2FromSpider')),
    ...(setups8 && once(setups8, 'Setups8')),
    ...(pickFive && selection(pickFive, 'Five')),
    ...(pickAllByRisk && { pickAllByRisk: pickAllByRisk.pick }),
    ...(pickAll && selection(pickAll, 'All')),
    ...Object.fromEntries((shipped ?? []).flatMap((figures) => Object.entries(ofShipped(figures)))),
  };
  const first = samples4 ?? fixed;
  if (first !== undefined) {
    metrics.topUnit = first.test.localisation.topUnit;
    metrics.nodeEce = first.test.nodes.calibration?.ece ?? Number.NaN;
  }
  if (samples4 !== undefined) metrics.queryAuc4 = samples4.test.queries.auc.auc;
  return Object.fromEntries(Object.entries(metrics).map(([name, value]) => [name, Number(value.toFixed(4))]));
}

function twice(measured: MeasuredTwice, ending: string): Record<string, number> {
  return { ...once(measured, ending), ...aucs(measured.published, `2${ending}PublishedLabels`) };
}

function once({ test, open }: Measured, ending: string): Record<string, number> {
  return {
    ...aucs(test.nodes, `2${ending}`),
    ...aucs(open.nodes, `Open${ending}`),
    [`topUnit${ending}`]: test.localisation.topUnit,
    [`topUnitOpen${ending}`]: open.localisation.topUnit,
    [`nodeEce${ending}`]: test.nodes.calibration?.ece ?? Number.NaN,
    [`queryAuc${ending}`]: test.queries.auc.auc,
    [`queryAucOpen${ending}`]: open.queries.auc.auc,
    [`queryEce${ending}`]: test.queries.eceAfter,
    [`queryEceBefore${ending}`]: test.queries.eceBefore,
    [`accuracyAt50${ending}`]: test.queries.accuracyAt50,
    [`accuracyAt80${ending}`]: test.queries.accuracyAt80,
    [`aurc${ending}`]: test.queries.aurc,
    [`rightWithError${ending}`]: test.rightWithError,
  };
}

/** `{ identifierAucShipped4Test, …, queryEceShipped4Test }`. */
function ofShipped(figures: ShippedFigures): Record<string, number> {
  const ending = `Shipped${figures.others}${figures.split === 'learned' ? 'Learned' : 'Test'}`;
  return {
    ...byType(figures.nodeAuc, ending),
    [`typeOnlyAuc${ending}`]: figures.typeOnlyAuc,
    [`nodeEce${ending}`]: figures.nodeEce,
    [`queryAuc${ending}`]: figures.queryAuc,
    [`queryEce${ending}`]: figures.queryEce,
  };
}

/** `aucs(figures, '2')` → `{ identifierAuc2, …, allAuc2, typeOnlyAuc2, withinQueriesAuc2 }`. */
function aucs({ types, all, typeOnly, withinQueries }: NodeFigures, ending: string): Record<string, number> {
  const ofTypes = Object.entries(types).map(([type, { auc }]) => [type, auc] as const);
  return {
    ...byType(Object.fromEntries([...ofTypes, ['All', all.auc]]), ending),
    [`typeOnlyAuc${ending}`]: typeOnly,
    [`withinQueriesAuc${ending}`]: withinQueries,
  };
}

function byType(values: Readonly<Record<string, number>>, ending: string): Record<string, number> {
  return Object.fromEntries(
    Object.entries(values).map(([type, auc]) => [
      `${type.charAt(0).toLowerCase()}${type.slice(1)}Auc${ending}`,
      auc,
    ]),
  );
}

function selection(figures: SelectionFigures, ending: string): Record<string, number> {
  return {
    [`pick${ending}`]: figures.pick,
    [`majority${ending}`]: figures.textMajority,
    [`formMajority${ending}`]: figures.formMajority,
    [`oracle${ending}`]: figures.oracle,
    [`mean${ending}`]: figures.mean,
    [`pickOverMajority${ending}`]: figures.overText.points,
    [`pickOverMajority${ending}Low`]: figures.overText.low,
    [`pickOverMajority${ending}High`]: figures.overText.high,
  };
}
