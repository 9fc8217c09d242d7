/** The figures of a run of tests. The definitions stand in docs/guides/testing.md. */
import { sumOfLookUps } from '../../tracing/index.ts';
import { type Interval, percentile, wilsonInterval } from '../metrics/intervals.ts';
import { type Spread, spreadOf } from '../metrics/shares.ts';
import type { TestRun } from './run-tests.ts';
import type { TestStatus, TurnResult } from './test-result.ts';

/** How many of how many, as a share in [0, 1] with its 95 % interval; no share where there is nothing to count. */
export interface ShareFigure {
  readonly hits: number;
  readonly total: number;
  readonly share?: number;
  readonly interval?: Interval;
}

export interface TestSummary {
  readonly cases: number;
  readonly counts: Readonly<Record<TestStatus, number>>;
  /** Passed · of the cases that were asked, but for those known to fail. */
  readonly accuracy: ShareFigure;
  /** Answered · of the turns that are due another outcome. */
  readonly forcedAnswers: ShareFigure;
  /** Not answered · of the turns that are due an answer. */
  readonly overAbstention: ShareFigure;
  /** The due reason, gap, metric or dimension · of the turns that name one and came with the due outcome. */
  readonly rightReason: ShareFigure;
  readonly tokens: number;
  /** In US dollars; absent where a model was asked and nobody says what it costs. */
  readonly cost?: number;
  /** What a turn took, by name; absent what nobody counted. */
  readonly perTurn: {
    readonly calls?: Spread | undefined;
    readonly promptTokens?: Spread | undefined;
    readonly cachedTokens?: Spread | undefined;
    readonly lookUps?: Spread | undefined;
  };
  /** Milliseconds from a question to its outcome, without running the SQL; absent where nothing was asked. */
  readonly thinkMs?: { readonly p50: number; readonly p95: number };
  readonly seconds: number;
}

const NONE: Readonly<Record<TestStatus, number>> = {
  passed: 0,
  failed: 0,
  flaky: 0,
  error: 0,
  known: 0,
  'unexpected-pass': 0,
  skipped: 0,
  'not-asked': 0,
};

/** Counts cases by status, and turns over all draws for the rates. Cases known to fail count in the rates alone. */
export function summariseTests({ results, seconds }: TestRun): TestSummary {
  const counts = { ...NONE };
  for (const { status } of results) counts[status]++;
  const turns = results.flatMap(({ runs }) => runs.flatMap((run) => run.turns));
  const judged = turns.filter(({ expected, outcome }) => expected !== undefined && outcome !== undefined);
  const due = judged.filter(({ expected }) => expected === 'answered');
  const undue = judged.filter(({ expected }) => expected !== 'answered');
  const reasons = judged.filter(({ isRightReason }) => isRightReason !== undefined);
  const isAnswered = ({ outcome }: TurnResult): boolean => outcome === 'answered';
  const times = turns.flatMap(({ thinkMs }) => thinkMs ?? []);
  const costs = turns.filter(({ outcome }) => outcome !== undefined).map(({ cost }) => cost);
  return {
    cases: results.length,
    counts,
    accuracy: shareOf(counts.passed, counts.passed + counts.failed + counts.flaky + counts.error),
    forcedAnswers: shareOf(undue.filter(isAnswered).length, undue.length),
    overAbstention: shareOf(due.filter((turn) => !isAnswered(turn)).length, due.length),
    rightReason: shareOf(reasons.filter(({ isRightReason }) => isRightReason).length, reasons.length),
    tokens: turns.reduce((sum, { tokens }) => sum + tokens, 0),
    ...(costs.every((cost) => cost !== undefined) && { cost: costs.reduce((sum, cost) => sum + cost, 0) }),
    perTurn: perTurn(turns),
    ...(times.length > 0 && { thinkMs: { p50: rounded(times, 0.5), p95: rounded(times, 0.95) } }),
    seconds,
  };
}

function perTurn(turns: readonly TurnResult[]): TestSummary['perTurn'] {
  const uses = turns.flatMap(({ use }) => use ?? []);
  return {
    calls: spreadOf(uses.map(({ calls }) => calls)),
    promptTokens: spreadOf(uses.map(({ promptTokens }) => promptTokens)),
    cachedTokens: spreadOf(uses.map(({ cachedTokens = 0 }) => cachedTokens)),
    lookUps: spreadOf(turns.flatMap(({ lookUps }) => (lookUps === undefined ? [] : sumOfLookUps(lookUps)))),
  };
}

function shareOf(hits: number, total: number): ShareFigure {
  if (total === 0) return { hits, total };
  return { hits, total, share: hits / total, interval: wilsonInterval(hits, total) };
}

function rounded(values: readonly number[], p: number): number {
  return Number(percentile(values, p).toFixed(1));
}

/** What a run is held to. */
export interface Thresholds {
  /** Least share of the cases that must pass; every one where absent. */
  readonly minAccuracy?: number;
  /** Largest share of the turns due another outcome that may be answered. */
  readonly maxForced?: number;
}

/** Why a run does not pass, in sentences; none where it does. A known failure that passes always counts. */
export function faultsOfRun(
  { stoppedBy }: Pick<TestRun, 'stoppedBy'>,
  { accuracy, counts, forcedAnswers }: TestSummary,
  { minAccuracy = 1, maxForced }: Thresholds,
): readonly string[] {
  const faults: string[] = [];
  const wrong = accuracy.total - accuracy.hits;
  const { share = 1 } = accuracy;
  if (share < minAccuracy)
    faults.push(
      minAccuracy === 1
        ? `${wrong} of ${accuracy.total} cases did not come out as expected`
        : `the accuracy of ${inPercent(share)} is below ${inPercent(minAccuracy)}`,
    );
  if (maxForced !== undefined && (forcedAnswers.share ?? 0) > maxForced)
    faults.push(
      `${inPercent(forcedAnswers.share ?? 0)} forced answers are more than ${inPercent(maxForced)}`,
    );
  if (counts['unexpected-pass'] > 0)
    faults.push(`cases known to fail that pass: ${counts['unexpected-pass']}; remove their knownFailure`);
  const left = `cases not asked: ${counts['not-asked']}`;
  if (stoppedBy === 'cost') faults.push(`the cost reached --max-cost; ${left}`);
  if (stoppedBy === 'cancel') faults.push(`cancelled; ${left}`);
  if (stoppedBy === 'bail') faults.push(`stopped by --bail; ${left}`);
  return faults;
}

function inPercent(share: number): string {
  return `${Number((100 * share).toFixed(1))} %`;
}
