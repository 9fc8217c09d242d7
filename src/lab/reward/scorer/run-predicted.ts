/** One query of a model, run under the guard; what its own fault is comes back as a value. */
import type { Database, QueryLimits } from '../../../database/index.ts';
import { CandorError, type ErrorCode } from '../../../errors.ts';
import type { ComparedResult } from '../../../results/index.ts';

export interface QueryRun {
  /** It was planned: by running it, or by EXPLAIN where it could not be run to its end. */
  readonly isPlannable: boolean;
  /** The whole result; absent where there is none or it was cut. */
  readonly result?: ComparedResult;
  /** Why there is no result. */
  readonly error?: RunError;
}

export interface RunError {
  readonly code: string;
  readonly message: string;
}

export interface RunSetting {
  readonly limits: QueryLimits;
  readonly signal: AbortSignal;
}

/** Refused before the engine sees it: it does not parse, does more than read, or names what is not there. */
const REFUSED: ReadonlySet<ErrorCode> = new Set([
  'sql.too-large',
  'sql.analysis-failed',
  'sql.parse-failed',
  'database.not-read-only',
  'database.not-visible',
  'database.not-restrictable',
  'database.own-code',
]);
/** Planned, and stopped by a bound. */
const STOPPED: ReadonlySet<ErrorCode> = new Set(['database.timeout', 'database.too-expensive']);
/** The engine's word: only EXPLAIN tells a query that cannot be planned from one that fails on the way. */
const FAILED: ReadonlySet<ErrorCode> = new Set(['database.query-failed', 'database.executor-died']);

/** Throws only what is no fault of the query: the database cannot be reached, or the run is cancelled. */
export async function runPredicted(
  sql: string,
  database: Database,
  { limits, signal }: RunSetting,
): Promise<QueryRun> {
  try {
    const { columns, rows, truncatedBy } = await database.query(sql, limits, signal);
    if (truncatedBy === null) return { isPlannable: true, result: { columns, rows } };
    const message = `the result was cut by the limit of ${truncatedBy}, so that it compares with nothing`;
    return { isPlannable: true, error: { code: 'reward.result-cut', message } };
  } catch (failure) {
    if (!(failure instanceof CandorError)) throw failure;
    const error = { code: failure.code, message: failure.message };
    if (REFUSED.has(failure.code)) return { isPlannable: false, error };
    if (STOPPED.has(failure.code)) return { isPlannable: true, error };
    if (!FAILED.has(failure.code)) throw failure;
    return { isPlannable: await isPlannable(sql, database, signal), error };
  }
}

/** Whether EXPLAIN passes, the query not being run. */
export async function isPlannable(sql: string, database: Database, signal: AbortSignal): Promise<boolean> {
  try {
    await database.explain(sql, signal);
    return true;
  } catch (failure) {
    const isOwnFault =
      failure instanceof CandorError &&
      (REFUSED.has(failure.code) || STOPPED.has(failure.code) || failure.code === 'database.query-failed');
    if (isOwnFault) return false;
    throw failure;
  }
}
