/** From the records of a run to its figures. The definitions stand in docs/guides/evaluation.md. */

import type { CallUse } from '../../model/index.ts';
import { type LookUpCounts, sumOfLookUps } from '../../tracing/index.ts';
import { makeAuc } from '../metrics/auc.ts';
import { bootstrapByGroup } from '../metrics/bootstrap-by-group.ts';
import { bootstrapPercentile, type Interval, percentile } from '../metrics/intervals.ts';
import { ece } from '../metrics/reliability.ts';
import { type Share, shareFigures, shareOf, spreadOf } from '../metrics/shares.ts';
import type { CaseRecord } from './case-record.ts';

export type Metrics = Readonly<Record<string, number>>;

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
    ...rubricShares(answerable),
    rightReasonRate: { hits: reasons.filter(({ rightReason }) => rightReason).length, total: reasons.length },
  };
}

/** By the judge: 4 and more is what a person mends in a minute; 5 is what running the queries should find equal. None without a judge. */
function rubricShares(answerable: readonly CaseRecord[]): Readonly<Record<string, Share>> {
  const rated = answerable.flatMap(({ rubric, correct }) =>
    rubric === undefined || 'failed' in rubric ? [] : [{ score: rubric.score, correct }],
  );
  if (rated.length === 0) return {};
  return {
    rubricGood: shareOf(rated, ({ score }) => score >= 4),
    rubricAgreement: shareOf(rated, ({ score, correct }) => (score === 5) === correct),
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

/** An answer whose risk was told, and what it came to. */
export interface ToldAnswer {
  readonly id: string;
  readonly question: string;
  readonly risk: number;
  readonly isWrong: boolean;
}

/** In percent what was told in the mean and what was so, and how far both are apart in [0, 1]; nothing where no risk was told. */
export function calibrationFigures(told: readonly ToldAnswer[]): Metrics {
  if (told.length === 0) return {};
  const mean = (read: (answer: ToldAnswer) => number): number =>
    Number(((100 * told.reduce((sum, one) => sum + read(one), 0)) / told.length).toFixed(2));
  const rows = {
    scores: Float64Array.from(told, ({ risk }) => risk),
    labels: Uint8Array.from(told, ({ isWrong }) => Number(isWrong)),
  };
  return {
    riskTold: mean(({ risk }) => risk),
    riskWrong: mean(({ isWrong }) => Number(isWrong)),
    riskEce: Number(ece(rows).toFixed(3)),
  };
}

/** Wrong answers with the least risk: of what went wrong, that which was told to be surest. */
export function surelyWrong(told: readonly ToldAnswer[], most = SURELY_WRONG_SHOWN): readonly ToldAnswer[] {
  return told
    .filter(({ isWrong }) => isWrong)
    .sort((one, other) => one.risk - other.risk)
    .slice(0, most);
}

const SURELY_WRONG_SHOWN = 10;

/** Answers to cases of a suite; an answer where none was due is wrong. */
export function toldAnswers(records: readonly CaseRecord[]): readonly ToldAnswer[] {
  return records.flatMap((record) =>
    record.risk === undefined || record.outcome !== 'answered' || !isCounted(record)
      ? []
      : [{ id: record.id, question: record.question, risk: record.risk, isWrong: !record.correct }],
  );
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
  const times = [
    ...withInterval('p50Ms', percentile(thinkMs, 0.5), bootstrapPercentile(thinkMs, 0.5)),
    ...withInterval('p95Ms', percentile(thinkMs, 0.95), bootstrapPercentile(thinkMs, 0.95)),
  ];
  return {
    ...shareFigures(Object.fromEntries(shares)),
    ...Object.fromEntries([
      ...computeAucs(records),
      ...Object.entries(calibrationFigures(toldAnswers(records))),
      ...times,
      ...recallFigures(records),
      ...lookUpFigures(records),
    ]),
    ...modelFigures(records.flatMap(({ use }) => use ?? [])),
  };
}

/**
 * What a model took: calls and tokens a question (or of whatever else each use is), and the US dollars of all of them. Nothing without
 * a model; no cost where nobody says what a token costs.
 */
export function modelFigures(uses: readonly CallUse[]): Metrics {
  if (uses.length === 0) return {};
  const of = (name: string, take: (use: CallUse) => number) => withSpread(name, uses.map(take));
  const cost = uses.reduce((sum, { cost: dollars = Number.NaN }) => sum + dollars, 0);
  return Object.fromEntries([
    ...of('calls', ({ calls }) => calls),
    ...of('promptTokens', ({ promptTokens }) => promptTokens),
    ...of('cachedTokens', ({ cachedTokens = 0 }) => cachedTokens),
    ...of('completionTokens', ({ completionTokens }) => completionTokens),
    ...(Number.isNaN(cost) ? [] : [['cost', Number(cost.toFixed(4))]]),
  ]);
}

/** In percent, means over the cases that are due an answer, each against the right query that is nearest. */
function recallFigures(records: readonly CaseRecord[]): [string, number][] {
  const recalls = records.filter(isCounted).flatMap(({ recall }) => recall ?? []);
  const mean = (name: string, shares: readonly number[]): [string, number][] => {
    const spread = spreadOf(shares.map((share) => 100 * share));
    return spread === undefined ? [] : [[name, spread.mean]];
  };
  return [
    ...mean(
      'tableRecall',
      recalls.map(({ tables }) => tables),
    ),
    ...mean(
      'columnRecall',
      recalls.flatMap(({ columns }) => columns ?? []),
    ),
  ];
}

/** What a question looks up, together and by kind; nothing of runs of earlier versions, which did not count. */
function lookUpFigures(records: readonly CaseRecord[]): [string, number][] {
  const counts = records.filter(isCounted).flatMap(({ lookUps }) => lookUps ?? []);
  const of = (name: keyof LookUpCounts): readonly number[] => counts.map((each) => each[name]);
  return [
    ...withSpread('lookUps', counts.map(sumOfLookUps)),
    ...withSpread('databaseQueries', of('queries')),
    ...withSpread('plans', of('plans')),
    ...withSpread('valueSearches', of('valueSearches')),
    ...withSpread('vectorSearches', of('vectorSearches')),
  ];
}

/** The mean under the name itself, and the 95th percentile. */
function withSpread(name: string, values: readonly number[]): [string, number][] {
  const spread = spreadOf(values);
  if (spread === undefined) return [];
  return [
    [name, spread.mean],
    [`${name}P95`, spread.p95],
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
