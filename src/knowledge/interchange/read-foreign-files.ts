import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { CandorError } from '../../errors.ts';
import { isCompanion } from './conversion/companion.ts';
import type { ForeignFile, InterchangeFormat } from './foreign/conversion.ts';

/** Files looked at below the folders that are named. */
const MAX_ENTRIES = 100_000;
/** Text kept of all files together. */
const MAX_TOTAL_BYTES = 1024 * 1024 * 1024;

/**
 * The files of a format that paths name: a file stands for itself and for the companion beside it, a folder for all
 * the format's files in and below it, in the order of their names. Hidden folders, `node_modules` and links are not
 * entered. Throws `interchange.invalid` for what cannot be read as text.
 */
export async function readForeignFiles(
  format: InterchangeFormat,
  paths: readonly string[],
  cwd: string,
): Promise<ForeignFile[]> {
  const found = new Map<string, string>();
  for (const path of paths) {
    const whole = resolve(cwd, path);
    const stats = await stat(whole).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') throw invalid(`There is no file or folder ${path}.`);
      throw error;
    });
    if (stats.isDirectory()) {
      for (const file of await filesBelow(whole)) {
        const name = relative(whole, file).split(sep).join('/');
        if (format.accepts(name) || isCompanion(name)) found.set(file, name);
      }
    } else {
      found.set(whole, basename(whole));
      for (const name of await readdir(dirname(whole)))
        if (isCompanion(name) && name.split('.')[0] === basename(whole).split('.')[0])
          found.set(join(dirname(whole), name), name);
    }
  }
  return readAll(found, format);
}

async function readAll(
  found: ReadonlyMap<string, string>,
  { legacyEncoding, largestFile = MAX_FOREIGN_BYTES }: InterchangeFormat,
): Promise<ForeignFile[]> {
  const files: ForeignFile[] = [];
  let total = 0;
  for (const [file, path] of found) {
    const stats = await stat(file);
    if (!stats.isFile()) throw invalid(`${path} is not a regular file.`);
    total += stats.size;
    if (stats.size > largestFile || total > MAX_TOTAL_BYTES)
      throw invalid(`${path}: ${Math.ceil(stats.size / 1024 ** 2)} MiB is more than is read.`);
    files.push(decodeForeignText(await readFile(file), path, { legacyEncoding, largestFile }));
  }
  return files;
}

async function filesBelow(folder: string): Promise<string[]> {
  const open = [folder];
  const files: string[] = [];
  let seen = 0;
  for (let at = open.shift(); at !== undefined; at = open.shift()) {
    const entries = await readdir(at, { withFileTypes: true });
    seen += entries.length;
    if (seen > MAX_ENTRIES) throw invalid(`${folder} holds more than ${MAX_ENTRIES} entries.`);
    for (const entry of entries) {
      if (entry.isFile()) files.push(join(at, entry.name));
      if (entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
        open.push(join(at, entry.name));
    }
  }
  return files.sort();
}

function invalid(message: string): CandorError {
  return new CandorError('interchange.invalid', message);
}

/** Largest file that is read, in bytes: a dbt manifest of a large company stays below. */
const MAX_FOREIGN_BYTES = 64 * 1024 * 1024;

export interface DecodeOptions {
  /** What bytes that are no UTF-8 are read as; without it they are refused. */
  readonly legacyEncoding?: ForeignFile['encoding'];
  readonly largestFile?: number;
}

/**
 * The text of a foreign file: UTF-8, with or without a byte order mark. Anything else throws `interchange.invalid`
 * and names the first byte that is none: a guessed encoding would change names without a word. A format whose files
 * are known to come in another encoding names it; the file then says that it was read so.
 */
export function decodeForeignText(bytes: Uint8Array, path: string, options: DecodeOptions = {}): ForeignFile {
  const { legacyEncoding, largestFile = MAX_FOREIGN_BYTES } = options;
  if (bytes.byteLength > largestFile) {
    const [size, most] = [bytes.byteLength, largestFile].map((count) => Math.ceil(count / 1024 ** 2));
    throw new CandorError(
      'interchange.invalid',
      `${path}: ${size} MiB, more than the ${most} MiB that are read.`,
    );
  }
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (isUtf16) throw notUtf8(bytes, path, { at: 0, what: 'this is UTF-16' });
  try {
    // The decoder drops a byte order mark at the start.
    return { path, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    if (legacyEncoding !== undefined)
      return { path, text: new TextDecoder(legacyEncoding).decode(bytes), encoding: legacyEncoding };
    const at = firstBadByte(bytes);
    const shown = (bytes[at] ?? 0).toString(16).padStart(2, '0');
    throw notUtf8(bytes, path, { at, what: `byte ${at} (0x${shown}) is not UTF-8` });
  }
}

/** The place of the byte at which the text stops being UTF-8. */
function firstBadByte(bytes: Uint8Array): number {
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at);
    if (length === 0) return at;
    at += length;
  }
  return bytes.length;
}

/** Length of the well-formed sequence at `at`, 0 where there is none (Unicode 15, table 3-7). */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  const length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  const second = bytes[at + 1] ?? 0;
  const low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  if (length === 0 || second < low || second > high) return 0;
  for (let index = 2; index < length; index += 1) if (((bytes[at + index] ?? 0) & 0xc0) !== 0x80) return 0;
  return length;
}

function notUtf8(
  bytes: Uint8Array,
  path: string,
  { at, what }: { readonly at: number; readonly what: string },
): CandorError {
  const before = bytes.subarray(0, at);
  const line = before.reduce((count, byte) => count + (byte === 0x0a ? 1 : 0), 1);
  const column = at - before.lastIndexOf(0x0a);
  const message = `${path}:${line}:${column}: ${what}; expected a text file in UTF-8.`;
  return new CandorError('interchange.invalid', message, { data: { file: path, line, column, byte: at } });
}
