/** The risk of a query that breaks what people have defined: no scorer has seen the definitions, so it cannot speak for it. */
import type { Assessment } from '../units/node-risk.ts';

/**
 * How often such a query is wrong, at the least: `npx tsx bench/broken-definitions.ts` names altered queries and hardly any right one; a
 * part is left for questions that want it otherwise in words that no rule knows.
 */
export const BROKEN_RISK = 0.8;

/** Higher than before in any case, and above one half. */
export function raiseForDefinitions(assessment: Assessment, broken: readonly string[]): Assessment {
  if (broken.length === 0 || assessment.unreadBecause !== undefined) return assessment;
  return { ...assessment, queryRisk: 1 - (1 - assessment.queryRisk) * (1 - BROKEN_RISK) };
}
