import type { QueryResult } from './database/index.ts';
import { CandorError } from './errors.ts';
import type { Session } from './session.ts';

/** A query beyond the plan limits is not run; that leaves a candidate without an answer, not a failure. */
export async function runCapped(
  sql: string,
  { database, config }: Pick<Session, 'database' | 'config'>,
  signal: AbortSignal | undefined,
): Promise<QueryResult | CandorError> {
  try {
    return await database.query(sql, config.limits, signal);
  } catch (error) {
    if (error instanceof CandorError && error.code === 'database.too-expensive') return error;
    throw error;
  }
}
