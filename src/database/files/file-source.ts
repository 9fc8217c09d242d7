/** Which files a `files:` URL names, and which tables they make. */
import { readdirSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { CandorError } from '../../errors.ts';
import { nameWords } from '../../language/index.ts';
import { compareText } from '../../lib/index.ts';
import { quoteText } from '../../sql/dialects/index.ts';

export type FileFormat = 'csv' | 'json' | 'parquet' | 'workbook';

export interface SourceFile {
  readonly path: string;
  readonly format: FileFormat;
  /** Size and time of the last change: a file with another stamp is read again. */
  readonly stamp: string;
}

/** Files that make one table, or a workbook that makes one for each of its sheets. */
export interface FileGroup {
  /** Name of the table; of a workbook with several sheets each has its own. */
  readonly name: string;
  readonly files: readonly SourceFile[];
}

const FORMATS: Readonly<Record<string, FileFormat>> = {
  '.csv': 'csv',
  '.tsv': 'csv',
  '.json': 'json',
  '.jsonl': 'json',
  '.ndjson': 'json',
  '.parquet': 'parquet',
  '.xlsx': 'workbook',
  '.xlsm': 'workbook',
  '.xls': 'workbook',
  '.ods': 'workbook',
};
const SCHEME = 'files:';
const SEPARATOR = ';';
const MOST_FILES = 2_000;
const WILD = /[*?]/;

/**
 * The URL of a path that names data files: a file by its ending, a folder, or a pattern such as `data/*.csv`; several are
 * joined by `;`. Undefined for every other text. Paths in the URL are absolute.
 */
export function filesUrl(text: string, folder: string): string | undefined {
  const isNamed = text.startsWith(SCHEME);
  if (!isNamed && /^[a-z][a-z0-9+.-]+:/i.test(text)) return undefined;
  const paths = (isNamed ? text.slice(SCHEME.length) : text).split(SEPARATOR).filter((path) => path !== '');
  const absolute = paths.map((path) => resolve(folder, path));
  if (!isNamed && !(absolute.length > 0 && absolute.every(holdsData))) return undefined;
  return SCHEME + absolute.join(SEPARATOR);
}

export function isFilesUrl(url: string): boolean {
  return url.startsWith(SCHEME);
}

/** What people call the source: the file or the folder. */
export function nameOfFiles(url: string): string {
  const [first = ''] = pathsOf(url);
  const named = WILD.test(basename(first)) || pathsOf(url).length > 1 ? dirname(first) : first;
  return tableName(formatOf(named) === undefined ? basename(named) : stemOfPath(named)) || 'files';
}

/** The paths of the URL made relative to a folder where they lie in it, so that a project can move. */
export function relativeFiles(url: string, toRelative: (path: string) => string): string {
  return SCHEME + pathsOf(url).map(toRelative).join(SEPARATOR);
}

/** Throws `database.not-found` where nothing is there, and `database.not-a-database` where nothing of it holds tables. */
export function listFiles(url: string): FileGroup[] {
  const files = pathsOf(url).flatMap(filesAt);
  const unique = [...new Map(files.map((file) => [file.path, file])).values()];
  if (unique.length > MOST_FILES)
    throw new CandorError(
      'database.not-a-database',
      `${unique.length} files are more than the ${MOST_FILES} that one source may have; load them into a database`,
    );
  return group(unique);
}

function pathsOf(url: string): string[] {
  return url.slice(SCHEME.length).split(SEPARATOR);
}

function holdsData(path: string): boolean {
  if (formatOf(path) !== undefined) return true;
  return WILD.test(basename(path)) || statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function formatOf(path: string): FileFormat | undefined {
  return FORMATS[extname(path.toLowerCase().replace(/\.gz$/, ''))];
}

function filesAt(path: string): SourceFile[] {
  const isPattern = WILD.test(basename(path));
  const folder = isPattern ? dirname(path) : path;
  const info = statSync(folder, { throwIfNoEntry: false });
  if (info === undefined) throw new CandorError('database.not-found', `there is no file or folder ${folder}`);
  if (!info.isDirectory()) return [sourceFile(path)];
  const matches = isPattern ? matcherOf(basename(path)) : () => true;
  const names = readdirSync(folder)
    .filter((name) => formatOf(name) !== undefined && !isHidden(name) && matches(name))
    .filter((name) => isReadable(join(folder, name)))
    .sort(compareText);
  if (names.length > 0) return names.map((name) => sourceFile(join(folder, name), 'may be gone'));
  throw new CandorError(
    'database.not-a-database',
    `${isPattern ? 'no file that holds tables matches' : 'no file that holds tables lies in'} ${path}; these are read: ${Object.keys(FORMATS).join(', ')}`,
  );
}

/** Programs keep locks and drafts beside the file that is open: `~$sales.xlsx`, `.~lock.sales.ods#`. */
function isHidden(name: string): boolean {
  return name.startsWith('.') || name.startsWith('~$');
}

function matcherOf(pattern: string): (name: string) => boolean {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  const matcher = new RegExp(`^${source}$`, 'i');
  return (name) => matcher.test(name);
}

/** A link that leads nowhere is said to be one when it is read; a pipe would be waited for for ever. */
function isReadable(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() !== false;
}

function sourceFile(path: string, presence: 'is there' | 'may be gone' = 'is there'): SourceFile {
  const format = formatOf(path);
  if (format === undefined)
    throw new CandorError(
      'database.not-a-database',
      `this file is none that holds tables: ${path}; these are read: ${Object.keys(FORMATS).join(', ')}`,
    );
  const info = statSync(path, { throwIfNoEntry: false });
  if (info === undefined && presence === 'is there')
    throw new CandorError('database.not-found', `there is no file ${path}`);
  if (info?.isFile() === false) throw new CandorError('database.not-a-database', `this is no file: ${path}`);
  // The time of the change of its rights, too: copies may keep size and time, and a file may be opened to its reader.
  return {
    path,
    format,
    stamp: info === undefined ? 'gone' : `${info.size}-${info.mtimeMs}-${info.ctimeMs}`,
  };
}

/** Files whose names differ only in digits (`sales_2023.csv`, `sales_2024.csv`) are asked about as one table. */
function group(files: readonly SourceFile[]): FileGroup[] {
  const groups = new Map<string, SourceFile[]>();
  for (const file of files) {
    const key = file.format === 'workbook' ? file.path : familyOf(file);
    groups.set(key, [...(groups.get(key) ?? []), file]);
  }
  const taken = new Set<string>();
  return [...groups.values()].map((members) => {
    const [first] = members;
    const stem = stemOfPath(first!.path);
    const shared = members.length > 1 ? stem.replace(/\d+/g, ' ') : stem;
    return { name: freeName(tableName(shared) || 'data', taken), files: members };
  });
}

function familyOf({ path, format }: SourceFile): string {
  const stem = stemOfPath(path);
  const family = stem.replace(/\d+/g, '#');
  // A name of digits alone says nothing about what its file holds.
  return `${dirname(path)}\n${format}\n${/\p{L}/u.test(family) ? family.toLowerCase() : stem}`;
}

export function stemOfPath(path: string): string {
  return basename(path)
    .replace(/\.gz$/i, '')
    .replace(/\.[^.]*$/, '');
}

/** A name as SQL likes it: words in small letters with a line between; empty where there is no letter or digit. */
export function tableName(written: string): string {
  return nameWords(written.normalize('NFC')).join('_');
}

/** The name, with a number where it is taken already; it is taken afterwards. */
export function freeName(name: string, taken: Set<string>): string {
  let free = name;
  for (let nth = 2; taken.has(free); nth += 1) free = `${name}_${nth}`;
  taken.add(free);
  return free;
}

/** Files are called `.csv` or `.xls` whatever they hold: exports of SAP are text, and what is sent on was renamed. */
export async function byFormat(group: FileGroup): Promise<FileGroup[]> {
  const byName = new Map<string, SourceFile[]>();
  for (const file of group.files) {
    const format = await trueFormat(file);
    const key = format === 'workbook' ? file.path : format;
    byName.set(key, [...(byName.get(key) ?? []), { ...file, format }]);
  }
  return [...byName.values()].map((files) => ({ name: group.name, files }));
}

async function trueFormat({ path, format }: SourceFile): Promise<FileFormat> {
  const start = await readStart(path, 8);
  if (start.subarray(0, 4).toString('latin1') === 'PAR1') return 'parquet';
  const isZip = start.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004';
  const isCompound = start.subarray(0, 4).toString('hex') === 'd0cf11e0';
  if (format === 'csv') return isZip || isCompound ? 'workbook' : format;
  // Old `.xls` files begin with a record of their own; pages of HTML and XML are read as sheets.
  const isText =
    !isZip &&
    !isCompound &&
    start[0] !== 0x09 &&
    !/^(?:\u00ef\u00bb\u00bf)?\s*</.test(start.toString('latin1'));
  return format === 'workbook' && isText ? 'csv' : format;
}

/** The first bytes of a file. */
export async function readStart(path: string, size: number): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** The engine takes a path for a pattern, also one of a file that is called `export[1].csv`. */
export function quotePath(path: string): string {
  return quoteText(path.replace(/[*?[]/g, '[$&]'), 'duckdb');
}
