/** An experiment report as text for people, and its plots. */
import { alignRows } from '../../evaluation/align-rows.ts';
import { drawLine, renderPlot, round, roundEnd } from '../../metrics/plots/plot-frame.ts';
import { renderRiskCoverage } from '../../metrics/plots/render-risk-coverage.ts';
import type { ReliabilityBin } from '../../metrics/reliability.ts';
import type { ExperimentReport, Measured } from './experiment-report.ts';
import type { NodeFigures } from './node-figures.ts';
import type { SelectionFigures } from './selection.ts';

export function renderExperiments(report: ExperimentReport): string {
  const tables = [nodeTable, localisationTable, queryTable, selectionTable, shippedTable];
  return tables
    .map((table) => table(report))
    .filter((part) => part !== '')
    .join('\n\n');
}

const COLUMNS = ['Identifier', 'Column', 'Literal', 'Table', 'TableAlias'];

function nodeTable(report: ExperimentReport): string {
  const rows = nodeSets(report).map(([name, figures]) => [
    name,
    ...COLUMNS.map((type) => withInterval(figures.types[type])),
    withInterval(figures.all),
    share(figures.typeOnly),
    share(figures.withinQueries),
    share(figures.typeOnlyWithinQueries),
    figures.calibration === undefined ? '' : share(figures.calibration.ece),
  ]);
  if (rows.length === 0) return '';
  const head = ['nodes: AUC', ...COLUMNS, 'All', 'type only', 'in queries', 'type only', 'ECE'];
  return alignRows([head, ...rows]);
}

function nodeSets(report: ExperimentReport): readonly (readonly [string, NodeFigures])[] {
  const { static: fixed, samples4, published72, inDatabase, transfer, setups8 } = report;
  const sets: (readonly [string, NodeFigures | undefined])[] = [
    ['72 features, test', published72?.tolerant],
    ["72 features, test, the paper's labels", published72?.published],
    ['all features, test', fixed?.test.nodes],
    ["all features, test, the paper's labels", fixed?.published],
    ['all features, open, left out', fixed?.open.nodes],
    ['with four samples, test', samples4?.test.nodes],
    ["with four samples, test, the paper's labels", samples4?.published],
    ['with four samples, open, left out', samples4?.open.nodes],
    ['with eight other set-ups, test', setups8?.test.nodes],
    ['Experiment 1, in the database', inDatabase],
    ['from Spider to BIRD, test', transfer],
  ];
  return sets.flatMap(([name, figures]) => (figures === undefined ? [] : [[name, figures] as const]));
}

function measuredSets(report: ExperimentReport): readonly (readonly [string, Measured])[] {
  const sets = [
    ['all features', report.static],
    ['with four samples', report.samples4],
    ['with eight other set-ups', report.setups8],
    ['all candidates', report.allCandidates],
  ] as const;
  return sets.flatMap(([name, measured]) => (measured === undefined ? [] : [[name, measured] as const]));
}

function parts(report: ExperimentReport) {
  return measuredSets(report).flatMap(([name, { test, open }]) => [
    { name: `${name}, test`, part: test },
    { name: `${name}, open, left out`, part: open },
  ]);
}

function localisationTable(report: ExperimentReport): string {
  const rows = parts(report).map(({ name, part: { localisation, rightWithError } }) => [
    name,
    `${share(localisation.topUnit)} [${share(localisation.topUnitInterval.low)}, ${share(localisation.topUnitInterval.high)}]`,
    share(localisation.topUnitOfWronglyAnswered),
    share(localisation.chance),
    ...localisation.marks.flatMap(({ precision, recall }) => [share(precision), share(recall)]),
    share(rightWithError),
  ]);
  if (rows.length === 0) return '';
  const head = ['marks', 'top unit wrong', 'of wrong answers', 'by chance'];
  const thresholds = ['precision .3', 'recall .3', 'precision .6', 'recall .6', 'right with an error'];
  return alignRows([[...head, ...thresholds], ...rows]);
}

function queryTable(report: ExperimentReport): string {
  const rows = parts(report).map(({ name, part: { queries } }) => [
    name,
    percent(queries.accuracy),
    withInterval(queries.auc),
    share(queries.eceBefore),
    share(queries.eceAfter),
    percent(queries.accuracyAt50),
    percent(queries.accuracyAt80),
    share(queries.aurc),
    queries.byAgreement === undefined ? '' : share(queries.byAgreement.auc),
    queries.byAgreement === undefined ? '' : percent(queries.byAgreement.accuracyAt50),
  ]);
  if (rows.length === 0) return '';
  const head = ['queries', 'right', 'AUC', 'ECE before', 'after', 'right of 50 %', 'of 80 %', 'AURC'];
  return alignRows([[...head, 'agreement: AUC', 'right of 50 %'], ...rows]);
}

function selectionTable({ pickFive, pickAll, pickAllByRisk }: ExperimentReport): string {
  const row = (name: string, figures: SelectionFigures | undefined): string[][] =>
    figures === undefined
      ? []
      : [
          [
            name,
            String(figures.questions),
            percent(figures.mean),
            percent(figures.textMajority),
            percent(figures.formMajority),
            percent(figures.pick),
            percent(figures.oracle),
            `${signed(figures.overText.points)} [${signed(figures.overText.low)}, ${signed(figures.overText.high)}]`,
          ],
        ];
  const rows = [
    ...row('five prompts of one model', pickFive),
    ...row('all candidates, by risk', pickAllByRisk),
    ...row('all candidates, and who wrote them', pickAll),
  ];
  if (rows.length === 0) return '';
  const head = ['selection', 'questions', 'mean', 'same text', 'same form', 'least risk', 'best possible'];
  return alignRows([[...head, 'over same text'], ...rows]);
}

function shippedTable({ shipped = [] }: ExperimentReport): string {
  const rows = shipped.map((figures) => [
    `${figures.others === 0 ? 'alone' : 'with four samples'}, ${figures.split}`,
    ...[...COLUMNS, 'All'].map((type) => share(figures.nodeAuc[type] ?? Number.NaN)),
    share(figures.typeOnlyAuc),
    share(figures.nodeEce),
    String(figures.nodes),
    share(figures.wrongNodes),
    share(figures.queryAuc),
    share(figures.queryEce),
    String(figures.queries),
    String(figures.judgedQueries),
  ]);
  if (rows.length === 0) return '';
  const head = ['as shipped, nodes: AUC', ...COLUMNS, 'All', 'type only', 'ECE', 'nodes', 'wrong'];
  return alignRows([[...head, 'queries: AUC', 'ECE', 'queries', 'judged'], ...rows]);
}

/** Files by name: reliability of nodes and risk against coverage of queries. */
export function plotExperiments(report: ExperimentReport): ReadonlyMap<string, string> {
  const plots = new Map<string, string>();
  const first = report.samples4 ?? report.static;
  const bins = first?.test.nodes.calibration?.bins;
  if (bins !== undefined)
    plots.set('reliability.svg', renderReliability(bins, { title: 'Nodes of unseen databases' }));
  const curves = measuredSets(report)
    .slice(0, 4)
    .map(([name, { test }]) => ({ name, curve: test.queries.curve }));
  if (curves.length > 0)
    plots.set('risk-coverage.svg', renderRiskCoverage(curves, { title: 'Queries of unseen databases' }));
  return plots;
}

function withInterval(
  figure: { readonly auc: number; readonly low: number; readonly high: number } | undefined,
): string {
  return figure === undefined ? '' : `${share(figure.auc)} [${share(figure.low)}, ${share(figure.high)}]`;
}

function share(value: number): string {
  return Number.isNaN(value) ? '–' : value.toFixed(3).replace(/^0/, '');
}

function percent(value: number): string {
  return value.toFixed(1);
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(1)}`;
}

/** A reliability plot as an SVG file: what was said against what was so, a dot a bin; on the dashed line both agree. */
export function renderReliability(
  bins: readonly ReliabilityBin[],
  { title }: { readonly title: string },
): string {
  const shown = [...bins].sort((a, b) => a.meanProbability - b.meanProbability);
  const most = roundEnd(shown.flatMap(({ meanProbability, errorRate }) => [meanProbability, errorRate]));
  const plot = {
    title,
    about: aboutBins(shown),
    x: { label: 'predicted probability of an error', most },
    y: { label: 'share of errors', most },
  };
  return renderPlot(plot, ({ x, y }) => {
    const points = shown.map(({ meanProbability, errorRate }) => [x(meanProbability), y(errorRate)] as const);
    return [
      `<path class="even" d="M${round(x(0))} ${round(y(0))}L${round(x(most))} ${round(y(most))}"/>`,
      ...(points.length > 1 ? [drawLine(points, 0)] : []),
      ...points.map(([cx, cy]) => `<circle class="dot-0" cx="${round(cx)}" cy="${round(cy)}" r="4"/>`),
    ];
  });
}

function aboutBins(bins: readonly ReliabilityBin[]): string {
  const [first, last] = [bins[0], bins.at(-1)];
  if (first === undefined || last === undefined) return 'There were no rows to bin.';
  const tell = ({ meanProbability, errorRate }: ReliabilityBin): string =>
    `predicted ${round(meanProbability)}, seen ${round(errorRate)}`;
  return `${bins.length} bins of rows by predicted probability; the lowest: ${tell(first)}; the highest: ${tell(last)}.`;
}
