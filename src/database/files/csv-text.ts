/** What has to be known of a CSV file before DuckDB reads it: its signs, its separator, where its table begins. */
import { createReadStream, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { analyse } from 'chardet';
import { hashText } from '../../lib/index.ts';

export interface CsvText {
  /** The file as it is named. */
  readonly source: string;
  /** In UTF-8: the file itself, or a copy in the folder for temporary files. */
  readonly path: string;
  /** Of the columns, as the header has them; empty where it has none. */
  readonly names: readonly string[];
  readonly delimiter: string;
  readonly skip: number;
  readonly hasHeader: boolean;
  /** The signs that the file is written in, where they are not UTF-8. */
  readonly encoding?: string;
}

const SAMPLE_BYTES = 256 * 1024;
const LOOKED_AT = 200;
/** Titles above a table are not longer. */
const LONGEST_TITLE = 60;
const DELIMITERS = [',', ';', '\t', '|'] as const;

/** Reads the beginning of the file. `isUtf8` false: the engine has found a place that is not UTF-8. */
export async function openCsv(path: string, folder: string, isUtf8 = true): Promise<CsvText | undefined> {
  const bytes = await readBeginning(path);
  const encoding = encodingOf(bytes, isUtf8);
  const text = new TextDecoder(encoding).decode(bytes);
  const lines = text.split(/\r\n|\r|\n/);
  if (bytes.length === SAMPLE_BYTES) lines.pop();
  if (lines.every((line) => line.trim() === '')) return undefined;
  const delimiter = delimiterOf(lines);
  const cells = lines.map((line) => splitLine(line, delimiter));
  const { at, hasHeader } = findHeader(cells);
  const below = cells.slice(at, at + LOOKED_AT).map((row) => row.length);
  const width = Math.max(hasHeader ? cells[at]!.length : 0, mostFrequent(below) ?? 1);
  // The engine takes the first line end for that of all lines, and finds no others.
  const isRead = encoding === 'utf-8' && !hasMixedEnds(text);
  return {
    source: path,
    path: isRead ? path : await transcode(path, join(folder, `${hashText(path)}.csv`), encoding),
    ...{ delimiter, skip: at, hasHeader },
    names: Array.from({ length: width }, (_, column) =>
      hasHeader ? (cells[at]?.[column] ?? '').trim() : '',
    ),
    ...(encoding !== 'utf-8' && { encoding }),
  };
}

async function readBeginning(path: string): Promise<Buffer> {
  if (!path.toLowerCase().endsWith('.gz')) {
    const file = await open(path);
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(SAMPLE_BYTES), 0, SAMPLE_BYTES, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  }
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
  const zeros = bytes.subarray(0, 1000).filter((byte) => byte === 0).length;
  if (zeros > 100) return bytes[0] === 0 ? 'utf-16be' : 'utf-16le';
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

/** A copy in UTF-8 whose lines end in one way. */
async function transcode(from: string, to: string, encoding: string): Promise<string> {
  const decoder = new TextDecoder(encoding);
  const source: Readable = from.toLowerCase().endsWith('.gz')
    ? createReadStream(from).pipe(createGunzip())
    : createReadStream(from);
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

/** The separator that most lines have equally often, outside of quotes. */
function delimiterOf(lines: readonly string[]): string {
  const looked = lines.filter((line) => line.trim() !== '').slice(0, LOOKED_AT);
  const scores = DELIMITERS.map((delimiter) => {
    const widths = looked.map((line) => splitLine(line, delimiter).length).filter((width) => width > 1);
    const usual = mostFrequent(widths);
    return widths.filter((width) => width === usual).length;
  });
  return DELIMITERS[scores.indexOf(Math.max(...scores))]!;
}

function splitLine(line: string, delimiter: string): string[] {
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (const sign of line) {
    if (sign === '"') isQuoted = !isQuoted;
    else if (sign === delimiter && !isQuoted) {
      cells.push(cell);
      cell = '';
    } else cell += sign;
  }
  return [...cells, cell];
}

interface Header {
  /** Index of the header, or of the first row of values where there is none. */
  readonly at: number;
  readonly hasHeader: boolean;
}

/**
 * The header is the first row that is as wide as the rows below it: a title, a date of export or an empty line above it are
 * narrower. It is no header where one of its cells is a number.
 */
export function findHeader(rows: readonly (readonly string[])[]): Header {
  const filled = rows.slice(0, LONGEST_TITLE).map((row) => row.filter((cell) => cell.trim() !== '').length);
  const usual = mostFrequent(filled.filter((count) => count > 1)) ?? Math.max(0, ...filled);
  if (usual === 0) return { at: 0, hasHeader: false };
  const isWide = (count: number): boolean => count >= 2 && count >= usual * 0.7;
  const found = filled.findIndex(isWide);
  const at = found < 0 ? filled.findIndex((count) => count > 0) : found;
  const cells = (rows[at] ?? []).map((cell) => cell.trim()).filter((cell) => cell !== '');
  const isNamed = cells.every((cell) => /\p{L}/u.test(cell) || /^(?:19|20)\d{2}$/.test(cell));
  const isUnique = new Set(cells).size === cells.length;
  return { at, hasHeader: isNamed && isUnique && rows.length > at + 1 };
}

/** The larger one of two that come equally often. */
function mostFrequent(counts: readonly number[]): number | undefined {
  const times = new Map<number, number>();
  for (const count of counts) times.set(count, (times.get(count) ?? 0) + 1);
  return [...times].sort(([a, timesA], [b, timesB]) => timesB - timesA || b - a)[0]?.[0];
}
