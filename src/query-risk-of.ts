import { CandorError } from './errors.ts';
import { judgeQuery } from './judge-query.ts';
import type { Session } from './session.ts';

export interface RiskRequest {
  readonly question: string;
  readonly hint?: string | undefined;
}

/** Calibrated probability that SQL does not answer its question; undefined where no assessment can be opened. */
export async function queryRiskOf(
  sql: string,
  session: Pick<Session, 'catalog' | 'scoring'>,
  { question, hint }: RiskRequest,
): Promise<number | undefined> {
  try {
    const scoring = await session.scoring();
    return judgeQuery(sql, session, scoring, scoring.prepare(question, hint)).assessment.queryRisk;
  } catch (error) {
    // Of several candidates one is chosen without it; what the answer is worth is said where it is assessed.
    if (error instanceof CandorError && /^(?:uncertainty|boosting)\./.test(error.code)) return undefined;
    throw error;
  }
}
