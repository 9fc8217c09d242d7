/** How well wrong queries are told from right ones, and what holding back the riskiest buys. */
import { applyIsotonic, type IsotonicMap, type RiskCurve, riskCoverage } from '../../../uncertainty/index.ts';
import { makeAuc } from '../../metrics/auc.ts';
import { bootstrapByGroup } from '../../metrics/bootstrap-by-group.ts';
import { brier, ece } from '../../metrics/reliability.ts';
import type { RowQuery } from '../data/node-rows.ts';
import type { Figure } from './node-figures.ts';

export interface QueryFigures {
  readonly queries: number;
  /** In percent, as all below that are called accuracy. */
  readonly accuracy: number;
  readonly auc: Figure;
  readonly eceBefore: number;
  readonly eceAfter: number;
  readonly brier: number;
  readonly accuracyAt50: number;
  readonly accuracyAt80: number;
  readonly aurc: number;
  readonly curve: RiskCurve;
  /** The share of the other candidates that are the same query, as the only score. */
  readonly byAgreement?: {
    readonly auc: number;
    readonly accuracyAt50: number;
    readonly accuracyAt80: number;
  };
}

/** `logOdds` of being wrong, by query; queries of which it is not known are left out. */
export function queryFigures(
  queries: readonly RowQuery[],
  logOdds: ArrayLike<number>,
  calibrator: IsotonicMap,
  agreement?: ArrayLike<number>,
): QueryFigures {
  const known = queries.flatMap(({ isRight, question }, at) =>
    isRight === undefined
      ? []
      : [{ score: logOdds[at] ?? 0, wrong: Number(!isRight), question, agreed: agreement?.[at] ?? 0 }],
  );
  const labels = known.map(({ wrong }) => wrong);
  const scores = known.map(({ score }) => score);
  const raw = scores.map((score) => 1 / (1 + Math.exp(-score)));
  const risks = scores.map((score) => applyIsotonic(calibrator, score));
  const { value, low, high } = bootstrapByGroup(
    makeAuc(scores, labels),
    known.map(({ question }) => question),
    { resamples: 1_000, seed: 11 },
  );
  const curve = riskCoverage({ risks: raw, labels });
  const agreed = known.map((one) => -one.agreed);
  return {
    queries: known.length,
    accuracy: 100 * (1 - sum(labels) / labels.length),
    auc: { auc: value, low, high },
    eceBefore: ece({ scores: raw, labels }),
    eceAfter: ece({ scores: risks, labels }),
    brier: brier({ scores: risks, labels }),
    accuracyAt50: accuracyAt(0.5, scores, labels),
    accuracyAt80: accuracyAt(0.8, scores, labels),
    aurc: curve.aurc,
    curve,
    ...(agreement && {
      byAgreement: {
        auc: makeAuc(agreed, labels)(),
        accuracyAt50: accuracyAt(0.5, agreed, labels),
        accuracyAt80: accuracyAt(0.8, agreed, labels),
      },
    }),
  };
}

/** Of the share of queries with the least scores; of equal scores at the edge their mean counts. */
export function accuracyAt(coverage: number, scores: readonly number[], labels: readonly number[]): number {
  const count = Math.round(coverage * scores.length);
  const edge = scores.toSorted((one, other) => one - other)[count - 1] ?? 0;
  const below = labels.filter((_, at) => (scores[at] ?? 0) < edge);
  const atEdge = labels.filter((_, at) => scores[at] === edge);
  const wrong = sum(below) + ((count - below.length) * sum(atEdge)) / Math.max(1, atEdge.length);
  return 100 * (1 - wrong / count);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
