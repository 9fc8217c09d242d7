import { createHash } from 'node:crypto';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { CandorError } from '../../errors.ts';

const MAGIC = 'GGUF';
const LEAST_VERSION = 2;
const MOST_VERSION = 3;
const HEADER_BYTES = 24;
/** Of either end: names, settings and the tokenizer stand at the beginning, weights at the end. */
const HASHED_BYTES = 4 * 1024 * 1024;

/**
 * Throws `model.not-found` where there is no file, `model.invalid` for one that is no GGUF. Returns a hash of its size
 * and both ends: reading tens of gigabytes only to name a model would take minutes.
 */
export async function checkGgufFile(file: string): Promise<string> {
  const found = await stat(file).catch(() => null);
  if (found === null) throw new CandorError('model.not-found', `there is no file ${file}`);
  if (!found.isFile()) throw new CandorError('model.not-found', `${file} is no file`);
  const handle = await open(file).catch((error: unknown) => {
    throw new CandorError('model.not-found', `${file} cannot be read: ${String(error)}`);
  });
  try {
    const header = await readAt(handle, 0, HEADER_BYTES);
    if (header.length < HEADER_BYTES || header.toString('latin1', 0, 4) !== MAGIC)
      throw new CandorError('model.invalid', `${file} is no GGUF file`);
    const version = header.readUInt32LE(4);
    if (version < LEAST_VERSION || version > MOST_VERSION)
      throw new CandorError('model.invalid', `${file} is GGUF of version ${version}; 2 and 3 are read`);
    const hash = createHash('sha256').update(String(found.size));
    hash.update(await readAt(handle, 0, HASHED_BYTES));
    hash.update(await readAt(handle, Math.max(0, found.size - HASHED_BYTES), HASHED_BYTES));
    return hash.digest('hex').slice(0, 16);
  } finally {
    await handle.close();
  }
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}
