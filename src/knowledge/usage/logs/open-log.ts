/** The bytes of a log file, unpacked when it is gzip, from any place on. */
import { createReadStream, type ReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { CandorError } from '../../../errors.ts';
import { readDay } from './lines/read-day.ts';

/** Looked at to know a file and its format again. */
const HEAD_BYTES = 64 * 1024;
const CHUNK_BYTES = 256 * 1024;

export interface OpenedLog {
  readonly path: string;
  /** Of the file as it lies on disk. */
  readonly size: number;
  /** Day the file was last written, YYYY-MM-DD. */
  readonly writtenDay: string;
  readonly isGzip: boolean;
  /** Its first bytes, unpacked. */
  readonly head: Buffer;
}

/** Looks at a log. Throws `usage.unreadable-log` for what is no file of text. */
export async function openLog(path: string): Promise<OpenedLog> {
  const file = await orUnreadable(path, () => open(path, 'r'));
  try {
    const about = await file.stat();
    if (!about.isFile()) throw new CandorError('usage.unreadable-log', `${path} is no file`);
    const isGzip = (await readStart(file, 2)).equals(Buffer.from([0x1f, 0x8b]));
    const head = isGzip ? await unpackStart(path) : await readStart(file, HEAD_BYTES);
    if (head.length >= 2 && (head.readUInt16BE() === 0xfffe || head.readUInt16BE() === 0xfeff)) {
      throw new CandorError('usage.unreadable-log', `${path} is UTF-16, expected UTF-8`);
    }
    const writtenDay = readDay(about.mtimeMs) ?? '1990-01-01';
    return { path, size: about.size, writtenDay, isGzip, head };
  } finally {
    await file.close();
  }
}

export interface LogChunk {
  readonly bytes: Buffer;
  /** Bytes of the file on disk read so far. */
  readonly done: number;
}

/**
 * Its bytes from `offset` (unpacked) on. A packed file that is cut off or damaged throws `usage.unreadable-log` behind
 * the bytes that could be unpacked.
 */
export async function* readChunks(
  log: OpenedLog,
  offset: number,
  signal?: AbortSignal,
): AsyncGenerator<LogChunk> {
  const options = { highWaterMark: CHUNK_BYTES, ...(signal === undefined ? {} : { signal }) };
  const file = createReadStream(log.path, { ...options, ...(log.isGzip ? {} : { start: offset }) });
  try {
    if (!log.isGzip) {
      for await (const bytes of file) yield { bytes, done: offset + file.bytesRead };
      return;
    }
    let left = offset;
    for await (const bytes of unpack(file)) {
      const skipped = Math.min(left, bytes.length);
      left -= skipped;
      if (skipped < bytes.length) yield { bytes: bytes.subarray(skipped), done: file.bytesRead };
    }
  } catch (error) {
    if (signal?.aborted) throw new CandorError('usage.cancelled', `reading ${log.path} was cancelled`);
    throw unreadable(log.path, error);
  } finally {
    file.destroy();
  }
}

async function* unpack(file: ReadStream): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  // An error of the file must reach the loop below, which waits for the unpacked bytes.
  file.on('error', (error) => gunzip.destroy(error));
  try {
    yield* file.pipe(gunzip);
  } finally {
    gunzip.destroy();
  }
}

async function unpackStart(path: string): Promise<Buffer> {
  const file = createReadStream(path, { end: HEAD_BYTES });
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of unpack(file)) {
      pieces.push(piece);
      length += piece.length;
      if (length >= HEAD_BYTES) break;
    }
  } catch {
    // Only the start was given to it, so it ends too soon; a file that is damaged here says so when it is read.
  } finally {
    file.destroy();
  }
  return Buffer.concat(pieces).subarray(0, HEAD_BYTES);
}

async function readStart(file: FileHandle, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0);
  return buffer.subarray(0, bytesRead);
}

async function orUnreadable<Result>(path: string, use: () => Promise<Result>): Promise<Result> {
  try {
    return await use();
  } catch (error) {
    throw unreadable(path, error);
  }
}

function unreadable(path: string, error: unknown): CandorError {
  if (error instanceof CandorError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new CandorError('usage.unreadable-log', `cannot read ${path}: ${reason}`, { cause: error });
}
