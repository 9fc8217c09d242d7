import { z } from 'zod';
import { CandorError } from '../errors.ts';
import {
  checkFormat,
  decodeTensors,
  encodeTensors,
  encodeTexts,
  metadataOf,
  type Numbers,
  type Refuse,
  type TensorFile,
  tensorOf,
  textsOf,
} from '../lib/index.ts';
import { findTreeFault, type Tree, type TreeModel } from './tree-model.ts';

/** What a model file holds beside the model. */
export interface ModelFile {
  readonly model: TreeModel;
  /** What the model tells, what it was trained on and by which command, for people. */
  readonly about: string;
  /** Names and hashes of the data it was trained on. */
  readonly data: Readonly<Record<string, string>>;
  /** How good it was on data it had not seen. */
  readonly scores: Readonly<Record<string, number>>;
}

const FORMAT = 'candor-trees 2';
/** Longer files are not ours; as many bytes as 100 models of 100 trees with 31 leaves. */
const MOST_BYTES = 16_000_000;
const MOST_TREES = 10_000;
const MOST_SPLITS = 4_095;
const MOST_FEATURES = 10_000;

const PROVENANCE = z.strictObject({
  about: z.string().max(10_000),
  data: z.record(z.string(), z.string().max(1_000)),
  scores: z.record(z.string(), z.number()),
});

/**
 * The bytes of a model file. Training rounds its numbers to few digits, which the file holds as they are. Throws
 * `boosting.model-invalid` for what `decodeModelFile` would refuse.
 */
export function encodeModelFile(file: ModelFile): Uint8Array {
  const bytes = encodeTensors({
    metadata: { format: FORMAT, ...provenanceOf(file) },
    tensors: encodeForest(file.model, '', refuser('to be written')),
  });
  decodeModelFile(bytes, 'to be written');
  return bytes;
}

/** What people are told of a model, as the metadata of a file. */
export function provenanceOf({
  about,
  data,
  scores,
}: Pick<ModelFile, 'about' | 'data' | 'scores'>): Readonly<Record<string, string>> {
  return { about, data: JSON.stringify(data), scores: JSON.stringify(scores) };
}

export interface DecodeOptions {
  /** The features that the caller computes: a model of others is refused. */
  readonly features?: readonly string[];
}

/**
 * Reads a model file; `path` is named in messages only. Throws `boosting.model-invalid` for what is of another format,
 * damaged, not a tree, or made for other features than the caller computes.
 */
export function decodeModelFile(bytes: Uint8Array, path: string, options: DecodeOptions = {}): ModelFile {
  const refuse = refuser(path);
  const file = decodeTensors(bytes, MOST_BYTES, refuse);
  checkFormat(file, FORMAT, refuse);
  return { model: decodeForest(file, '', refuse, options), ...readProvenance(file, refuse) };
}

/** The counterpart of `provenanceOf`. */
export function readProvenance(file: TensorFile, refuse: Refuse): Omit<ModelFile, 'model'> {
  const said = PROVENANCE.safeParse({
    about: file.metadata.about,
    data: metadataOf(file, 'data', refuse),
    scores: metadataOf(file, 'scores', refuse),
  });
  if (said.success) return said.data;
  const [issue] = said.error.issues;
  throw refuse(`${issue?.path.join('.')}: ${issue?.message}`);
}

function refuser(path: string): Refuse {
  return (what, cause) =>
    new CandorError('boosting.model-invalid', `cannot use the model ${path}: ${what}`, { cause });
}

// One forest among the arrays of a file: what belongs to it has the same prefix in its name.

/** The lists of a tree that have an entry a split. */
const LISTS = ['feature', 'threshold', 'missingLeft', 'left', 'right', 'value'] as const;

export function encodeForest(
  { features, base, trees }: TreeModel,
  prefix: string,
  refuse: Refuse,
): Readonly<Record<string, Numbers>> {
  const splits = trees.map(({ feature }) => feature.length);
  if (splits.some((count) => count > MOST_SPLITS)) throw refuse(`a tree has more than ${MOST_SPLITS} splits`);
  for (const [at, tree] of trees.entries()) {
    const fault = findTreeFault(tree, features.length);
    if (fault !== undefined) throw refuse(`${prefix}trees[${at}]: ${fault}`);
  }
  const all = (list: keyof Tree): number[] => trees.flatMap((tree) => Array.from(tree[list]));
  const value = encodeDecimals(all('value'), `${prefix}value`, refuse);
  const leaf = encodeDecimals(all('leaf'), `${prefix}leaf`, refuse);
  return {
    [`${prefix}features`]: encodeTexts(features),
    [`${prefix}base`]: Float64Array.of(base),
    [`${prefix}splits`]: Uint16Array.from(splits),
    [`${prefix}feature`]: Uint16Array.from(all('feature')),
    [`${prefix}threshold`]: Float64Array.from(all('threshold')),
    [`${prefix}missingLeft`]: Uint8Array.from(all('missingLeft')),
    [`${prefix}left`]: Int16Array.from(all('left')),
    [`${prefix}right`]: Int16Array.from(all('right')),
    [`${prefix}value`]: value.digits,
    [`${prefix}value places`]: value.places,
    [`${prefix}leaf`]: leaf.digits,
    [`${prefix}leaf places`]: leaf.places,
  };
}

/** The counterpart of `encodeForest`, with everything checked that scoring relies on. */
export function decodeForest(
  file: TensorFile,
  prefix: string,
  refuse: Refuse,
  options: DecodeOptions = {},
): TreeModel {
  const bounds = { least: 1, most: MOST_FEATURES, longest: 200 };
  const features = textsOf(file, `${prefix}features`, bounds, refuse);
  if (options.features !== undefined) checkFeatures(features, options.features, refuse);
  const base = tensorOf(file, `${prefix}base`, 'F64', refuse);
  if (base.length !== 1 || !Number.isFinite(base[0])) throw refuse(`${prefix}base is no number`);
  const splits = tensorOf(file, `${prefix}splits`, 'U16', refuse);
  if (splits.length > MOST_TREES)
    throw refuse(`it has ${splits.length} trees; at most ${MOST_TREES} are read`);
  const lists = {
    feature: tensorOf(file, `${prefix}feature`, 'U16', refuse),
    threshold: tensorOf(file, `${prefix}threshold`, 'F64', refuse),
    missingLeft: tensorOf(file, `${prefix}missingLeft`, 'U8', refuse),
    left: tensorOf(file, `${prefix}left`, 'I16', refuse),
    right: tensorOf(file, `${prefix}right`, 'I16', refuse),
    value: decimalsOf(file, `${prefix}value`, refuse),
    leaf: decimalsOf(file, `${prefix}leaf`, refuse),
  };
  const all = splits.reduce((sum, count) => sum + count, 0);
  for (const name of LISTS) checkLength(`${prefix}${name}`, lists[name].length, all, refuse);
  checkLength(`${prefix}leaf`, lists.leaf.length, all + splits.length, refuse);
  return { features, base: base[0] ?? 0, trees: cutIntoTrees(lists, splits, features.length, refuse) };
}

function decimalsOf(file: TensorFile, name: string, refuse: Refuse): Float64Array {
  const digits =
    file.tensors[name] instanceof Int16Array
      ? tensorOf(file, name, 'I16', refuse)
      : tensorOf(file, name, 'I32', refuse);
  const places = tensorOf(file, `${name} places`, 'I8', refuse);
  checkLength(`${name} places`, places.length, digits.length, refuse);
  return decodeDecimals(digits, places);
}

function cutIntoTrees(
  lists: Readonly<Record<keyof Tree, Numbers>>,
  splits: Uint16Array,
  features: number,
  refuse: Refuse,
): Tree[] {
  let start = 0;
  return Array.from(splits, (count, at) => {
    const end = start + count;
    const tree: Tree = {
      feature: lists.feature.subarray(start, end),
      threshold: lists.threshold.subarray(start, end),
      missingLeft: lists.missingLeft.subarray(start, end),
      left: lists.left.subarray(start, end),
      right: lists.right.subarray(start, end),
      value: lists.value.subarray(start, end),
      // A tree has a leaf more than splits.
      leaf: lists.leaf.subarray(start + at, end + at + 1),
    };
    start = end;
    const fault = findTreeFault(tree, features);
    if (fault !== undefined) throw refuse(`trees[${at}]: ${fault}`);
    return tree;
  });
}

function checkFeatures(found: readonly string[], expected: readonly string[], refuse: Refuse): void {
  const at = expected.findIndex((name, index) => found[index] !== name);
  if (at < 0 && found.length === expected.length) return;
  const place = at < 0 ? expected.length : at;
  const show = (name: string | undefined): string => (name === undefined ? 'nothing' : JSON.stringify(name));
  throw refuse(`features[${place}] is ${show(found[place])}; expected ${show(expected[place])}`);
}

function checkLength(what: string, found: number, expected: number, refuse: Refuse): void {
  if (found !== expected) throw refuse(`${what} has length ${found}; expected ${expected}`);
}

/** Numbers in decimal digits: each is its digits over a power of ten. Four digits take a quarter of the bytes of a number of 64 bits, exactly. */
interface Decimals {
  /** Of 16 bits where all fit. */
  readonly digits: Int16Array | Int32Array;
  /** By number: how many digits stand behind the point; below 0 where zeros stand before it. */
  readonly places: Int8Array;
}

/** Throws what `refuse` makes for a number with more digits than 31 bits hold: training rounds all to four. */
function encodeDecimals(numbers: readonly number[], name: string, refuse: Refuse): Decimals {
  const digits = new Int32Array(numbers.length);
  const places = new Int8Array(numbers.length);
  for (const [at, number] of numbers.entries()) {
    const [written = '', exponent] = number.toExponential().split('e');
    const [, behind = ''] = written.split('.');
    digits[at] = Number(written.replace('.', ''));
    places[at] = behind.length - Number(exponent);
  }
  const back = decodeDecimals(digits, places);
  const at = numbers.findIndex((number, index) => back[index] !== number);
  if (at >= 0) throw refuse(`${name}[${at}] is ${numbers[at]}, which has more digits than a file holds`);
  return {
    digits: digits.every((digit) => Math.abs(digit) <= MOST_SHORT) ? Int16Array.from(digits) : digits,
    places,
  };
}

const MOST_SHORT = 32_767;

/** Powers of ten up to this are exact in 64 bits, and one division of two exact numbers gives the very number. */
const EXACT_PLACES = 22;

/** The counterpart of `encodeDecimals`. */
function decodeDecimals(digits: Decimals['digits'], places: Int8Array): Float64Array {
  const numbers = new Float64Array(digits.length);
  for (let at = 0; at < numbers.length; at++) {
    const place = places[at]!;
    if (place >= 0 && place <= EXACT_PLACES) numbers[at] = digits[at]! / 10 ** place;
    else numbers[at] = Number(`${digits[at]}e${-place}`);
  }
  return numbers;
}
