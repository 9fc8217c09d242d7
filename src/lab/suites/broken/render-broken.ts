/** The figures of a run over broken queries, for programs and for people. */
import { CASE_ENGINES } from '../../corpus/engine-databases.ts';
import { alignRows } from '../../evaluation/align-rows.ts';
import { type Metrics, modelFigures } from '../../evaluation/compute-metrics.ts';
import { figureRows, runNotes, runTitle, verdictCounts } from '../../evaluation/render-suite.ts';
import { isUnasked } from '../../evaluation/runs/run-record.ts';
import { type Share, shareFigures, shareOf } from '../../metrics/shares.ts';
import type { BrokenReport } from './run-broken.ts';
import { BROKEN_VERDICTS, type BrokenRecord } from './run-broken.ts';

const TITLES: Readonly<Record<string, string>> = {
  right: 'right',
  mended: '  mended as meant',
  mendedOrOffered: '  … or offered',
  wrongMend: '  called good, and it is not',
  unmendableTold: '  told that nothing mends it',
};

/** Cases whose own gold fails, or whose model could not be asked, say nothing. */
function isCounted({ verdict, error }: BrokenRecord): boolean {
  return verdict !== 'gold-failed' && !isUnasked(error);
}

function isRight({ verdict }: BrokenRecord): boolean {
  return verdict === 'right';
}

function sharesOf(records: readonly BrokenRecord[]): Readonly<Record<string, Share>> {
  const counted = records.filter(isCounted);
  const mendable = counted.filter(({ gold }) => gold !== null);
  const isOffered = ({ verdict }: BrokenRecord): boolean => verdict === 'right' || verdict === 'offered';
  return {
    right: shareOf(counted, isRight),
    mended: shareOf(mendable, isRight),
    mendedOrOffered: shareOf(mendable, isOffered),
    wrongMend: shareOf(counted, ({ verdict }) => verdict === 'wrong' || verdict === 'forced'),
    unmendableTold: shareOf(
      counted.filter(({ gold }) => gold === null),
      isRight,
    ),
  };
}

function metricsOf(records: readonly BrokenRecord[]): Metrics {
  return { ...shareFigures(sharesOf(records)), ...modelFigures(records.flatMap(({ use }) => use ?? [])) };
}

/** What `--output json` prints as its last line. */
export function summariseBroken({ suite, records, leftOut, seconds }: BrokenReport) {
  return { suite, cases: records.length, leftOut, metrics: metricsOf(records), seconds };
}

export function renderBroken(report: BrokenReport): string {
  const { records, leftOut } = report;
  const figures = figureRows(sharesOf(records), TITLES, { metrics: metricsOf(records), item: 'query' });
  const engines = CASE_ENGINES.flatMap((engine) => {
    const own = records.filter((record) => record.engine === engine);
    const right = shareOf(own.filter(isCounted), isRight);
    return own.length === 0 ? [] : [[engine, String(own.length), `${right.hits} of ${right.total}`]];
  });
  const missing = Object.entries(leftOut).map(
    ([engine, count]) =>
      `${count} of ${engine} are left out: no server; npx tsx scripts/eval-broken.ts starts those that are installed`,
  );
  return `${[
    runTitle(report, `${records.length} broken queries`),
    alignRows(figures),
    alignRows([['engine', 'queries', 'right'], ...engines]),
    verdictCounts(records, BROKEN_VERDICTS),
    [...missing, runNotes(report, 'query')].join('\n'),
  ].join('\n\n')}\n`;
}
