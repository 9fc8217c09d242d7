/** A log whose entries are rows: JSON objects or CSV records with a header. */
import type { LogEntry, RejectReason } from './log-entry.ts';
import type { LogRow } from './log-row.ts';

export type RowReading =
  | { readonly kind: 'entry'; readonly entry: Omit<LogEntry, 'line'> }
  | { readonly kind: 'reject'; readonly reason: RejectReason }
  | { readonly kind: 'skip' };

export interface RowFormat {
  /** Whether rows with these fields, in lower case, are of this format. */
  recognises(fields: ReadonlySet<string>): boolean;
  read(row: LogRow): RowReading;
}

export const SKIPPED: RowReading = { kind: 'skip' };

export function rejected(reason: RejectReason): RowReading {
  return { kind: 'reject', reason };
}

/** An entry without what is undefined. */
export function entryOf(
  entry: {
    readonly [Key in keyof Omit<LogEntry, 'line'>]: LogEntry[Key] | undefined;
  },
): RowReading {
  const { sql = '', user = 'unknown', runs = 1, isSuccess = true, ...others } = entry;
  const given = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined));
  return { kind: 'entry', entry: { sql, user, runs, isSuccess, ...given } };
}

export function hasAll(fields: ReadonlySet<string>, ...names: readonly string[]): boolean {
  return names.every((name) => fields.has(name));
}
