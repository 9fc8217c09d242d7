/** Queries of an evaluation: what fails is a value, for failing is one of the things that are measured. */
import type { Database, QueryLimits, QueryResult } from '../../../database/index.ts';
import { CandorError } from '../../../errors.ts';

export interface QuerySetting {
  readonly database: Database;
  /** Bounds of the gold and of the predicted query. */
  readonly limits: QueryLimits;
  readonly signal: AbortSignal;
}

/** Wide enough that no gold result of our suites is cut. */
export const GOLD_LIMITS: QueryLimits = { rows: 500_000, bytes: 200_000_000, timeoutMs: 30_000 };

export interface Failed {
  readonly ok: false;
  readonly isTimeout: boolean;
  readonly error: { readonly code: string; readonly message: string };
}

export type Ran = { readonly ok: true; readonly result: QueryResult } | Failed;

/** Runs a query whole: a result that was cut is a failure. Throws only when the run is cancelled. */
export async function runQuery(sql: string, { database, limits, signal }: QuerySetting): Promise<Ran> {
  try {
    const result = await database.query(sql, limits, signal);
    if (result.truncatedBy === null) return { ok: true, result };
    const message = `the result is larger than the evaluation compares (cut by ${result.truncatedBy})`;
    return { ok: false, isTimeout: false, error: { code: 'eval.result-too-large', message } };
  } catch (error) {
    signal.throwIfAborted();
    return toFailed(error);
  }
}

/** An error as part of a record. */
export function toFailed(error: unknown): Failed {
  const code = error instanceof CandorError ? error.code : 'internal.bug';
  const message = error instanceof Error ? error.message : String(error);
  return { ok: false, isTimeout: code === 'database.timeout', error: { code, message } };
}
