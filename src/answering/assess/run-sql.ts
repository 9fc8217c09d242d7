/** SQL written by a person or another program, run under the same guard as our own. */

import type { Plan, QueryResult } from '../../database/index.ts';
import { CandorError, type ErrorCode } from '../../errors.ts';
import type { Notice } from '../../results/index.ts';
import type { Session } from '../../session/index.ts';
import type { Cell } from '../../sql/dialects/cell.ts';

export interface SqlRows {
  readonly kind: 'answered';
  readonly sql: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  readonly truncatedBy: 'rows' | 'bytes' | null;
  /** Cells that were cut at `limits.cellSize`. */
  readonly cutCells: number;
  /** What the engine has to say about the rows. */
  readonly notices: readonly Notice[];
  readonly ms: number;
}

/** The statement was checked and planned, not run. */
export interface SqlPlanned {
  readonly kind: 'planned';
  readonly sql: string;
  readonly plan: Plan;
}

interface SqlRefused extends GuardRefusal {
  readonly kind: 'reject';
  readonly sql: string;
}

export type SqlOutcome = SqlRows | SqlPlanned | SqlRefused;

export interface RunSqlOptions {
  /** Only checks and plans. */
  readonly planOnly?: boolean;
  readonly signal?: AbortSignal;
}

/**
 * Runs one reading statement: `await runSql('SELECT COUNT(*) FROM orders', session)` → `{kind: 'answered', …}`. What
 * the guard refuses is an outcome; text that is no SQL, and what the engine refuses, is an error.
 */
export async function runSql(
  sql: string,
  { database, config }: Pick<Session, 'database' | 'config'>,
  options: RunSqlOptions = {},
): Promise<SqlOutcome> {
  try {
    if (options.planOnly) {
      return { kind: 'planned', sql, plan: await database.explain(sql, options.signal) };
    }
    const {
      cutCells = 0,
      notices = [],
      ...result
    } = await database.query(sql, config.limits, options.signal);
    return { kind: 'answered', sql, ...result, cutCells, notices };
  } catch (error) {
    const refusal = guardRefusal(error);
    if (refusal === undefined) throw error;
    return { kind: 'reject', sql, ...refusal };
  }
}

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

/** What the guard refuses is an outcome of a question or of SQL, not a failure. */

export interface GuardRefusal {
  /** `unsafe`: it would do more than read; `permission`: it reads what is not visible here. */
  readonly reason: 'unsafe' | 'permission';
  readonly message: string;
  /** The word, function or table that is not allowed. */
  readonly offending: string;
  readonly nearest: readonly string[];
}

const REASONS: Partial<Record<ErrorCode, GuardRefusal['reason']>> = {
  'database.not-read-only': 'unsafe',
  'database.own-code': 'unsafe',
  'database.not-visible': 'permission',
  'database.not-restrictable': 'permission',
};

/** The refusal behind an error of `database.query` or `database.explain`; undefined for any other error. */
export function guardRefusal(error: unknown): GuardRefusal | undefined {
  if (!(error instanceof CandorError)) return undefined;
  const reason = REASONS[error.code];
  if (reason === undefined) return undefined;
  const { offending, name, reason: what, nearest } = error.data;
  return {
    reason,
    message: error.message,
    offending: String(offending ?? name ?? what ?? ''),
    nearest: Array.isArray(nearest) ? nearest.map(String) : [],
  };
}
