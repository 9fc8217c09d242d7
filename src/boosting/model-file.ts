import { createHash } from 'node:crypto';
import { z } from 'zod';
import { CandorError } from '../errors.ts';
import {
  faultOfList,
  faultOfNumbers,
  type ListFault,
  parseModelText,
  plainCheck,
  textList,
} from '../lib/index.ts';
import { leafReference, type Tree, type TreeModel } from './tree-model.ts';

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

const FORMAT = 'candor-trees 1';
/** Longer texts are not ours; as many characters as 100 models of 100 trees with 31 leaves. */
const MOST_CHARACTERS = 16_000_000;
const MOST_TREES = 10_000;
const MOST_SPLITS = 4_095;
const MOST_FEATURES = 10_000;

/** The lists of a tree, each with its longest and what its numbers are. */
const LISTS: Readonly<
  Record<keyof Tree, readonly [least: number, most: number, (value: number) => boolean]>
> = {
  feature: [0, MOST_SPLITS, Number.isSafeInteger],
  threshold: [0, MOST_SPLITS, () => true],
  missingLeft: [0, MOST_SPLITS, (value) => value === 0 || value === 1],
  left: [0, MOST_SPLITS, Number.isSafeInteger],
  right: [0, MOST_SPLITS, Number.isSafeInteger],
  value: [0, MOST_SPLITS, () => true],
  leaf: [1, MOST_SPLITS + 1, () => true],
};
const TREES = plainCheck<Tree[]>((value) => faultOfList(value, { most: MOST_TREES }, faultOfTree));
const FILE = z.strictObject({
  format: z.literal(FORMAT),
  about: z.string().max(10_000),
  data: z.record(z.string(), z.string().max(1_000)),
  scores: z.record(z.string(), z.number()),
  /** Of the names of the features in their order. */
  featureHash: z.string(),
  /** Of base and trees: a model edited by hand or cut off is refused. */
  modelHash: z.string(),
  features: textList({ least: 1, most: MOST_FEATURES }, 200),
  base: z.number(),
  trees: TREES,
});

function faultOfTree(tree: unknown): ListFault | undefined {
  if (typeof tree !== 'object' || tree === null)
    return { path: [], message: 'Invalid input: expected object' };
  const unknown = Object.keys(tree).find((key) => !(key in LISTS));
  if (unknown !== undefined) return { path: [], message: `Unrecognized key: ${JSON.stringify(unknown)}` };
  for (const [key, [least, most, accepts]] of Object.entries(LISTS)) {
    const fault = faultOfNumbers(Reflect.get(tree, key), { least, most }, accepts);
    if (fault !== undefined) return { path: [key, ...fault.path], message: fault.message };
  }
  return undefined;
}

/**
 * The text of a model file, JSON with a line a tree. Training rounds its numbers, so the text holds them as they are.
 * Throws `boosting.model-invalid` for what `decodeModelFile` would refuse.
 */
export function encodeModelFile({ model, about, data, scores }: ModelFile): string {
  const { features, base } = model;
  const trees = model.trees.map(({ feature, threshold, missingLeft, left, right, value, leaf }) => {
    return { feature, threshold, missingLeft, left, right, value, leaf };
  });
  const hashes = { featureHash: hashOf(features), modelHash: hashOf({ base, trees }) };
  const head = JSON.stringify({ format: FORMAT, about, data, scores, ...hashes, features, base });
  const lines = trees.map((tree) => JSON.stringify(tree));
  const text = `${head.slice(0, -1)},"trees":[\n${lines.join(',\n')}\n]}\n`;
  decodeModelFile(text, 'to be written');
  return text;
}

export interface DecodeOptions {
  /** The features that the caller computes: a model of others is refused. */
  readonly features?: readonly string[];
}

/**
 * Reads the text of a model file; `path` is named in messages only. Throws `boosting.model-invalid` for what is no
 * JSON, of another format, damaged, not a tree, or made for other features than the caller computes.
 */
export function decodeModelFile(text: string, path: string, { features }: DecodeOptions = {}): ModelFile {
  const file = parseModelText(text, FILE, MOST_CHARACTERS, (what, cause) => invalid(path, what, cause));
  const { about, data, scores, base, trees } = file;
  if (file.featureHash !== hashOf(file.features))
    throw invalid(path, 'its features are not those of its hash');
  if (file.modelHash !== hashOf({ base, trees })) throw invalid(path, 'its trees are not those of its hash');
  for (const [at, tree] of trees.entries()) {
    const fault = findTreeFault(tree, file.features.length);
    if (fault !== undefined) throw invalid(path, `trees[${at}]: ${fault}`);
  }
  if (features !== undefined) checkFeatures(file.features, features, path);
  return { model: { features: file.features, base, trees }, about, data, scores };
}

function checkFeatures(found: readonly string[], expected: readonly string[], path: string): void {
  const at = expected.findIndex((name, index) => found[index] !== name);
  if (at < 0 && found.length === expected.length) return;
  const place = at < 0 ? expected.length : at;
  const show = (name: string | undefined): string => (name === undefined ? 'nothing' : JSON.stringify(name));
  throw invalid(path, `features[${place}] is ${show(found[place])}; expected ${show(expected[place])}`);
}

function hashOf(content: unknown): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 16);
}

function invalid(path: string, what: string, cause?: unknown): CandorError {
  return new CandorError('boosting.model-invalid', `cannot use the model ${path}: ${what}`, { cause });
}

/** What keeps the arrays from being one tree that ends for every row, in words; undefined when nothing does. */
export function findTreeFault(tree: Tree, features: number): string | undefined {
  const { feature, threshold, missingLeft, left, right, value, leaf } = tree;
  const splits = feature.length;
  for (const [name, array] of Object.entries({ threshold, missingLeft, left, right, value }))
    if (array.length !== splits)
      return `${name} has length ${array.length}; expected ${splits} as feature has`;
  if (leaf.length !== splits + 1) return `leaf has length ${leaf.length}; expected ${splits + 1}`;
  const seen = new Set<number>();
  for (let split = 0; split < splits; split++) {
    if (!(feature[split]! >= 0 && feature[split]! < features))
      return `feature[${split}] is ${feature[split]}; expected 0 to ${features - 1}`;
    for (const [side, child] of [
      ['left', left[split]!],
      ['right', right[split]!],
    ] as const) {
      const isSplit = child > split && child < splits;
      const isLeaf = child < 0 && leafReference(child) < leaf.length;
      // A child stands after its parent, so that a walk always ends.
      if (!isSplit && !isLeaf) return `${side}[${split}] is ${child}, which is no leaf and no later split`;
      if (seen.has(child)) return `${side}[${split}] is ${child}, which has a parent already`;
      seen.add(child);
    }
  }
  return undefined;
}
