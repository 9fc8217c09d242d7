/** One row of an export: a JSON object or a CSV record with its header, read by names without regard to case. */
import type { LogEntry, RejectReason } from './log-entry.ts';

export type LogRow = ReadonlyMap<string, unknown>;

export function rowOfObject(object: Readonly<Record<string, unknown>>): LogRow {
  const row = new Map<string, unknown>();
  for (const name of Object.keys(object)) row.set(name.toLowerCase(), object[name]);
  return row;
}

export function rowOfFields(header: readonly string[], fields: readonly string[]): LogRow {
  const row = new Map<string, unknown>();
  for (const [index, name] of header.entries()) row.set(name, fields[index]);
  return row;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The first of the fields that holds text or a number, as text. */
export function textIn(row: LogRow, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = row.get(name);
    if (typeof value === 'string' && value !== '') return value;
    if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  }
  return undefined;
}

/** A whole number from 0, also where it is written as text. */
export function countIn(row: LogRow, ...names: readonly string[]): number | undefined {
  const text = textIn(row, ...names);
  if (text === undefined || !/^\d{1,15}(?:\.0+)?$/.test(text)) return undefined;
  return Number(text);
}

/** A list, also where a CSV field holds it as JSON. */
export function listIn(row: LogRow, name: string): readonly unknown[] {
  const value = row.get(name);
  if (Array.isArray(value)) return value;
  if (typeof value !== 'string' || !value.startsWith('[')) return [];
  try {
    const list: unknown = JSON.parse(value);
    return Array.isArray(list) ? list : [];
  } catch {
    // Not as JSON: an export that writes lists in its own way tells us nothing here.
    return [];
  }
}

/** A log whose entries are rows: JSON objects or CSV records with a header. */
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
