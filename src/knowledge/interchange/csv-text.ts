/** Comma-separated text (RFC 4180), read with the places of its rows and written again. */
import { faultIn } from './foreign-document.ts';

/** Rows of one file and characters of one cell that are read; descriptions of tables stay far below. */
const MOST_ROWS = 1_000_000;
const LONGEST_CELL = 1_000_000;

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
    if (row.cells.length > 1 || row.cells[0] !== '') rows.push({ line, cells: row.cells });
    if (rows.length > MOST_ROWS) throw faultIn(path, text, at, `more than ${MOST_ROWS} rows`);
    line += countLines(text, at, row.end);
    at = row.end;
  }
  return rows;
}

interface ReadPart<T> {
  readonly cells: T;
  /** Offset behind it. */
  readonly end: number;
}

function readRow(text: string, path: string, start: number): ReadPart<readonly string[]> {
  const cells: string[] = [];
  for (let at = start; ; at += 1) {
    const cell = text[at] === '"' ? readQuoted(text, path, at) : readBare(text, at);
    if (cell.cells.length > LONGEST_CELL)
      throw faultIn(path, text, at, `a cell of more than ${LONGEST_CELL} characters`);
    cells.push(cell.cells);
    at = cell.end;
    if (text[at] !== ',') return { cells, end: endOfLine(text, at) };
  }
}

function readBare(text: string, start: number): ReadPart<string> {
  let end = start;
  while (end < text.length && text[end] !== ',' && text[end] !== '\n' && text[end] !== '\r') end += 1;
  return { cells: text.slice(start, end), end };
}

function readQuoted(text: string, path: string, start: number): ReadPart<string> {
  let cell = '';
  for (let at = start + 1; ; ) {
    const quote = text.indexOf('"', at);
    if (quote < 0) throw faultIn(path, text, start, 'this quote does not close');
    cell += text.slice(at, quote);
    if (text[quote + 1] !== '"') {
      // Spreadsheets leave spaces behind the closing quote.
      let end = quote + 1;
      while (text[end] === ' ' || text[end] === '\t') end += 1;
      const next = text[end];
      if (next === undefined || next === ',' || next === '\n' || next === '\r') return { cells: cell, end };
      throw faultIn(path, text, end, 'expected a comma or the end of the line behind the closing quote');
    }
    cell += '"';
    at = quote + 2;
  }
}

function endOfLine(text: string, at: number): number {
  if (text[at] === '\r' && text[at + 1] === '\n') return at + 2;
  return at + 1;
}

function countLines(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', start); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** Rows as text, each ended by a line feed; cells are quoted where they must be. */
export function writeCsv(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => `${cells.map(writeCell).join(',')}\n`).join('');
}

function writeCell(cell: string): string {
  return /[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
