/** From the records of a run to its figures. The definitions stand in docs/guides/evaluation.md. */
import type { CaseRecord } from './case-record.ts';
import { bootstrapPercentile, type Interval, percentile, wilsonInterval } from './intervals.ts';

export type Metrics = Readonly<Record<string, number>>;

/** How many of how many; the figure is their share in percent. */
export interface Share {
  readonly hits: number;
  readonly total: number;
}

/** The shares of a set of records, by the name of the metric. */
export function computeShares(records: readonly CaseRecord[]): Readonly<Record<string, Share>> {
  const counted = records.filter(({ verdict }) => verdict !== 'gold-failed');
  const answerable = counted.filter(({ expected }) => expected === 'answered');
  const unanswerable = counted.filter(({ expected }) => expected !== 'answered');
  const isAnswered = ({ outcome }: CaseRecord): boolean => outcome === 'answered';
  const answered = answerable.filter(isAnswered);
  const right = answerable.filter(({ correct }) => correct).length;
  const reasons = counted.filter(({ rightReason }) => rightReason !== undefined);
  return {
    outcomeAccuracy: { hits: counted.filter(({ correct }) => correct).length, total: counted.length },
    executionAccuracy: { hits: right, total: answerable.length },
    coverage: { hits: answered.length, total: answerable.length },
    accuracyAnswered: { hits: right, total: answered.length },
    forcedAnswerRate: { hits: unanswerable.filter(isAnswered).length, total: unanswerable.length },
    falseRefusalRate: { hits: answerable.length - answered.length, total: answerable.length },
    rightReasonRate: { hits: reasons.filter(({ rightReason }) => rightReason).length, total: reasons.length },
  };
}

/** All figures of a run: percent and milliseconds, each with its 95 % interval as `…Low` and `…High`. */
export function computeMetrics(suite: string, records: readonly CaseRecord[]): Metrics {
  const shares = new Map(Object.entries(computeShares(records)));
  if (suite.startsWith('spider')) {
    const accuracyOf = (half: 0 | 1): Share =>
      computeShares(records.filter(({ index }) => index % 2 === half)).executionAccuracy ?? {
        hits: 0,
        total: 0,
      };
    shares.set('executionAccuracyOpenHalf', accuracyOf(0));
    shares.set('executionAccuracyClosedHalf', accuracyOf(1));
  }
  const thinkMs = records.flatMap((record) => record.thinkMs ?? []);
  const entries = [...shares].flatMap(([name, { hits, total }]) => {
    const { low, high } = wilsonInterval(hits, total);
    const share = total === 0 ? 0 : hits / total;
    return withInterval(name, 100 * share, { low: 100 * low, high: 100 * high });
  });
  const times = [
    ...withInterval('p50Ms', percentile(thinkMs, 0.5), bootstrapPercentile(thinkMs, 0.5)),
    ...withInterval('p95Ms', percentile(thinkMs, 0.95), bootstrapPercentile(thinkMs, 0.95)),
  ];
  return Object.fromEntries([...entries, ...times]);
}

function withInterval(name: string, value: number, { low, high }: Interval): [string, number][] {
  const round = (figure: number): number => Number(figure.toFixed(3));
  return [
    [name, round(value)],
    [`${name}Low`, round(low)],
    [`${name}High`, round(high)],
  ];
}
