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
import type { FeatureRows, SoftmaxModel } from './softmax-model.ts';

/** What models were trained on, for people. */
export interface SoftmaxProvenance {
  /** Name of the data. */
  readonly data: string;
  readonly licence: string;
  readonly seed: number;
  /** Examples they were trained on. */
  readonly trained: number;
}

/** What a model file holds: models of the same texts, each under its name. */
export interface SoftmaxFile {
  readonly models: Readonly<Record<string, SoftmaxModel>>;
  readonly provenance: SoftmaxProvenance;
}

const SOFTMAX_FORMAT = 'candor-softmax 2';

/** What a model may hold at most: training and the reader of files keep to the same. */
export const SOFTMAX_LIMITS = {
  classes: 10_000,
  features: 1_000_000,
  /** Features times classes, for the memory of training: twelve bytes each. */
  weights: 40_000_000,
  /** Characters of a feature or a class. */
  name: 200,
} as const;

/** Longer files are not ours: as many bytes as the most weights take, and as much again for names. */
const MOST_BYTES = 100_000_000;

const PROVENANCE = z.strictObject({
  data: z.string().max(10_000),
  licence: z.string().max(10_000),
  seed: z.int().min(0),
  trained: z.int().min(0),
});

/**
 * The bytes of a model file; the names of features stand in it once for all models. Models that are read back predict the same to the last
 * bit. Throws `softmax.model-invalid` for what `decodeSoftmaxModels` would refuse.
 */
export function encodeSoftmaxModels({ models, provenance }: SoftmaxFile): Uint8Array {
  const names = [...new Set(Object.values(models).flatMap(({ features }) => [...features.keys()]))].sort();
  const parts = Object.entries(models).map(([name, model]) => encodeModel(name, model, names));
  const { data, licence, seed, trained } = provenance;
  const bytes = encodeTensors({
    metadata: {
      format: SOFTMAX_FORMAT,
      provenance: JSON.stringify({ data, licence, seed, trained }),
      models: JSON.stringify(Object.keys(models)),
    },
    tensors: { features: encodeTexts(names), ...Object.assign({}, ...parts) },
  });
  decodeSoftmaxModels(bytes, 'to be written');
  return bytes;
}

function encodeModel(
  name: string,
  { classes, features, weights, exponents, bias }: SoftmaxModel,
  names: readonly string[],
): Readonly<Record<string, Numbers>> {
  return {
    [`${name}/classes`]: encodeTexts(classes),
    [`${name}/bias`]: bias,
    [`${name}/knows`]: Uint8Array.from(names, (feature) => Number(features.get(feature) !== undefined)),
    [`${name}/exponents`]: exponents,
    [`${name}/weights`]: weights,
  };
}

/**
 * Reads a model file; `path` is named in messages only. Throws `softmax.model-invalid` for what is of another format, or
 * damaged.
 */
export function decodeSoftmaxModels(bytes: Uint8Array, path: string): SoftmaxFile {
  const refuse: Refuse = (what, cause) =>
    new CandorError('softmax.model-invalid', `cannot use the model ${path}: ${what}`, { cause });
  const file = decodeTensors(bytes, MOST_BYTES, refuse);
  checkFormat(file, SOFTMAX_FORMAT, refuse);
  const provenance = PROVENANCE.safeParse(metadataOf(file, 'provenance', refuse));
  if (!provenance.success) {
    const [issue] = provenance.error.issues;
    throw refuse(`${['provenance', ...(issue?.path ?? [])].join('.')}: ${issue?.message}`);
  }
  const models = z.array(z.string()).safeParse(metadataOf(file, 'models', refuse));
  if (!models.success) throw refuse('models is no list of names');
  const bounds = { most: SOFTMAX_LIMITS.features, longest: SOFTMAX_LIMITS.name };
  const names = textsOf(file, 'features', bounds, refuse);
  checkOrder('features', names, refuse);
  const read = models.data.map((name) => [name, decodeModel(file, name, names, refuse)] as const);
  return { models: Object.fromEntries(read), provenance: provenance.data };
}

function decodeModel(file: TensorFile, name: string, names: readonly string[], refuse: Refuse): SoftmaxModel {
  const bounds = { least: 2, most: SOFTMAX_LIMITS.classes, longest: SOFTMAX_LIMITS.name };
  const classes = textsOf(file, `${name}/classes`, bounds, refuse);
  checkOrder(`${name}/classes`, classes, refuse);
  const bias = tensorOf(file, `${name}/bias`, 'F32', refuse);
  checkLength(`${name}/bias`, bias.length, classes.length, refuse);
  const wrong = bias.findIndex((value) => !Number.isFinite(value));
  if (wrong >= 0) throw refuse(`${name}/bias[${wrong}] is ${bias[wrong]}; expected a finite number`);
  const knows = tensorOf(file, `${name}/knows`, 'U8', refuse);
  checkLength(`${name}/knows`, knows.length, names.length, refuse);
  const features = new SharedRows(names, knows);
  const exponents = tensorOf(file, `${name}/exponents`, 'I8', refuse);
  checkLength(`${name}/exponents`, exponents.length, features.size, refuse);
  const weights = tensorOf(file, `${name}/weights`, 'I8', refuse);
  checkLength(`${name}/weights`, weights.length, features.size * classes.length, refuse);
  return { classes, features, weights, exponents, bias };
}

/** The rows of a model that knows some of the names, which ascend: a question looks up some sixty of twenty thousand. */
class SharedRows implements FeatureRows {
  readonly size: number;
  readonly #names: readonly string[];
  /** By place of a name, its row; below 0 where the model does not know it. */
  readonly #rows: Int32Array;

  constructor(names: readonly string[], knows: Uint8Array) {
    this.#names = names;
    this.#rows = new Int32Array(knows.length);
    let size = 0;
    for (let place = 0; place < knows.length; place++) this.#rows[place] = knows[place] === 0 ? -1 : size++;
    this.size = size;
  }

  readonly get = (name: string): number | undefined => {
    let [low, high] = [0, this.#names.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#names[middle]! < name) low = middle + 1;
      else high = middle;
    }
    const row = this.#names[low] === name ? this.#rows[low]! : -1;
    return row < 0 ? undefined : row;
  };

  readonly keys = (): Iterable<string> => this.#names.filter((_, place) => this.#rows[place]! >= 0);
}

/** Names ascend, so none is there twice. */
function checkOrder(what: string, names: readonly string[], refuse: Refuse): void {
  for (let at = 1; at < names.length; at++)
    if (!(names[at - 1]! < names[at]!)) throw refuse(`${what}[${at}] does not come after the one before`);
}

function checkLength(what: string, found: number, expected: number, refuse: Refuse): void {
  if (found !== expected) throw refuse(`${what} has length ${found}; expected ${expected}`);
}
