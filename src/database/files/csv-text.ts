/** What has to be known of a CSV file before DuckDB reads it: its signs, its separator, where its table begins. */
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { analyse } from 'chardet';
import { hashText } from '../../lib/index.ts';
import { quoteText } from '../../sql/dialects/index.ts';
import { quotePath, readStart, tableName } from './file-source.ts';

export interface CsvText {
  /** The file as it is named. */
  readonly source: string;
  /** In UTF-8: the file itself, or a copy of the same name in a folder for temporary files. */
  readonly path: string;
  /** Of the columns, as the header has them; empty where it has none. */
  readonly names: readonly string[];
  readonly delimiter: string;
  /** What stands before a quote inside of quotes: another quote, or a backslash. */
  readonly escape: string;
  /** Records before the first row of values; a header is one of them. */
  readonly skip: number;
  /** The signs that the file is written in, where they are not UTF-8. */
  readonly encoding?: string;
  /** What was decided about the header, for people. */
  readonly notes: readonly string[];
}

const SAMPLE_BYTES = 256 * 1024;
const LOOKED_AT = 200;
const DELIMITERS = [',', ';', '\t', '|'] as const;
/** Of a file with one column: a sign that no text has. */
const NO_DELIMITER = '\u001f';
const DECLARED = /^sep=(.)\s*$/i;
/** Titles above a table are not longer. */
const LONGEST_TITLE = 60;

/** Reads the beginning of the file. `isUtf8` false: the engine has found a place that is not UTF-8. */
export async function openCsv(path: string, folder: string, isUtf8 = true): Promise<CsvText | undefined> {
  const isPacked = await isGzip(path);
  const bytes = await readBeginning(path, isPacked);
  const encoding = encodingOf(bytes, isUtf8);
  const text = new TextDecoder(encoding).decode(bytes);
  if (text.trim() === '') return undefined;
  const lines = text.split(/\r\n|\r|\n/);
  if (bytes.length === SAMPLE_BYTES) lines.pop();
  const delimiter = delimiterOf(lines);
  const quoteEscape = escapeOf(text);
  const rows = splitRecords(text, delimiter, quoteEscape);
  if (bytes.length === SAMPLE_BYTES) rows.pop();
  // Excel's word about the separator is no row.
  if (DECLARED.test(lines[0]!)) rows[0] = [''];
  const header = findHeader(rows);
  const below = rows.slice(header.first).filter((row) => row.length > 1 || row[0] !== '');
  const names = header.names.map((name) => name.trim());
  const notes = headerNotes(header);
  const usual = mostFrequent(below.slice(0, LOOKED_AT).map((row) => row.length)) ?? 1;
  // R leaves out the name of the column that names its rows.
  if (header.hasHeader && names.length === usual - 1 && areRowNames(below)) {
    names.unshift('');
    notes.push(
      'its header has one name less than its rows have columns: the first column is taken for the names of rows',
    );
  }
  // The engine takes the first line end for that of all lines, and finds no others.
  const isRead =
    encoding === 'utf-8' && !hasMixedEnds(text) && isPacked === path.toLowerCase().endsWith('.gz');
  return {
    source: path,
    path: isRead ? path : await transcode(path, folder, { encoding, isPacked }),
    ...{ delimiter, escape: quoteEscape, skip: header.first, notes },
    names: Array.from({ length: Math.max(names.length, usual) }, (_, column) => names[column] ?? ''),
    ...(encoding !== 'utf-8' && { encoding }),
  };
}

/** Different ones, and a last column that holds something: an empty one is the end of lines that end in a separator. */
function areRowNames(rows: readonly (readonly string[])[]): boolean {
  const first = rows.map((row) => row[0] ?? '');
  return new Set(first).size === first.length && rows.some((row) => row.at(-1) !== '');
}

async function isGzip(path: string): Promise<boolean> {
  const [first, second] = await readStart(path, 2);
  return first === 0x1f && second === 0x8b;
}

async function readBeginning(path: string, isPacked: boolean): Promise<Buffer> {
  if (!isPacked) return readStart(path, SAMPLE_BYTES);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of createReadStream(path).pipe(createGunzip())) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= SAMPLE_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, SAMPLE_BYTES);
}

function encodingOf(bytes: Buffer, isUtf8: boolean): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  // Every second byte of Latin text in UTF-16 is zero.
  const start = bytes.subarray(0, 1000);
  const zeros = start.filter((byte) => byte === 0).length;
  if (zeros > start.length / 4) return bytes[0] === 0 ? 'utf-16be' : 'utf-16le';
  if (isUtf8 && isUtf8Text(bytes)) return 'utf-8';
  const found = analyse(bytes).find(
    ({ name, confidence }) => name !== 'UTF-8' && name !== 'ASCII' && confidence >= 30,
  );
  // What Windows programs write in western Europe, where nothing speaks for another one.
  const name = found === undefined || found.name === 'ISO-8859-1' ? 'windows-1252' : found.name.toLowerCase();
  try {
    return new TextDecoder(name).encoding;
  } catch {
    return 'windows-1252';
  }
}

/** A character may be cut at the end of the sample. */
function isUtf8Text(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

function hasMixedEnds(text: string): boolean {
  const withReturn = text.match(/\r\n/g)?.length ?? 0;
  const all = text.match(/\n/g)?.length ?? 0;
  return (withReturn > 0 && withReturn < all) || (all === 0 && text.includes('\r'));
}

/** A copy in UTF-8 whose lines end in one way; it has the name of the file, which rows of several files are told apart by. */
async function transcode(
  from: string,
  folder: string,
  { encoding, isPacked }: { readonly encoding: string; readonly isPacked: boolean },
): Promise<string> {
  const copies = join(folder, String(hashText(from)));
  await mkdir(copies, { recursive: true, mode: 0o700 });
  const to = join(copies, basename(from).replace(/\.gz$/i, ''));
  const decoder = new TextDecoder(encoding);
  const packed = createReadStream(from);
  const source: Readable = isPacked ? packed.pipe(createGunzip()) : packed;
  const decode = new Transform({
    transform: (chunk: Buffer, _, done) => done(null, withPlainEnds(decoder.decode(chunk, { stream: true }))),
    flush: (done) => done(null, withPlainEnds(decoder.decode())),
  });
  await pipeline(source, decode, createWriteStream(to, { mode: 0o600 }));
  return to;
}

/** A pair that is cut between two chunks makes an empty line, which is left out when it is read. */
function withPlainEnds(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}

/**
 * The separator that most lines have equally often, outside of quotes. A comma between digits alone, or followed by a blank
 * below a header of one word, is none: it belongs to a decimal or to a text.
 */
function delimiterOf(lines: readonly string[]): string {
  const declared = DECLARED.exec(lines[0]!)?.[1];
  if (declared !== undefined) return declared;
  const looked = lines.filter((line) => line.trim() !== '').slice(0, LOOKED_AT);
  const commas = looked.map((line) => line.replace(/"(?:[^"]|"")*"/g, '')).join('\n');
  const others = countsOf(looked, DELIMITERS.slice(1));
  const isWord = /^\s*[\p{L}_][\p{L}\p{N}_]*\s*$/u.test(looked[0] ?? '');
  const isPart =
    commas.includes(',') &&
    (!/,(?!\d)|(?<!\d),/.test(commas)
      ? isWord || Math.max(...others) >= looked.length * 0.8
      : isWord && !/,(?! )/.test(commas));
  const usable = isPart ? DELIMITERS.slice(1) : DELIMITERS;
  const counts = countsOf(looked, usable);
  const most = Math.max(...counts);
  return most === 0 ? NO_DELIMITER : usable[counts.indexOf(most)]!;
}

/** How many lines have the usual number of cells, for each separator. */
function countsOf(lines: readonly string[], delimiters: readonly string[]): number[] {
  return delimiters.map((delimiter) => {
    const widths = lines
      .map((line) => splitRecords(line, delimiter, '"')[0]!.length)
      .filter((width) => width > 1);
    const usual = mostFrequent(widths);
    return widths.filter((width) => width === usual).length;
  });
}

/** A quote inside of quotes is written twice, unless there are some behind a backslash and none that are. */
function escapeOf(text: string): string {
  const hasBackslash = /\\"(?![,;\t|\r\n]|$)/.test(text);
  const hasDouble = /[^,;\t|\r\n"]""[^,;\t|\r\n"]/.test(text);
  return hasBackslash && !hasDouble ? '\\' : '"';
}

/** Records of cells; a quote that opens a cell holds separators and line ends until the one that closes it. */
function splitRecords(text: string, delimiter: string, quoteEscape: string): string[][] {
  const records: string[][] = [];
  let cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at]!;
    if (isQuoted && sign === quoteEscape && text[at + 1] === '"') {
      cell += '"';
      at += 1;
    } else if (sign === '"' && (isQuoted || cell === '')) isQuoted = !isQuoted;
    else if (isQuoted || (sign !== delimiter && sign !== '\n' && sign !== '\r')) cell += sign;
    else {
      cells.push(cell);
      cell = '';
      if (sign === delimiter) continue;
      records.push(cells);
      cells = [];
      if (sign === '\r' && text[at + 1] === '\n') at += 1;
    }
  }
  if (cell !== '' || cells.length > 0) records.push([...cells, cell]);
  return records;
}

export interface Header {
  /** Rows above the header, or above the first row of values where there is none. */
  readonly above: number;
  /** Index of the first row of values. */
  readonly first: number;
  readonly hasHeader: boolean;
  readonly names: readonly string[];
}

type Row = readonly string[];

/** What was decided about the header, for people. */
export function headerNotes({ above, first, hasHeader }: Header): string[] {
  const notes: string[] = [];
  if (above > 0) notes.push(`${above} lines above the header left out`);
  if (!hasHeader) notes.push('no header: columns are called by their place');
  if (first - above > 1) notes.push('two rows of its header read as one');
  return notes;
}

/**
 * The header is the first row that is as wide as the rows below it: a title, a date of export or an empty line above it are
 * narrower. It may have gaps, and a second row: of units, or of years below names that span several of them.
 */
export function findHeader(rows: readonly Row[]): Header {
  const filled = rows.slice(0, LONGEST_TITLE).map(countFilled);
  const usual = mostFrequent(filled.filter((count) => count > 1)) ?? Math.max(0, ...filled);
  if (usual === 0) return { above: 0, first: 0, hasHeader: false, names: [] };
  const found = filled.findIndex((count) => count >= 2 && count >= usual * 0.7);
  const at = found < 0 ? filled.findIndex((count) => count > 0) : found;
  const row = rows[at] ?? [];
  const below = rows.slice(at + 1, at + 1 + LOOKED_AT).filter((cells) => countFilled(cells) > 0);
  const title = rows[at - 1] ?? [];
  if (countFilled(title) >= Math.max(2, usual * 0.5) && title.every((cell) => !/\d/.test(cell))) {
    const years = row.filter((cell) => PERIOD.test(cell.trim())).length;
    if (years > 0 && years >= countFilled(row) - 1)
      return { above: at - 1, first: at + 1, hasHeader: true, names: joinNames(fillRight(title), row) };
    if (!isHeader(row, below)) return { above: at - 1, first: at, hasHeader: true, names: title };
  }
  if (!isHeader(row, below)) return { above: at, first: at, hasHeader: false, names: [] };
  const [units = [], ...values] = below;
  if (areUnits(units, values))
    return { above: at, first: rows.indexOf(units) + 1, hasHeader: true, names: joinNames(row, units) };
  return { above: at, first: at + 1, hasHeader: true, names: row };
}

const NUMBER =
  /^[-+−(]?\s*[$€£¥%]?\s*[-+−]?\d[\d.,'’\s:/-]*(?:[eE][-+]?\d+)?(?:T[\d:.]+Z?)?\s*(?:[$€£¥%]|EUR|USD|GBP|CHF)?\)?$/;
/** A year or a month may head a column of numbers. */
const PERIOD = /^(?:19|20)\d{2}(?:[-/.]\d{1,2})?$|^\d{1,2}[/.](?:19|20)\d{2}$/;

/** Its cells are words, above columns that hold something else where they repeat each other. */
function isHeader(row: Row, below: readonly Row[]): boolean {
  const cells = row.map((cell) => cell.trim());
  const isNamed = cells.every((cell, column) => {
    if (cell === '' || !/\d/.test(cell)) return true;
    if (PERIOD.test(cell)) return !isMostly(below, column, PERIOD);
    return /\p{L}/u.test(cell) && !NUMBER.test(cell);
  });
  const written = cells.filter((cell) => cell !== '');
  if (!isNamed || new Set(written).size === written.length) return isNamed;
  return !cells.some(
    (cell, column) => cell !== '' && below.some((values) => values[column]?.trim() === cell),
  );
}

/** `,EUR,kg` below `Date,Amount,Weight`: words, in columns of numbers alone. */
function areUnits(row: Row, values: readonly Row[]): boolean {
  const isUnit = (cell: string, column: number): boolean =>
    cell.trim() === '' ||
    (/[\p{L}%€$£]/u.test(cell) && !NUMBER.test(cell.trim()) && isMostly(values, column, NUMBER));
  return (
    countFilled(row) > 0 && values.length > 0 && row.some((cell) => cell.trim() === '') && row.every(isUnit)
  );
}

function isMostly(rows: readonly Row[], column: number, form: RegExp): boolean {
  const cells = rows.map((row) => row[column]?.trim() ?? '').filter((cell) => cell !== '');
  return cells.length > 0 && cells.filter((cell) => form.test(cell)).length >= cells.length * 0.8;
}

function joinNames(top: Row, bottom: Row): string[] {
  return Array.from({ length: Math.max(top.length, bottom.length) }, (_, column) => {
    const parts = [top[column] ?? '', bottom[column] ?? '']
      .map((part) => part.trim())
      .filter((part) => part !== '');
    return [...new Set(parts)].join(' ');
  });
}

/** A name that spans columns stands in the first of them. */
function fillRight(row: Row): string[] {
  let last = '';
  return row.map((cell) => (last = cell.trim() || last));
}

function countFilled(row: Row): number {
  return row.filter((cell) => cell.trim() !== '').length;
}

/** The larger one of two that come equally often. */
function mostFrequent(counts: readonly number[]): number | undefined {
  const times = new Map<number, number>();
  for (const count of counts) times.set(count, (times.get(count) ?? 0) + 1);
  return [...times].sort(([a, timesA], [b, timesB]) => timesB - timesA || b - a)[0]?.[0];
}

/** Files of a family may differ in how they are written; the engine reads each kind by a call of its own. */
export function readCsvFiles(texts: readonly CsvText[], columns: readonly string[], options: string): string {
  const layouts = new Map<string, CsvText[]>();
  for (const text of texts) {
    const key = JSON.stringify([text.delimiter, text.escape, text.skip, text.names.map(tableName)]);
    layouts.set(key, [...(layouts.get(key) ?? []), text]);
  }
  const calls = [...layouts.values()].map((alike) => {
    const own = alike === layouts.values().next().value ? columns : orderOf(alike[0]!, texts[0]!, columns);
    return readCsv(alike, own, options);
  });
  if (calls.length === 1) return calls[0]!;
  return `(${calls.map((call) => `SELECT * FROM ${call}`).join(' UNION ALL BY NAME ')})`;
}

/** The columns of the first file in the order in which another one has them. */
function orderOf({ names }: CsvText, first: CsvText, columns: readonly string[]): string[] {
  const left = first.names.map(tableName);
  return names.map((name) => {
    const at = left.indexOf(tableName(name));
    left[at] = '\n';
    return columns[at]!;
  });
}

export function readCsv(texts: readonly CsvText[], columns: readonly string[], options: string): string {
  const [{ delimiter, skip, escape: quoteEscape }] = texts as readonly [CsvText, ...CsvText[]];
  const paths = texts.map(({ path }) => quotePath(path)).join(', ');
  const types = columns.map((name) => `${quoteText(name, 'duckdb')}: 'VARCHAR'`);
  // Nothing is guessed by the engine: what it guesses from the beginning of a file may not hold for the rest.
  return `read_csv([${paths}], auto_detect=false, delim=${quoteText(delimiter, 'duckdb')}, quote='"', escape=${quoteText(quoteEscape, 'duckdb')}, nullstr='', skip=${skip}, header=false, columns={${types.join(', ')}}${options})`;
}
