/** Numbers of 32 bits as the bytes that a file keeps. */
import { CandorError } from '../../../errors.ts';

export function toBytes(numbers: Uint32Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}

/** A copy, since bytes of a file need not lie where numbers may. Throws `store.unusable`. */
export function toNumbers(bytes: unknown): Uint32Array {
  const known = readBytes(bytes);
  if (known.length % 4 !== 0) throw new CandorError('store.unusable', 'a stored list of numbers was cut');
  return new Uint32Array(known.slice().buffer);
}

export function readBytes(bytes: unknown): Uint8Array {
  if (bytes instanceof Uint8Array) return bytes;
  throw new CandorError('store.unusable', 'a stored list of numbers is none');
}
