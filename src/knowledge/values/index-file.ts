/**
 * The form of an index in one buffer: a mark, a hash of all that follows, the byte order, the manifest as JSON, then
 * flat arrays. Nothing is decoded on loading: the arrays are views of the buffer.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { CandorError } from '../../errors.ts';
import { type IndexManifest, ManifestSchema } from './index-manifest.ts';

type FlatArray = Uint8Array | Uint32Array | Float64Array;
export type Sections = Readonly<Record<string, FlatArray>>;

export interface UnpackedIndex {
  readonly manifest: IndexManifest;
  readonly sections: Sections;
}

const MAGIC = Buffer.from('CANDORVI');
const HASH_AT = MAGIC.length;
const HASH_BYTES = 32;
const ORDER_AT = HASH_AT + HASH_BYTES;
const LENGTH_AT = ORDER_AT + 4;
const HEADER_AT = LENGTH_AT + 4;
/** Reads as something else where bytes stand the other way round. */
const BYTE_ORDER = 0x01020304;
const ALIGNMENT = 8;
/** Bytes hashed at once; OpenSSL takes at most 2^31. */
const CHUNK = 2 ** 28;

const HeaderSchema = z.object({
  manifest: ManifestSchema,
  sections: z.array(
    z.object({
      name: z.string(),
      type: z.enum(['u8', 'u32', 'f64']),
      offset: z.number(),
      length: z.number(),
    }),
  ),
});

export function packIndex(manifest: IndexManifest, sections: Sections): Uint8Array {
  let offset = 0;
  const entries = Object.entries(sections).map(([name, array]) => {
    const entry = { name, type: typeOf(array), offset, length: array.length };
    offset = align(offset + array.byteLength);
    return entry;
  });
  const header = Buffer.from(JSON.stringify({ manifest, sections: entries }));
  const start = align(HEADER_AT + header.length);
  const file = new Uint8Array(start + offset);
  const view = new DataView(file.buffer);
  file.set(MAGIC);
  new Uint32Array(file.buffer, ORDER_AT, 1)[0] = BYTE_ORDER;
  view.setUint32(LENGTH_AT, header.length, true);
  file.set(header, HEADER_AT);
  for (const [index, array] of Object.values(sections).entries()) {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    file.set(bytes, start + (entries[index]?.offset ?? 0));
  }
  file.set(hashOf(file), HASH_AT);
  return file;
}

/** The index in a buffer, or why it is none: nothing of a buffer that is not whole is used. */
export function unpackIndex(file: Uint8Array): UnpackedIndex | { readonly damage: string } {
  if (file.length < HEADER_AT || !MAGIC.equals(file.subarray(0, HASH_AT)))
    return { damage: 'it is no index' };
  if (!hashOf(file).equals(file.subarray(HASH_AT, ORDER_AT))) return { damage: 'it is damaged or cut off' };
  const view = new DataView(file.buffer, file.byteOffset);
  const order = new Uint32Array(file.buffer, file.byteOffset + ORDER_AT, 1)[0];
  if (order !== BYTE_ORDER) return { damage: 'it was built on another kind of machine' };
  const length = view.getUint32(LENGTH_AT, true);
  const text = Buffer.from(file.buffer, file.byteOffset + HEADER_AT, length).toString('utf8');
  const header = HeaderSchema.safeParse(parseJson(text));
  if (!header.success) return { damage: 'it was written by another version' };
  const start = align(HEADER_AT + length);
  const sections = header.data.sections.map(({ name, type, offset, length }) => [
    name,
    viewOf(type, file, { start: start + offset, length }),
  ]);
  return { manifest: header.data.manifest, sections: Object.fromEntries(sections) };
}

function typeOf(array: FlatArray): 'u8' | 'u32' | 'f64' {
  if (array instanceof Uint32Array) return 'u32';
  return array instanceof Float64Array ? 'f64' : 'u8';
}

function viewOf(
  type: 'u8' | 'u32' | 'f64',
  file: Uint8Array,
  { start, length }: { readonly start: number; readonly length: number },
): FlatArray {
  const at = file.byteOffset + start;
  switch (type) {
    case 'u8':
      return new Uint8Array(file.buffer, at, length);
    case 'u32':
      return new Uint32Array(file.buffer, at, length);
    case 'f64':
      return new Float64Array(file.buffer, at, length);
  }
}

function align(offset: number): number {
  return Math.ceil(offset / ALIGNMENT) * ALIGNMENT;
}

function hashOf(file: Uint8Array): Buffer {
  const hash = createHash('sha256');
  for (let at = ORDER_AT; at < file.length; at += CHUNK) hash.update(file.subarray(at, at + CHUNK));
  return hash.digest();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** An array of an unpacked index by its name; the hash says that it was written so. */
export function sectionOf<Flat extends FlatArray>(
  sections: Sections,
  name: string,
  kind: new (length: number) => Flat,
): Flat {
  const section = sections[name];
  if (section instanceof kind) return section;
  throw new CandorError('internal.bug', `the value index has no part ${name}`);
}
