/** From the records of a run to its figures. The definitions stand in docs/guides/evaluation.md. */

import { makeAuc } from '../metrics/auc.ts';
import { bootstrapByGroup } from '../metrics/bootstrap-by-group.ts';
import { bootstrapPercentile, type Interval, percentile, wilsonInterval } from '../metrics/intervals.ts';
import type { CaseRecord } from './case-record.ts';

export type Metrics = Readonly<Record<string, number>>;

/** How many of how many; the figure is their share in percent. */
export interface Share {
  readonly hits: number;
  readonly total: number;
}

/** The shares of a set of records, by the name of the metric. */
export function computeShares(records: readonly CaseRecord[]): Readonly<Record<string, Share>> {
  const counted = records.filter(isCounted);
  const answerable = counted.filter(({ expected }) => expected === 'answered');
  const unanswerable = counted.filter(({ expected }) => expected !== 'answered');
  const isAnswered = ({ outcome }: CaseRecord): boolean => outcome === 'answered';
  const answered = answerable.filter(isAnswered);
  const right = answerable.filter(({ correct }) => correct).length;
  const marked = counted.filter(({ isMarked }) => isMarked !== undefined);
  const reasons = counted.filter(({ rightReason }) => rightReason !== undefined);
  return {
    outcomeAccuracy: { hits: counted.filter(({ correct }) => correct).length, total: counted.length },
    executionAccuracy: { hits: right, total: answerable.length },
    coverage: { hits: answered.length, total: answerable.length },
    accuracyAnswered: { hits: right, total: answered.length },
    accuracySurestHalf: surestHalf(answerable),
    distinct4: { hits: answerable.filter(hasRightReading).length, total: answerable.length },
    forcedAnswerRate: { hits: unanswerable.filter(isAnswered).length, total: unanswerable.length },
    falseRefusalRate: { hits: answerable.length - answered.length, total: answerable.length },
    wrongUnmarked: {
      hits: marked.filter(({ isMarked, correct }) => !isMarked && !correct).length,
      total: marked.length,
    },
    rightReasonRate: { hits: reasons.filter(({ rightReason }) => rightReason).length, total: reasons.length },
  };
}

/** Cases whose own gold fails, or whose prompt is not in a recording, say nothing of who was asked. */
function isCounted({ verdict }: CaseRecord): boolean {
  return verdict !== 'gold-failed' && verdict !== 'not-recorded';
}

/** Records of earlier versions do not name a reading. */
function hasRightReading({ correct, rightReading }: CaseRecord): boolean {
  return correct || rightReading !== undefined;
}

/** The half of the cases that were answered with the highest probability; what was not answered comes last. */
function surestHalf(answerable: readonly CaseRecord[]): Share {
  const surest = answerable
    .toSorted((one, other) => (other.probability ?? -1) - (one.probability ?? -1))
    .slice(0, Math.floor(answerable.length / 2));
  return { hits: surest.filter(({ correct }) => correct).length, total: surest.length };
}

/**
 * How well wrong answers are told from right ones, in [0, 1], by the engine's own probability and by the risk of the whole
 * query; by name. Nothing where no answer has the figure, or all are right.
 */
function computeAucs(records: readonly CaseRecord[]): [string, number][] {
  const answers = records.filter(
    (record) => record.expected === 'answered' && record.outcome === 'answered' && isCounted(record),
  );
  const aucOf = (name: string, scoreOf: (record: CaseRecord) => number | undefined): [string, number][] => {
    const scored = answers.flatMap((record) => {
      const score = scoreOf(record);
      return score === undefined ? [] : [{ score, label: Number(!record.correct), id: record.id }];
    });
    const auc = makeAuc(
      scored.map(({ score }) => score),
      scored.map(({ label }) => label),
    );
    if (Number.isNaN(auc())) return [];
    const ids = scored.map(({ id }) => id);
    const { value, ...interval } = bootstrapByGroup(auc, ids);
    return withInterval(name, value, interval);
  };
  return [
    ...aucOf('probabilityAuc', ({ probability }) => (probability === undefined ? undefined : -probability)),
    ...aucOf('riskAuc', ({ risk }) => risk),
  ];
}

/** Sets of others that are both developed on and reported: mistakes are read on the even half only. */
const SUITES_WITH_HALVES = ['spider', 'bird', 'defog'];

/** All figures of a run: percent, AUCs and milliseconds, each with its 95 % interval as `…Low` and `…High`. */
export function computeMetrics(suite: string, records: readonly CaseRecord[]): Metrics {
  const shares = new Map(Object.entries(computeShares(records)));
  if (SUITES_WITH_HALVES.some((name) => suite.startsWith(name))) {
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
  return Object.fromEntries([...entries, ...computeAucs(records), ...times, ...modelFigures(records)]);
}

/**
 * What a model took: calls and tokens a question, and the US dollars of all of them. Nothing without a model; no cost where nobody
 * says what a token costs.
 */
function modelFigures(records: readonly CaseRecord[]): [string, number][] {
  const uses = records.flatMap(({ use }) => use ?? []);
  if (uses.length === 0) return [];
  const mean = (of: (use: (typeof uses)[number]) => number): number =>
    Number((uses.reduce((sum, use) => sum + of(use), 0) / uses.length).toFixed(3));
  const cost = uses.reduce((sum, { cost: dollars = Number.NaN }) => sum + dollars, 0);
  return [
    ['calls', mean(({ calls }) => calls)],
    ['promptTokens', mean(({ promptTokens }) => promptTokens)],
    ['cachedTokens', mean(({ cachedTokens = 0 }) => cachedTokens)],
    ['completionTokens', mean(({ completionTokens }) => completionTokens)],
    ...(Number.isNaN(cost) ? [] : [['cost', Number(cost.toFixed(4))] as [string, number]]),
  ];
}

function withInterval(name: string, value: number, { low, high }: Interval): [string, number][] {
  const round = (figure: number): number => Number(figure.toFixed(3));
  return [
    [name, round(value)],
    [`${name}Low`, round(low)],
    [`${name}High`, round(high)],
  ];
}
