/** What the guard refuses is an outcome of a question or of SQL, not a failure. */
import { CandorError, type ErrorCode } from './errors.ts';

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
