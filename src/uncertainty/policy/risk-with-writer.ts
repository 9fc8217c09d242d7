import type { Assessment } from '../units/node-risk.ts';

/** What the built-in engine knows of a query that it wrote, beside its text. */
export interface WriterOpinion {
  /** That its reading of the question is right, in [0, 1]. */
  readonly probability: number;
  /** The semantic model defines every figure of it. */
  readonly isDefined: boolean;
}

/** Log-odds of being wrong: `intercept + sql·logit(risk of the SQL) + writer·logit(1 - probability)`. */
export interface WriterWeights {
  readonly intercept: number;
  readonly sql: number;
  readonly writer: number;
}

/** Beyond this nobody's probability is taken at its word. */
const SUREST = 0.995;

/**
 * The assessment of a query whose writer has an opinion of it: both together tell right from wrong better than either alone.
 * Figures that people have defined are strange to the model of SQL, which has not seen the definitions and finds right queries likely
 * wrong: there the reading alone speaks, and whether a definition is kept or a word left out is checked apart.
 */
export function riskWithWriter(
  assessment: Assessment,
  { probability, isDefined }: WriterOpinion,
  { intercept, sql, writer }: WriterWeights,
): Assessment {
  if (assessment.unreadBecause !== undefined) return assessment;
  const doubt = 1 - probability;
  const queryRisk = isDefined
    ? doubt
    : 1 / (1 + Math.exp(-(intercept + sql * logit(assessment.queryRisk) + writer * logit(doubt))));
  return { ...assessment, queryRisk };
}

export function logit(probability: number): number {
  const bound = Math.min(Math.max(probability, 1 - SUREST), SUREST);
  return Math.log(bound / (1 - bound));
}
