import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

export interface Chunk {
  /** SHA-256 of its bytes, hexadecimal. */
  readonly hash: string;
  /** Where it begins in its file. */
  readonly start: number;
  readonly bytes: Buffer;
}

const LEAST = 256 * 1024;
const MOST = 2 * 1024 * 1024;
/** One place in so many ends a chunk. */
const MEAN = 512 * 1024;
const IS_END = MEAN - 1;
/** What the last bytes weigh; the same on every machine, or nothing would be found again. */
const GEAR = makeGear();

/**
 * The parts of a file, cut where the bytes themselves say so: what stands before or behind a change, moved or not, gives the same parts as
 * before. Holds one part in memory.
 */
export async function* chunkFile(path: string): AsyncGenerator<Chunk> {
  let [parts, length, start, weight]: [Buffer[], number, number, number] = [[], 0, 0, 0];
  const take = (): Chunk => {
    const bytes = Buffer.concat(parts, length);
    const chunk = { hash: createHash('sha256').update(bytes).digest('hex'), start, bytes };
    [parts, start, length, weight] = [[], start + length, 0, 0];
    return chunk;
  };
  for await (const part of createReadStream(path, { highWaterMark: LEAST })) {
    const block: Buffer = part;
    let from = 0;
    for (let at = 0; at < block.length; at += 1) {
      weight = ((weight << 1) + (GEAR[block[at]!] ?? 0)) | 0;
      const size = length + at + 1 - from;
      if (size < LEAST || ((weight & IS_END) !== 0 && size < MOST)) continue;
      parts.push(block.subarray(from, at + 1));
      length = size;
      from = at + 1;
      yield take();
    }
    parts.push(block.subarray(from));
    length += block.length - from;
  }
  if (length > 0) yield take();
}

function makeGear(): Int32Array {
  const gear = new Int32Array(256);
  for (let byte = 0; byte < 256; byte += 1)
    gear[byte] = createHash('sha256').update(`candor ${byte}`).digest().readInt32LE();
  return gear;
}
