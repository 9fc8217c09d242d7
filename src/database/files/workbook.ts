/** The sheets of a spreadsheet as rows with a header. */
import { readFile } from 'node:fs/promises';
import type { WorkBook, WorkSheet } from '@e965/xlsx';
import { CandorError } from '../../errors.ts';
import { csvCell } from '../../lib/index.ts';
import { findHeader } from './csv-text.ts';

export interface Sheet {
  readonly name: string;
  /** With its header, comma-separated; cells as the workbook has them, not as it shows them. */
  readonly csv: string;
  readonly names: readonly string[];
  /** Rows above the header: titles and the like. */
  readonly skipped: number;
}

/** Beyond it the workbook would not fit into memory: a zipped file grows to twenty times its size. */
const MOST_BYTES = 200 * 1024 * 1024;
const MOST_COLUMNS = 2_000;

/** The sheets that hold a table, in their order. Throws `database.driver-missing` without the reader of spreadsheets. */
export async function readWorkbook(path: string): Promise<Sheet[]> {
  const { read, utils } = await import('@e965/xlsx').catch(orMissing);
  const bytes = await readFile(path);
  if (bytes.length > MOST_BYTES)
    throw new Error(
      `it has ${bytes.length} bytes; a spreadsheet of more than ${MOST_BYTES} is to be saved as CSV`,
    );
  const workbook: WorkBook = read(bytes, {
    cellDates: true,
    dense: true,
    cellFormula: false,
    cellHTML: false,
  });
  return workbook.SheetNames.flatMap((name) => {
    const sheet = workbook.Sheets[name];
    if (sheet === undefined || sheet['!ref'] === undefined) return [];
    fillMerged(sheet, utils.decode_range(sheet['!ref']).e.c);
    const rows = utils.sheet_to_json<unknown[]>(sheet, {
      header: 1,
      raw: true,
      UTC: true,
      blankrows: true,
      defval: null,
    });
    const table = readTable(rows);
    return table === undefined ? [] : [{ name, ...table }];
  });
}

function orMissing(error: unknown): never {
  const isMissing =
    error instanceof Error && /^Cannot find (?:package|module) '@e965\/xlsx/.test(error.message);
  if (!isMissing) throw error;
  throw new CandorError(
    'database.driver-missing',
    'the reader of spreadsheets is not installed; install it with: npm install @e965/xlsx@0.20.3',
  );
}

/** A value that spans cells stands in the first of them only; it holds for each of them. */
function fillMerged(sheet: WorkSheet, lastColumn: number): void {
  const rows = sheet['!data'];
  if (rows === undefined || lastColumn > MOST_COLUMNS) return;
  for (const { s: start, e: end } of sheet['!merges'] ?? []) {
    const value = rows[start.r]?.[start.c];
    // A title over the whole width is no value of the rows below it.
    if (value === undefined || end.r === start.r) continue;
    for (let row = start.r; row <= Math.min(end.r, rows.length - 1); row += 1) {
      const cells = rows[row];
      if (cells !== undefined) cells.fill(value, start.c, end.c + 1);
    }
  }
}

function readTable(rows: readonly (readonly unknown[])[]): Omit<Sheet, 'name'> | undefined {
  const texts = rows.map((row) => row.map(cellText));
  const { at, hasHeader } = findHeader(texts);
  const width = Math.max(0, ...texts.slice(at).map(filledWidth));
  const body = texts.slice(at).filter((row) => filledWidth(row) > 0);
  if (width === 0 || width > MOST_COLUMNS || body.length === 0) return undefined;
  const header = hasHeader ? body.shift()! : [];
  // A column without a name and without values is a margin.
  const kept = Array.from({ length: width }, (_, column) => column).filter(
    (column) => (header[column] ?? '') !== '' || body.some((row) => (row[column] ?? '') !== ''),
  );
  const named = kept.map((column) => header[column] || `column ${column + 1}`);
  const lines = [named, ...body.map((row) => kept.map((column) => row[column] ?? ''))];
  const csv = lines.map((line) => line.map(csvCell).join(',')).join('\n');
  return { csv, names: named, skipped: at };
}

function filledWidth(row: readonly string[]): number {
  return row.findLastIndex((cell) => cell !== '') + 1;
}

function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  if (!(cell instanceof Date)) return String(cell).trim();
  if (Number.isNaN(cell.getTime())) return '';
  const text = cell.toISOString();
  // A day has no time in a spreadsheet; binary fractions of a day miss midnight by less than a second.
  const rounded = new Date(Math.round(cell.getTime() / 1000) * 1000).toISOString();
  return rounded.endsWith('T00:00:00.000Z') ? rounded.slice(0, 10) : text.slice(0, 19).replace('T', ' ');
}
