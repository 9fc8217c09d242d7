/** The sheets of a spreadsheet as rows with a header. */
import { readFile } from 'node:fs/promises';
import type { CellObject, WorkBook, WorkSheet } from '@e965/xlsx';
import { CandorError } from '../../errors.ts';
import { csvCell } from '../../lib/index.ts';
import { findHeader, type Header, headerNotes } from './csv-text.ts';

export interface Sheet {
  readonly name: string;
  /** With its header, comma-separated; cells as the workbook has them, not as it shows them. */
  readonly csv: string;
  readonly names: readonly string[];
  /** What was decided or could not be read, for people. */
  readonly notes: readonly string[];
}

/** Beyond it the workbook would not fit into memory: a zipped file grows to twenty times its size. */
const MOST_BYTES = 200 * 1024 * 1024;
const MOST_UNPACKED = 1024 * 1024 * 1024;
const MOST_COLUMNS = 2_000;

/** The sheets that hold a table, in their order. Throws `database.driver-missing` without the reader of spreadsheets. */
export async function readWorkbook(path: string): Promise<Sheet[]> {
  const { read, utils } = await import('@e965/xlsx').catch(orMissing);
  const bytes = await readFile(path);
  if (bytes.length > MOST_BYTES)
    throw new Error(
      `it has ${bytes.length} bytes; a spreadsheet of more than ${MOST_BYTES} is to be saved as CSV`,
    );
  const unpacked = unpackedBytes(bytes);
  if (unpacked > MOST_UNPACKED)
    throw new Error(
      `unpacked it would have ${unpacked} bytes; a spreadsheet of more than ${MOST_UNPACKED} is to be saved as CSV`,
    );
  const options = {
    cellDates: true,
    dense: true,
    cellFormula: true,
    cellHTML: false,
    cellNF: true,
    sheetStubs: true,
  };
  // `raw`: texts of a page of HTML stay what they are; 01234 is no number.
  const workbook: WorkBook = read(bytes, { ...options, raw: true });
  return workbook.SheetNames.flatMap((name, at) => {
    const sheet = workbook.Sheets[name];
    if (sheet === undefined || sheet['!ref'] === undefined) return [];
    const isHidden = (workbook.Workbook?.Sheets?.[at]?.Hidden ?? 0) !== 0;
    const notes = [...(isHidden ? ['the sheet is hidden'] : []), ...lostCells(sheet)];
    keepCodes(sheet);
    fillMerged(sheet, utils.decode_range(sheet['!ref']).e.c);
    const rows = utils.sheet_to_json<unknown[]>(sheet, {
      header: 1,
      raw: true,
      UTC: true,
      blankrows: true,
      defval: null,
    });
    return splitTables(rows.map((row) => row.map(cellText))).flatMap((part, nth, parts) => {
      const table = readTable(part);
      if (table === undefined) return [];
      const several = parts.length > 1 ? [`one of ${parts.length} tables of the sheet`] : [];
      return [
        {
          name: nth === 0 ? name : `${name} ${nth + 1}`,
          ...table,
          notes: [...several, ...notes, ...table.notes],
        },
      ];
    });
  });
}

/** What the directory of a ZIP file says; zero for other files. A spreadsheet packs to a twentieth, a bomb to a thousandth. */
function unpackedBytes(bytes: Buffer): number {
  const end = bytes.lastIndexOf('PK\u0005\u0006', undefined, 'latin1');
  if (bytes.toString('latin1', 0, 2) !== 'PK' || end < 0 || end + 20 > bytes.length) return 0;
  let total = 0;
  for (let at = bytes.readUInt32LE(end + 16); at + 46 <= end && bytes.readUInt32LE(at) === 0x02014b50; ) {
    total += bytes.readUInt32LE(at + 24);
    at += 46 + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return total;
}

/** Cells that show something which is no value: they are empty in the table, and that is said. */
function lostCells(sheet: WorkSheet): string[] {
  let errors = 0;
  let unknown = 0;
  for (const row of sheet['!data'] ?? [])
    for (const cell of (row ?? []) as (CellObject | undefined)[]) {
      if (cell?.t === 'e') errors += 1;
      else if (cell?.f !== undefined && (cell.v === undefined || cell.t === 'z')) unknown += 1;
    }
  return [
    ...(errors > 0 ? [`${errors} cells show an error such as #REF! and are empty here`] : []),
    ...(unknown > 0
      ? [
          `${unknown} cells have a formula whose result is not in the file and are empty here; save it once in a spreadsheet program`,
        ]
      : []),
  ];
}

type Texts = readonly (readonly string[])[];

/** Several tables of a sheet: side by side with an empty column between, or one below the other with an empty row between and a header of its own. */
function splitTables(rows: Texts): Texts[] {
  const width = Math.min(MOST_COLUMNS, Math.max(0, ...rows.map(filledWidth)));
  const isEmpty = (column: number): boolean => rows.every((row) => (row[column] ?? '') === '');
  const parts: Texts[] = [];
  let start = 0;
  for (let column = 0; column <= width; column += 1) {
    if (column < width && !isEmpty(column)) continue;
    if (column > start) parts.push(rows.map((row) => row.slice(start, column)));
    start = column + 1;
  }
  const tables = parts.filter((part) => part.filter((row) => filledWidth(row) > 1).length > 1);
  // A margin, or a remark beside the table, does not split it.
  const isSplit = tables.length > 1 && tables.every((part) => findHeader(part).hasHeader);
  return (isSplit ? tables : [rows]).flatMap(splitBelow);
}

function splitBelow(rows: Texts): Texts[] {
  const blocks: string[][][] = [[]];
  for (const row of rows) {
    if (filledWidth(row) > 0) blocks.at(-1)!.push([...row]);
    else if (blocks.at(-1)!.length > 0) blocks.push([]);
  }
  const tables = blocks.filter((block) => block.filter((row) => filledWidth(row) > 1).length > 1);
  const [first, ...others] = tables;
  const isSplit = others.length > 0 && others.every((block) => isOtherTable(block, first!));
  return isSplit ? tables : [rows];
}

/** A gap between the rows of one table does not split it: another one has a header of its own, and other columns. */
function isOtherTable(block: Texts, first: Texts): boolean {
  const own = findHeader(block);
  const other = findHeader(first);
  return (
    own.hasHeader &&
    own.names.join('\n') !== other.names.join('\n') &&
    kindsOf(block, own) !== kindsOf(first, other)
  );
}

/** Which columns hold numbers, below the header and in it. */
function kindsOf(rows: Texts, { first, names }: Header): string {
  const body = rows.slice(first);
  return names.map((_, column) => body.some((row) => /^-?\d[\d.,-]*$/.test(row[column] ?? ''))).join();
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

/** A number that is shown with zeros in front is a code: a postcode, an article. */
function keepCodes(sheet: WorkSheet): void {
  for (const row of sheet['!data'] ?? [])
    for (const cell of (row ?? []) as (CellObject | undefined)[])
      if (cell?.t === 'n' && typeof cell.z === 'string' && /^0{2,}$/.test(cell.z)) {
        cell.v = String(cell.v).padStart(cell.z.length, '0');
        cell.t = 's';
      }
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

function readTable(texts: Texts): Omit<Sheet, 'name'> | undefined {
  const header = findHeader(texts);
  const width = Math.max(0, ...texts.slice(header.above).map(filledWidth));
  const body = texts.slice(header.first).filter((row) => filledWidth(row) > 0);
  if (width === 0 || width > MOST_COLUMNS || (body.length === 0 && !header.hasHeader)) return undefined;
  // A column without a name and without values is a margin.
  const kept = Array.from({ length: width }, (_, column) => column).filter(
    (column) => (header.names[column] ?? '') !== '' || body.some((row) => (row[column] ?? '') !== ''),
  );
  const named = kept.map((column) => header.names[column] || `column ${column + 1}`);
  const lines = [named, ...body.map((row) => kept.map((column) => row[column] ?? ''))];
  const csv = lines.map((line) => line.map(csvCell).join(',')).join('\n');
  return { csv, names: named, notes: headerNotes(header) };
}

function filledWidth(row: readonly string[]): number {
  return row.findLastIndex((cell) => cell !== '') + 1;
}

function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  if (!(cell instanceof Date)) return String(cell).trim();
  if (Number.isNaN(cell.getTime())) return '';
  const text = cell.toISOString();
  // A time of day or a duration has no date: spreadsheets count it from the last day of 1899.
  const seconds = Math.round((cell.getTime() - Date.UTC(1899, 11, 31)) / 1000);
  if (seconds < 60 * 86_400) return timeText(seconds);
  // A day has no time in a spreadsheet; binary fractions of a day miss midnight by less than a second.
  const rounded = new Date(Math.round(cell.getTime() / 1000) * 1000).toISOString();
  return rounded.endsWith('T00:00:00.000Z') ? rounded.slice(0, 10) : text.slice(0, 19).replace('T', ' ');
}

function timeText(seconds: number): string {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}
