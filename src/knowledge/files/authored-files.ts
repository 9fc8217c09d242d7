/** Files that people write: read within bounds, and changed without losing what else stands in them. */
import { isUtf8 } from 'node:buffer';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { CandorError, type ErrorCode } from '../../errors.ts';
import { writeWhole } from '../../store/index.ts';

/** What people write by hand is far smaller; a file that is not was put there by mistake. */
const MOST_BYTES = 1_000_000;

/**
 * The text of a file that people write; `undefined` when there is none. Throws `knowledge.invalid` for what is no
 * regular file, is larger than `mostBytes` or is not UTF-8, with the place; `shown` is the name that errors show.
 */
export async function readBoundedText(
  path: string,
  shown: string,
  mostBytes = MOST_BYTES,
): Promise<string | undefined> {
  const entry = await stat(path).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (entry === undefined) return undefined;
  // Reading a pipe could wait for ever.
  if (!entry.isFile()) throw invalid(`${shown} is not a regular file.`);
  if (entry.size > mostBytes)
    throw invalid(
      `${shown}: ${entry.size} bytes; expected ${mostBytes.toLocaleString('en')} at most: split the file.`,
    );
  const bytes = await readFile(path);
  if (!isUtf8(bytes)) throw invalid(`${shown}:${placeOfBadByte(bytes)}: not UTF-8; save the file as UTF-8.`);
  return bytes.toString('utf8');
}

/** `line:column` of the first byte that no UTF-8 text has. */
function placeOfBadByte(bytes: Buffer): string {
  let line = 1;
  for (let from = 0; from < bytes.length; line += 1) {
    const found = bytes.indexOf(0x0a, from);
    const end = found < 0 ? bytes.length : found;
    const part = bytes.subarray(from, end);
    if (!isUtf8(part)) return `${line}:${charactersBefore(part) + 1}`;
    from = end + 1;
  }
  return `${line}:1`;
}

/** Characters of the longest beginning that is UTF-8. */
function charactersBefore(line: Buffer): number {
  let good = 0;
  let bad = line.length;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    // A cut within a character is no fault of the text before it.
    const cut = [0, 1, 2, 3].some((back) => middle >= back && isUtf8(line.subarray(0, middle - back)));
    if (cut) good = middle;
    else bad = middle;
  }
  return line
    .subarray(0, good)
    .toString('utf8')
    .replace(/\uFFFD+$/, '').length;
}

function invalid(message: string): CandorError {
  return new CandorError('knowledge.invalid', message);
}

export interface TextFile {
  /** File name inside the folder. */
  readonly name: string;
  /** `folder/name`, as errors show it. */
  readonly shown: string;
  readonly text: string;
}

/**
 * Reads the files of a folder whose names match, in the order of their names; a missing folder has none.
 * What matches and is no regular file (a folder, a pipe) throws `code`: reading it could wait for ever.
 */
export async function readTextFiles(directory: string, names: RegExp, code: ErrorCode): Promise<TextFile[]> {
  const files: TextFile[] = [];
  for (const name of await listNames(directory, names)) {
    const path = join(directory, name);
    const shown = join(basename(directory), name);
    if (!(await stat(path)).isFile()) throw new CandorError(code, `${shown} is not a regular file.`);
    files.push({ name, shown, text: await readFile(path, 'utf8') });
  }
  return files;
}

async function listNames(directory: string, names: RegExp): Promise<readonly string[]> {
  try {
    return (await readdir(directory)).filter((name) => names.test(name)).sort();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

const TRIES = 5;

/**
 * Replaces a text by what `change` makes of it, all or nothing; a file that is not there is an empty text. When
 * somebody else writes the file meanwhile, their text is changed instead of overwritten; `knowledge.locked` where they
 * never stop.
 */
export async function changeFile(
  path: string,
  shown: string,
  change: (text: string) => string,
  mostBytes?: number,
): Promise<void> {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const before = await readBoundedText(path, shown, mostBytes);
    const after = change(before ?? '');
    if ((await readBoundedText(path, shown, mostBytes)) !== before) continue;
    await writeWhole(path, after);
    return;
  }
  throw new CandorError('knowledge.locked', `${shown} is being written by another program.`);
}
