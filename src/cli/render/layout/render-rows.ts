import { csvCell } from '../../../lib/index.ts';
import { toJsonValue } from '../../../results/index.ts';
import type { Cell } from '../../../sql/dialects/cell.ts';

/**
 * Rows as RFC 4180 CSV: quoted where needed, lines end in CR LF, NULL is an empty field, and a text or bytes of length 0 are
 * `""`.
 * Values are not altered, so a text that starts with `=` reaches a spreadsheet as it is stored.
 */
export function renderCsv(columns: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const lines = [columns.map(csvField), ...rows.map((row) => row.map(csvField))];
  return lines.map((fields) => `${fields.join(',')}\r\n`).join('');
}

function csvField(cell: Cell): string {
  if (cell === null) return '';
  const text = cell instanceof Uint8Array ? Buffer.from(cell).toString('base64') : String(cell);
  if (text === '') return '""';
  return csvCell(text);
}

/**
 * Any of our data as JSON: whole numbers beyond 2^53 become text, bytes become `{"base64": …}`, NaN and the
 * infinities become text.
 */
export function renderJson(value: unknown, indent = 2): string {
  return `${JSON.stringify(toJsonValue(value), null, indent)}\n`;
}
