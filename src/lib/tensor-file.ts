/**
 * Files of trained models: named arrays of numbers behind a header in JSON, as safetensors lays them out
 * (https://github.com/huggingface/safetensors, which other languages read too). A file names its own hash, so that one that was cut off or
 * edited is refused, and its arrays are views of the bytes as they were read: opening a model parses no numbers.
 */
import { createHash } from 'node:crypto';

export type Numbers =
  | Uint8Array
  | Int8Array
  | Uint16Array
  | Int16Array
  | Uint32Array
  | Int32Array
  | Float32Array
  | Float64Array;

export interface TensorFile {
  /** What is said of the arrays, in words; `hash` is the file's own. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly tensors: Readonly<Record<string, Numbers>>;
}

/** Makes the error for a file that cannot be used, told what is wrong and where. */
export type Refuse = (what: string, cause?: unknown) => Error;

/** By the name that safetensors has for it. All machines that our engines have programs for put the lowest byte first, as the format does. */
const TYPES = {
  F64: Float64Array,
  F32: Float32Array,
  I32: Int32Array,
  U32: Uint32Array,
  I16: Int16Array,
  U16: Uint16Array,
  I8: Int8Array,
  U8: Uint8Array,
} as const;
type TypeName = keyof typeof TYPES;
type View = new (buffer: ArrayBufferLike, begin: number, length: number) => Numbers;

interface Entry {
  readonly dtype: TypeName;
  readonly shape: readonly [number];
  readonly data_offsets: readonly [begin: number, end: number];
}

const LENGTH_BYTES = 8;

/** The bytes of a file; wide numbers come first, so that each array lies where a view of it may begin. */
export function encodeTensors({ metadata, tensors }: TensorFile): Uint8Array {
  const arrays = Object.entries(tensors)
    .map(([name, array]) => ({ name, array }))
    .sort((one, other) => other.array.BYTES_PER_ELEMENT - one.array.BYTES_PER_ELEMENT);
  let end = 0;
  const entries: [string, Entry][] = arrays.map(({ name, array }) => {
    const begin = end;
    end += array.byteLength;
    return [name, { dtype: typeOf(array), shape: [array.length], data_offsets: [begin, end] }];
  });
  const data = new Uint8Array(end);
  for (const [at, { array }] of arrays.entries())
    data.set(
      new Uint8Array(array.buffer, array.byteOffset, array.byteLength),
      entries[at]?.[1].data_offsets[0],
    );
  const { hash: _, ...said } = metadata;
  const hash = hashOf(said, entries, data);
  const json = JSON.stringify({ __metadata__: { ...said, hash }, ...Object.fromEntries(entries) });
  const text = new TextEncoder().encode(json);
  const length = Math.ceil(text.length / LENGTH_BYTES) * LENGTH_BYTES;
  const bytes = new Uint8Array(LENGTH_BYTES + length + end);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(length), true);
  bytes.fill(0x20, LENGTH_BYTES, LENGTH_BYTES + length);
  bytes.set(text, LENGTH_BYTES);
  bytes.set(data, LENGTH_BYTES + length);
  return bytes;
}

/** Reads what `encodeTensors` wrote, at most `most` bytes of it; throws what `refuse` makes for everything else. */
export function decodeTensors(bytes: Uint8Array, most: number, refuse: Refuse): TensorFile {
  if (bytes.length > most) throw refuse(`it has ${bytes.length} bytes; at most ${most} are read`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = bytes.length < LENGTH_BYTES ? Number.POSITIVE_INFINITY : Number(view.getBigUint64(0, true));
  if (length > bytes.length - LENGTH_BYTES) throw refuse('it is no model file, or it was cut off');
  const { metadata, entries } = readHeader(bytes.subarray(LENGTH_BYTES, LENGTH_BYTES + length), refuse);
  // Views begin where their numbers may: in a buffer that others share, the bytes are copied into one of their own.
  const start = bytes.byteOffset + LENGTH_BYTES + length;
  const data =
    start % LENGTH_BYTES === 0 ? bytes.subarray(LENGTH_BYTES + length) : bytes.slice(LENGTH_BYTES + length);
  const { hash, ...said } = metadata;
  let end = 0;
  const tensors: Record<string, Numbers> = {};
  for (const [name, { dtype, shape, data_offsets: offsets }] of entries) {
    const width = TYPES[dtype].BYTES_PER_ELEMENT;
    if (offsets[0] !== end || end % width !== 0 || offsets[1] - end !== shape[0] * width)
      throw refuse(`${name} does not begin or end where it has to`);
    end = offsets[1];
    if (end > data.length) throw refuse('it was cut off');
    const View: View = TYPES[dtype];
    tensors[name] = new View(data.buffer, data.byteOffset + offsets[0], shape[0]);
  }
  if (end !== data.length) throw refuse(`${data.length - end} bytes belong to nothing`);
  if (hash !== hashOf(said, entries, data)) throw refuse('its content is not that of its hash');
  return { metadata: said, tensors };
}

function typeOf(array: Numbers): TypeName {
  const found = Object.entries(TYPES).find(([, type]) => array instanceof type);
  if (found === undefined) throw new TypeError('a tensor is an array of numbers of one type');
  return found[0] as TypeName;
}

function hashOf(said: TensorFile['metadata'], entries: readonly [string, Entry][], data: Uint8Array): string {
  return createHash('sha256')
    .update(JSON.stringify([said, entries]))
    .update(data)
    .digest('hex')
    .slice(0, 16);
}

function readHeader(
  bytes: Uint8Array,
  refuse: Refuse,
): { readonly metadata: Readonly<Record<string, string>>; readonly entries: readonly [string, Entry][] } {
  let header: unknown;
  try {
    header = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw refuse('its header is no JSON', error);
  }
  if (typeof header !== 'object' || header === null) throw refuse('its header is no object');
  const { __metadata__: metadata, ...rest } = header as Readonly<Record<string, unknown>>;
  if (!isTexts(metadata)) throw refuse('its metadata is no object of texts');
  const entries = Object.entries(rest).map(([name, entry]): [string, Entry] => {
    if (!isEntry(entry)) throw refuse(`${name} is no array of a known type`);
    return [name, entry];
  });
  return { metadata, entries };
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((text) => typeof text === 'string')
  );
}

function isEntry(value: unknown): value is Entry {
  if (typeof value !== 'object' || value === null) return false;
  const { dtype, shape, data_offsets: offsets } = value as Readonly<Record<string, unknown>>;
  return typeof dtype === 'string' && Object.hasOwn(TYPES, dtype) && isSizes(shape, 1) && isSizes(offsets, 2);
}

function isSizes(value: unknown, length: number): boolean {
  return (
    Array.isArray(value) &&
    value.length === length &&
    value.every((size) => Number.isSafeInteger(size) && size >= 0)
  );
}

// What model files have in common.

/** The array of a name and a type. */
export function tensorOf<Type extends TypeName>(
  { tensors }: TensorFile,
  name: string,
  type: Type,
  refuse: Refuse,
): InstanceType<(typeof TYPES)[Type]> {
  const array = tensors[name];
  const Wanted = TYPES[type];
  if (!(array instanceof Wanted)) throw refuse(`${name} is no array of ${type}`);
  return array as InstanceType<(typeof TYPES)[Type]>;
}

/** Texts as an array of bytes: a list in JSON. */
export function encodeTexts(texts: readonly string[]): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(texts));
}

export interface TextBounds {
  readonly least?: number;
  readonly most: number;
  /** Characters of one. */
  readonly longest: number;
}

/** Reads what `encodeTexts` wrote under this name. */
export function textsOf(
  file: TensorFile,
  name: string,
  { least = 0, most, longest }: TextBounds,
  refuse: Refuse,
): string[] {
  const texts: unknown = readJson(Buffer.from(tensorOf(file, name, 'U8', refuse)).toString(), name, refuse);
  if (!Array.isArray(texts) || texts.length < least || texts.length > most)
    throw refuse(`${name} is no list of ${least} to ${most} texts`);
  const at = texts.findIndex((text) => typeof text !== 'string' || text.length > longest);
  if (at >= 0) throw refuse(`${name}[${at}] is no text of at most ${longest} characters`);
  return texts;
}

/** What the metadata has in JSON under this name. */
export function metadataOf({ metadata }: TensorFile, name: string, refuse: Refuse): unknown {
  const text = metadata[name];
  if (text === undefined) throw refuse(`${name} is missing`);
  return readJson(text, name, refuse);
}

function readJson(text: string, name: string, refuse: Refuse): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw refuse(`${name} is no JSON`, error);
  }
}

/** Refuses another format, and a version that is not ours. */
export function checkFormat({ metadata }: TensorFile, format: string, refuse: Refuse): void {
  if (metadata.format !== format)
    throw refuse(`its format is ${JSON.stringify(metadata.format ?? 'not said')}; expected "${format}"`);
}
