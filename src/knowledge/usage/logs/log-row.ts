/** One row of an export: a JSON object or a CSV record with its header, read by names without regard to case. */

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
