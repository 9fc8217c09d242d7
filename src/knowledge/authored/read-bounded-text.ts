import { isUtf8 } from 'node:buffer';
import { readFile, stat } from 'node:fs/promises';
import { CandorError } from '../../errors.ts';

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
