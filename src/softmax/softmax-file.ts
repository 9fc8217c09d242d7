import { createHash } from 'node:crypto';
import { z } from 'zod';
import { CandorError } from '../errors.ts';
import { numberList, parseModelText, textList } from '../lib/index.ts';
import type { SoftmaxModel } from './softmax-model.ts';

/** What a model was trained on, for people. */
export interface SoftmaxProvenance {
  /** Name of the data. */
  readonly data: string;
  readonly licence: string;
  readonly seed: number;
  /** Examples it was trained on. */
  readonly trained: number;
}

/** What a model file holds. */
export interface SoftmaxFile {
  readonly model: SoftmaxModel;
  readonly provenance: SoftmaxProvenance;
}

const SOFTMAX_FORMAT = 'candor-softmax 1';

/** What a model may hold at most: training and the reader of files keep to the same. */
export const SOFTMAX_LIMITS = {
  classes: 10_000,
  features: 1_000_000,
  /** Features times classes, for the memory of training: twelve bytes each. */
  weights: 40_000_000,
  /** Characters of a feature or a class. */
  name: 200,
} as const;

/** The model in a file: bytes stand in base64. */
const CONTENT = z.strictObject({
  classes: textList({ least: 2, most: SOFTMAX_LIMITS.classes }, SOFTMAX_LIMITS.name),
  bias: numberList({ most: SOFTMAX_LIMITS.classes }),
  features: textList({ most: SOFTMAX_LIMITS.features }, SOFTMAX_LIMITS.name),
  exponents: z.string(),
  weights: z.string(),
});
export type SoftmaxContent = Readonly<z.infer<typeof CONTENT>>;

const SOFTMAX_FILE = CONTENT.extend({
  format: z.literal(SOFTMAX_FORMAT),
  provenance: z.strictObject({
    data: z.string().max(10_000),
    licence: z.string().max(10_000),
    seed: z.int().min(0),
    trained: z.int().min(0),
  }),
  /** Of the rest but the format and the provenance: a model edited by hand or cut off is refused. */
  hash: z.string(),
});

export function hashSoftmax({ classes, bias, features, exponents, weights }: SoftmaxContent): string {
  const named = JSON.stringify([classes, bias, features, exponents]);
  return createHash('sha256').update(named).update(weights).digest('hex').slice(0, 16);
}

/** Longer texts are not ours: as many characters as the most weights take, and as much again for names. */
const MOST_CHARACTERS = 100_000_000;

/**
 * Reads the text of a model file; `path` is named in messages only. Throws `softmax.model-invalid` for what is no JSON,
 * of another format, or damaged.
 */
export function readSoftmaxModel(text: string, path = 'file'): SoftmaxFile {
  const file = parseModelText(text, SOFTMAX_FILE, MOST_CHARACTERS, (what, cause) =>
    invalid(path, what, cause),
  );
  const { classes, features, provenance } = file;
  checkDifferent('classes', classes, path);
  const rows = checkDifferent('features', features, path);
  checkLength('bias', file.bias.length, classes.length, path);
  const bias = Float32Array.from(file.bias);
  const wrong = bias.findIndex((value) => !Number.isFinite(value));
  if (wrong >= 0) throw invalid(path, `bias[${wrong}] is too large: ${file.bias[wrong]}`);
  const exponents = decode(file.exponents);
  checkLength('exponents', exponents.length, features.length, path);
  const weights = decode(file.weights);
  checkLength('weights', weights.length, features.length * classes.length, path);
  if (file.hash !== hashSoftmax(file)) throw invalid(path, 'its content is not that of its hash');
  return { model: { classes, features: rows, weights, exponents, bias }, provenance };
}

/** The place of each name. */
function checkDifferent(what: string, names: readonly string[], path: string): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  for (const [at, name] of names.entries()) {
    if (places.has(name)) throw invalid(path, `${what}[${at}] is there before: ${JSON.stringify(name)}`);
    places.set(name, at);
  }
  return places;
}

function checkLength(what: string, found: number, expected: number, path: string): void {
  if (found !== expected) throw invalid(path, `${what} has length ${found}; expected ${expected}`);
}

/** Of its own memory: small buffers of Node share one. */
function decode(base64: string): Int8Array {
  return Int8Array.from(Buffer.from(base64, 'base64'));
}

function invalid(path: string, what: string, cause?: unknown): CandorError {
  return new CandorError('softmax.model-invalid', `cannot use the model ${path}: ${what}`, { cause });
}

/**
 * The text of a model file, JSON with a line a part. A model that is read back predicts the same to the last bit. Throws
 * `softmax.model-invalid` for what `readSoftmaxModel` would refuse.
 */
export function writeSoftmaxModel(model: SoftmaxModel, provenance: SoftmaxProvenance): string {
  const { data, licence, seed, trained } = provenance;
  const features: string[] = [];
  for (const [name, row] of model.features) features[row] = name;
  const content = {
    classes: model.classes,
    bias: [...model.bias],
    features,
    exponents: encode(model.exponents),
    weights: encode(model.weights),
  };
  const head = { format: SOFTMAX_FORMAT, provenance: { data, licence, seed, trained } };
  const parts = Object.entries({
    ...head,
    hash: hashSoftmax({ ...content, classes: [...content.classes] }),
    ...content,
  });
  const lines = parts.map(([name, part]) => `${JSON.stringify(name)}:${JSON.stringify(part)}`);
  const text = `{${lines.join(',\n')}}\n`;
  readSoftmaxModel(text, 'to be written');
  return text;
}

function encode({ buffer, byteOffset, byteLength }: Int8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}
