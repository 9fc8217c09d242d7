import { CandorError } from './errors.ts';
import { certainFaults, readQuery } from './faults/index.ts';
import type { Session } from './session.ts';
import { addFaults, assessQuery } from './uncertainty/index.ts';

export interface RiskRequest {
  readonly question: string;
  readonly hint?: string | undefined;
}

/** Calibrated probability that SQL does not answer its question; undefined where no assessment can be opened. */
export async function queryRiskOf(
  sql: string,
  { catalog, scoring }: Pick<Session, 'catalog' | 'scoring'>,
  { question, hint }: RiskRequest,
): Promise<number | undefined> {
  try {
    const { schema, model, prepare } = await scoring();
    const read = readQuery(sql, catalog.dialect, catalog);
    const assessed = assessQuery(read, sql, { schema, asked: prepare(question, hint) }, model);
    if (!read.ok) return assessed.queryRisk;
    return addFaults(assessed, certainFaults(read.query, schema), read.query).queryRisk;
  } catch (error) {
    // Of several candidates one is chosen without it; what the answer is worth is said where it is assessed.
    if (error instanceof CandorError && /^(?:uncertainty|boosting)\./.test(error.code)) return undefined;
    throw error;
  }
}
