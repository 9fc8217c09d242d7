/**
 * A file of lines that carry their own check: it can be cut off anywhere, and only the last line is lost. A line is
 * the hash of the rest, the key and the content as JSON, with tabs between (JSON writes none).
 */
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { ColumnValues } from '../../catalog/index.ts';

/** Where a whole line stands. */
export interface LinePlace {
  readonly path: string;
  readonly offset: number;
  readonly length: number;
}

export interface LogLine extends LinePlace {
  /** Empty for a line that is damaged. */
  readonly key: string;
  /** The line as it stands, with its end. */
  readonly bytes: Buffer;
  readonly isWhole: boolean;
}

const CHUNK_BYTES = 1 << 20;
const HASH_CHARS = 16;
const TAB = 0x09;
const NEWLINE = 0x0a;

/** The line of a key and its content: `writeLine('orders', { rows: 3 })`. */
export function writeLine(key: string, content: unknown): Buffer {
  const rest = `${JSON.stringify(key)}\t${JSON.stringify(content)}`;
  return Buffer.from(`${hashOf(rest)}\t${rest}\n`);
}

/** The content of a whole line; it is ours, so its form is not looked at again. */
export function readContent(bytes: Buffer): unknown {
  const start = bytes.indexOf(TAB, HASH_CHARS + 1) + 1;
  return JSON.parse(bytes.toString('utf8', start));
}

/** All lines of a file in order, damaged ones marked; none when there is no such file. */
export async function* readLines(path: string): AsyncGenerator<LogLine> {
  const file = await openIfThere(path);
  if (file === undefined) return;
  try {
    let rest = Buffer.alloc(0);
    let offset = 0;
    let position = 0;
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, position);
      position += bytesRead;
      const bytes =
        rest.length === 0
          ? chunk.subarray(0, bytesRead)
          : Buffer.concat([rest, chunk.subarray(0, bytesRead)]);
      let start = 0;
      for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
        const line = bytes.subarray(start, end + 1);
        yield toLine(line, path, offset + start);
        start = end + 1;
      }
      rest = bytes.subarray(start);
      offset += start;
      if (bytesRead === 0) break;
    }
    if (rest.length > 0) yield toLine(rest, path, offset);
  } finally {
    await file.close();
  }
}

/** The bytes of one line, or nothing when they are no longer what they were. */
export async function readLineAt({ path, offset, length }: LinePlace): Promise<Buffer | undefined> {
  const file = await openIfThere(path);
  if (file === undefined) return undefined;
  try {
    const bytes = Buffer.alloc(length);
    const { bytesRead } = await file.read(bytes, 0, length, offset);
    return bytesRead === length && toLine(bytes, path, offset).isWhole ? bytes : undefined;
  } finally {
    await file.close();
  }
}

function toLine(bytes: Buffer, path: string, offset: number): LogLine {
  const isEnded = bytes.at(-1) === NEWLINE;
  const place = { path, offset, length: bytes.length, bytes };
  const hash = bytes.toString('latin1', 0, HASH_CHARS);
  const isWhole = isEnded && hash === hashOf(bytes.subarray(HASH_CHARS + 1, -1));
  if (!isWhole) return { ...place, key: '', isWhole };
  const end = bytes.indexOf(TAB, HASH_CHARS + 1);
  const key: unknown = JSON.parse(bytes.toString('utf8', HASH_CHARS + 1, end));
  return typeof key === 'string' ? { ...place, key, isWhole } : { ...place, key: '', isWhole: false };
}

function hashOf(text: string | Buffer): string {
  return createHash('sha256').update(text).digest('hex').slice(0, HASH_CHARS);
}

async function openIfThere(path: string) {
  try {
    return await open(path, 'r');
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) {
      return undefined;
    }
    throw error;
  }
}

// The values of columns as they stand in the derived files, a line for each table.

/** Texts and counts apart: half the characters of pairs. */
interface StoredColumn extends Omit<ColumnValues, 'values'> {
  readonly values: readonly string[];
  readonly counts: readonly number[];
}

export function toStored({ values, ...column }: ColumnValues): StoredColumn {
  return { ...column, values: values.map(([text]) => text), counts: values.map(([, count]) => count) };
}

function fromStored({ values, counts, ...column }: StoredColumn): ColumnValues {
  return { ...column, values: values.map((text, at) => [text, counts[at] ?? 0] as const) };
}

/** The hash that a line begins with. */
export function hashOfLine(line: Buffer): string {
  return line.toString('latin1', 0, line.indexOf(0x09));
}

/** A table's columns with their values. */
export interface StoredTableValues {
  readonly columns: readonly ColumnValues[];
  /** Where the next table begins in the file. */
  readonly end: number;
  /** Of the line; undefined for a damaged one. */
  readonly hash: string | undefined;
}

/** The file of values, table by table. */
export async function* readStoredValues(path: string): AsyncGenerator<StoredTableValues> {
  for await (const { bytes, isWhole, offset, length } of readLines(path)) {
    const end = offset + length;
    if (!isWhole) yield { columns: [], end, hash: undefined };
    else {
      // The hash says that these are the bytes a run of this version has written.
      const columns = (readContent(bytes) as readonly StoredColumn[]).map(fromStored);
      yield { columns, end, hash: hashOfLine(bytes) };
    }
  }
}
