/** The figures of a run over questions with readings, for programs and for people. */
import { alignRows } from '../../evaluation/align-rows.ts';
import {
  calibrationFigures,
  type Metrics,
  modelFigures,
  type ToldAnswer,
} from '../../evaluation/compute-metrics.ts';
import {
  figureRows,
  renderCalibration,
  runNotes,
  runTitle,
  verdictCounts,
} from '../../evaluation/render-suite.ts';
import { isUnasked } from '../../evaluation/runs/run-record.ts';
import { type Share, shareFigures, shareOf } from '../../metrics/shares.ts';
import type { ReadingsReport } from './run-readings.ts';
import { READINGS_VERDICTS, type ReadingsRecord } from './run-readings.ts';

type Verdict = ReadingsRecord['verdict'];

/** Cases whose own gold fails, or whose model could not be asked, say nothing. */
function countedOf(records: readonly ReadingsRecord[], kind: ReadingsRecord['kind']): ReadingsRecord[] {
  return records.filter(
    (record) => record.kind === kind && record.verdict !== 'gold-failed' && !isUnasked(record.error),
  );
}

function sharesOf(records: readonly ReadingsRecord[]): Readonly<Record<string, Share>> {
  const ambiguous = countedOf(records, 'ambiguous');
  const clear = countedOf(records, 'clear');
  const among = (of: readonly ReadingsRecord[], verdicts: readonly Verdict[]): Share =>
    shareOf(of, ({ verdict }) => verdicts.includes(verdict));
  const ofOthers = ambiguous.filter(({ verdict }) => verdict === 'choice' || verdict === 'wrong');
  return {
    ...{ right: among(ambiguous, ['right']), wrongWithChoice: among(ambiguous, ['choice']) },
    ...{ wrongWithoutChoice: among(ambiguous, ['wrong']), askedSettles: among(ambiguous, ['settles']) },
    ...{ askedUnsettled: among(ambiguous, ['unsettled']), declined: among(ambiguous, ['declined', 'error']) },
    choiceAmongWrong: among(ofOthers, ['choice']),
    ...{ clearRight: among(clear, ['right']), clearAskedBack: among(clear, ['settles', 'unsettled']) },
  };
}

const TITLES: Readonly<Record<string, string>> = {
  right: 'ambiguous: the reading that was meant',
  wrongWithChoice: '  another, the one meant can be chosen',
  wrongWithoutChoice: '  another, and it cannot be chosen',
  askedSettles: '  asked back, with the one meant',
  askedUnsettled: '  asked back, and it settles nothing',
  declined: '  declined or failed',
  choiceAmongWrong: 'choice of the one meant, of wrong answers',
  clearRight: 'clear: right',
  clearAskedBack: '  asked back all the same',
};

/** What is to be reached: shares in percent, at least or at most. */
const BARS = [
  { name: 'choiceAmongWrong', least: 80 },
  { name: 'askedUnsettled', most: 5 },
] as const;

interface HeldBar {
  readonly name: string;
  readonly least?: number;
  readonly most?: number;
  /** Absent where there is no such case. */
  readonly isMet?: boolean;
}

function barsOf(records: readonly ReadingsRecord[]): readonly HeldBar[] {
  const shares = sharesOf(records);
  return BARS.map((bar) => {
    const { hits = 0, total = 0 } = shares[bar.name] ?? {};
    if (total === 0) return bar;
    const percent = (100 * hits) / total;
    return { ...bar, isMet: 'least' in bar ? percent >= bar.least : percent <= bar.most };
  });
}

function toldReadings(records: readonly ReadingsRecord[]): readonly ToldAnswer[] {
  return records.flatMap(({ id, question, risk, verdict }) =>
    risk === undefined || verdict === 'gold-failed'
      ? []
      : [{ id, question, risk, isWrong: verdict !== 'right' }],
  );
}

function metricsOf(records: readonly ReadingsRecord[]): Metrics {
  return {
    ...shareFigures(sharesOf(records)),
    ...calibrationFigures(toldReadings(records)),
    ...modelFigures(records.flatMap(({ use }) => use ?? [])),
  };
}

/** What `--output json` prints as its last line. */
export function summariseReadings({ suite, records, seconds }: ReadingsReport) {
  return { suite, cases: records.length, metrics: metricsOf(records), bars: barsOf(records), seconds };
}

export function renderReadings(report: ReadingsReport): string {
  const { records } = report;
  const figures = figureRows(sharesOf(records), TITLES, { metrics: metricsOf(records), item: 'question' });
  return `${[
    runTitle(report, `${records.length} questions`),
    alignRows(figures),
    barsOf(records).map(barText).join('\n'),
    verdictCounts(records, READINGS_VERDICTS),
    renderCalibration(toldReadings(records)),
    runNotes(report, 'question'),
  ]
    .filter((part) => part !== '')
    .join('\n\n')}\n`;
}

function barText({ name, least, most, isMet }: HeldBar): string {
  const bar = least === undefined ? `at most ${most} %` : `at least ${least} %`;
  const met = isMet ? 'met' : 'missed';
  return `${TITLES[name]?.trim()}: ${bar}, ${isMet === undefined ? 'no such case' : met}`;
}
