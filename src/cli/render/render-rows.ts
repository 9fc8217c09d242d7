import type { Cell } from '../../sql/cell.ts';

/**
 * Rows as RFC 4180 CSV: quoted where needed, lines end in CR LF, NULL is an empty field and an empty text is `""`.
 * Values are not altered, so a text that starts with `=` reaches a spreadsheet as it is stored.
 */
export function renderCsv(columns: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const lines = [columns.map(csvField), ...rows.map((row) => row.map(csvField))];
  return lines.map((fields) => `${fields.join(',')}\r\n`).join('');
}

function csvField(cell: Cell): string {
  if (cell === null) return '';
  if (cell === '') return '""';
  const text = cell instanceof Uint8Array ? Buffer.from(cell).toString('base64') : String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Any of our data as JSON: whole numbers beyond 2^53 become text, bytes become `{"base64": …}`, NaN and the
 * infinities become text.
 */
export function renderJson(value: unknown, indent = 2): string {
  return `${JSON.stringify(toJsonValue(value), null, indent)}\n`;
}

// Not a JSON.stringify replacer: Buffer.toJSON would run before it.
function toJsonValue(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString('base64') };
  if (Array.isArray(value)) return value.map(toJsonValue);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, toJsonValue(inner)]));
}
