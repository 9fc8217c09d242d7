/** Comma-separated text (RFC 4180), read with the places of its rows and written again. */
import { CsvRecord, csvCell } from '../../../lib/index.ts';
import { faultIn } from './foreign-document.ts';

/** Rows of one file, cells of a row and characters of a cell that are read; descriptions of tables stay far below. */
const MOST_ROWS = 1_000_000;
const MOST_CELLS = 100_000;
const LONGEST_CELL = 1_000_000;
const RULES = { isStrict: false, mostFields: MOST_CELLS };

export interface CsvRow {
  /** 1-based line of its first cell. */
  readonly line: number;
  readonly cells: readonly string[];
}

/**
 * The rows of a text, empty lines left out; quoted cells may hold line ends. Throws `interchange.invalid` at a quote
 * that does not close or has text behind it, and where bounds are passed.
 */
export function readCsv(text: string, path: string): readonly CsvRow[] {
  const rows: CsvRow[] = [];
  let line = 1;
  for (let at = 0; at < text.length; ) {
    const row = readRow(text, path, at);
    if (row.fields.length > 1 || row.fields[0] !== '') rows.push({ line, cells: row.fields });
    if (rows.length > MOST_ROWS) throw faultIn(path, text, at, `more than ${MOST_ROWS} rows`);
    line += countLines(text, at, row.end);
    at = row.end;
  }
  return rows;
}

function readRow(text: string, path: string, start: number): CsvRecord {
  const record = new CsvRecord(RULES);
  const progress = record.push(text, start);
  if (progress === 'open') throw faultIn(path, text, record.end, 'this quote does not close');
  if (progress === 'broken') throw faultIn(path, text, record.end, whyBroken(record));
  if (record.fields.some((cell) => cell.length > LONGEST_CELL))
    throw faultIn(path, text, start, `a cell of more than ${LONGEST_CELL} characters`);
  return record;
}

function whyBroken({ fields }: CsvRecord): string {
  return fields.length < MOST_CELLS
    ? 'expected a comma or the end of the line behind the closing quote'
    : `more than ${MOST_CELLS} cells`;
}

function countLines(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', start); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** Rows as text, each ended by a line feed; cells are quoted where they must be. */
export function writeCsv(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => `${cells.map(csvCell).join(',')}\n`).join('');
}
