import type { Cell, Rows } from '../api/contract.ts';

/**
 * Rows as CSV (RFC 4180, with a byte order mark so that spreadsheets read UTF-8). Text that a spreadsheet would take for a
 * formula gets an apostrophe in front: what is stored in a database is data (OWASP, CSV injection).
 */
export function toCsv(columns: readonly string[], rows: Rows): string {
  const lines = [columns, ...rows].map((cells) => cells.map(csvField).join(','));
  return `\uFEFF${lines.join('\r\n')}\r\n`;
}

/** Nothing stored is an empty field; a text or bytes of length 0 are `""`. */
function csvField(cell: Cell): string {
  return cell === null ? '' : quoted(plainText(cell));
}

function plainText(cell: NonNullable<Cell>): string {
  if (typeof cell === 'object') return cell.base64;
  if (typeof cell !== 'string') return String(cell);
  return /^[=+\-@\t\r]/.test(cell) && !/^[+-]?\d+(?:\.\d+)?$/.test(cell) ? `'${cell}` : cell;
}

function quoted(text: string): string {
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
