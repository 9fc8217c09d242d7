import { createHash } from 'node:crypto';
import { z } from 'zod';
import { CandorError } from '../errors.ts';
import { parseModelText } from '../parse-model-text.ts';
import { findTreeFault } from './find-tree-fault.ts';
import type { TreeModel } from './tree-model.ts';

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

const SPLITS = z.array(z.number()).max(MOST_SPLITS);
const REFERENCES = z.array(z.int()).max(MOST_SPLITS);
const TREE = z.strictObject({
  feature: REFERENCES,
  threshold: SPLITS,
  missingLeft: z.array(z.int().min(0).max(1)).max(MOST_SPLITS),
  left: REFERENCES,
  right: REFERENCES,
  value: SPLITS,
  leaf: z
    .array(z.number())
    .min(1)
    .max(MOST_SPLITS + 1),
});
const FILE = z.strictObject({
  format: z.literal(FORMAT),
  about: z.string().max(10_000),
  data: z.record(z.string(), z.string().max(1_000)),
  scores: z.record(z.string(), z.number()),
  /** Of the names of the features in their order. */
  featureHash: z.string(),
  /** Of base and trees: a model edited by hand or cut off is refused. */
  modelHash: z.string(),
  features: z.array(z.string().max(200)).min(1).max(MOST_FEATURES),
  base: z.number(),
  trees: z.array(TREE).max(MOST_TREES),
});

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
