/**
 * Multinomial logistic regression over features that are there or not: AdaGrad (Duchi, Hazan and Singer 2011) on one
 * example at a time, in an order drawn by seed; the weights are the mean over the later half of the epochs.
 */

import { CandorError } from '../errors.ts';
import { seededRandom } from '../lib/index.ts';
import { normaliseOdds } from './predict-softmax.ts';
import { SOFTMAX_LIMITS } from './softmax-file.ts';
import type { SoftmaxExample, SoftmaxModel } from './softmax-model.ts';
import { checkSoftmaxSettings, type SoftmaxSettings } from './softmax-settings.ts';

/** Squares that every sum starts with: a first step is then no longer than its gradient asks. */
const FIRST_SQUARE = 1;

/**
 * Trains a model. The same examples and settings give the same model to the byte. Throws `softmax.data-invalid` for
 * examples or settings that cannot be learned from.
 */
export function trainSoftmax(
  examples: readonly SoftmaxExample[],
  settings: Partial<SoftmaxSettings> = {},
): SoftmaxModel {
  const checked = checkSoftmaxSettings(settings);
  const data = internExamples(examples, checked.minCount);
  const descent = new Descent(data, checked);
  const random = seededRandom(checked.seed);
  const order = Int32Array.from(data.labels, (_, at) => at);
  for (let epoch = 0; epoch < checked.epochs; epoch++) {
    shuffle(order, random);
    for (const example of order) descent.step(example);
    if (epoch >= Math.floor(checked.epochs / 2)) descent.addToMean();
  }
  const { classes, names } = data;
  return quantiseWeights({ classes, names, ...descent.mean() }, checked);
}

/** Fisher and Yates: every order is equally likely. */
function shuffle(order: Int32Array, random: () => number): void {
  for (let last = order.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    const held = order[last]!;
    order[last] = order[other]!;
    order[other] = held;
  }
}

class Descent {
  readonly #weights: Float32Array;
  readonly #bias: Float64Array;
  /** Sums over the epochs that count: single steps still go to and fro, their mean does not. */
  readonly #weightSums: Float32Array;
  readonly #biasSums: Float64Array;
  #summed = 0;
  readonly #data: InternedExamples;
  readonly #rate: number;
  /** By feature, its share of the L2 of an epoch in each example that has it: others leave its weights alone. */
  readonly #shrink: Float64Array;
  readonly #squares: Float32Array;
  readonly #biasSquares: Float64Array;
  /** First the probabilities, then the gradient of the example at hand. */
  readonly #slope: Float64Array;

  constructor(data: InternedExamples, { learningRate, l2 }: SoftmaxSettings) {
    const { classes, names, counts } = data;
    this.#data = data;
    this.#rate = learningRate;
    this.#weights = new Float32Array(names.length * classes.length);
    this.#squares = new Float32Array(this.#weights.length).fill(FIRST_SQUARE);
    this.#weightSums = new Float32Array(this.#weights.length);
    this.#bias = firstBias(data);
    this.#biasSums = new Float64Array(classes.length);
    this.#biasSquares = new Float64Array(classes.length).fill(FIRST_SQUARE);
    this.#slope = new Float64Array(classes.length);
    this.#shrink = Float64Array.from(counts, (count) => l2 / count);
  }

  step(example: number): void {
    const { starts, rows, labels, weights: importance } = this.#data;
    const [weights, slope] = [this.#weights, this.#slope];
    const width = slope.length;
    const [from, to] = [starts[example]!, starts[example + 1]!];
    slope.set(this.#bias);
    for (let at = from; at < to; at++) {
      const start = rows[at]! * width;
      for (let place = 0; place < width; place++) slope[place]! += weights[start + place]!;
    }
    normaliseOdds(slope);
    slope[labels[example]!]! -= 1;
    for (let place = 0; place < width; place++) slope[place]! *= importance[example]!;
    this.#moveBias();
    for (let at = from; at < to; at++) this.#moveRow(rows[at]!);
  }

  /** Takes the weights as they are now into the mean. */
  addToMean(): void {
    this.#summed++;
    for (let at = 0; at < this.#weights.length; at++) this.#weightSums[at]! += this.#weights[at]!;
    for (let at = 0; at < this.#bias.length; at++) this.#biasSums[at]! += this.#bias[at]!;
  }

  mean(): { readonly weights: Float32Array; readonly bias: Float64Array } {
    const weights = this.#weightSums.map((sum) => sum / this.#summed);
    return { weights, bias: this.#biasSums.map((sum) => sum / this.#summed) };
  }

  #moveBias(): void {
    const [slope, squares] = [this.#slope, this.#biasSquares];
    for (let place = 0; place < slope.length; place++) {
      const gradient = slope[place]!;
      squares[place]! += gradient * gradient;
      this.#bias[place]! -= (this.#rate * gradient) / Math.sqrt(squares[place]!);
    }
  }

  #moveRow(row: number): void {
    const [weights, squares] = [this.#weights, this.#squares];
    const [slope, rate] = [this.#slope, this.#rate];
    const shrink = this.#shrink[row]!;
    const width = slope.length;
    const start = row * width;
    for (let place = 0; place < width; place++) {
      const at = start + place;
      const weight = weights[at]!;
      const gradient = slope[place]! + shrink * weight;
      const square = squares[at]! + gradient * gradient;
      squares[at] = square;
      weights[at] = weight - (rate * gradient) / Math.sqrt(square);
    }
  }
}

/** Log-odds of the labels alone, where training would come to without features. */
function firstBias({ classes, labels, weights }: InternedExamples): Float64Array {
  const sums = new Float64Array(classes.length);
  for (const [example, place] of labels.entries()) sums[place]! += weights[example]!;
  return sums.map((sum) => Math.log(sum));
}

/** Examples as numbers: features are rows, labels are places in `classes`. */
interface InternedExamples {
  readonly classes: readonly string[];
  /** Of the features that are kept, ascending. */
  readonly names: readonly string[];
  /** By feature: in how many examples it is. */
  readonly counts: Int32Array;
  /** Example i has the features `rows[starts[i]]` up to, not including, `rows[starts[i + 1]]`, ascending. */
  readonly starts: Int32Array;
  readonly rows: Int32Array;
  readonly labels: Int32Array;
  readonly weights: Float64Array;
}

/** Keeps every sum of weights finite. */
const MOST_WEIGHT = 1e9;

/**
 * Looks the examples through and names everything by numbers once; features in fewer than `minCount` examples are left
 * out. Names are numbered in their own order, not in that of the examples. Throws `softmax.data-invalid`.
 */
function internExamples(given: readonly SoftmaxExample[], minCount: number): InternedExamples {
  given.forEach(({ weight = 1 }, at) => {
    if (!(weight >= 0 && weight <= MOST_WEIGHT))
      throw invalid(`the weight of example ${at} is ${weight}; expected 0 to ${MOST_WEIGHT}`);
  });
  const examples = given.filter(({ weight = 1 }) => weight > 0);
  const classes = [...new Set(examples.map(({ label }) => label))].sort();
  checkNames('class', classes, SOFTMAX_LIMITS.classes);
  // With one class alone its log-odds have no end.
  if (classes.length < 2)
    throw invalid(`the examples with a weight above 0 have ${classes.length} labels; expected 2 or more`);
  const seen = numberFeatures(examples);
  const names = [...seen.ids].flatMap(([name, id]) => ((seen.counts[id] ?? 0) >= minCount ? [name] : []));
  names.sort();
  checkNames('feature', names, SOFTMAX_LIMITS.features);
  if (names.length * classes.length > SOFTMAX_LIMITS.weights)
    throw invalid(
      `${names.length} features times ${classes.length} classes are more than ${SOFTMAX_LIMITS.weights} weights; a higher minCount keeps fewer features`,
    );
  const idOf = (name: string): number => seen.ids.get(name) ?? 0;
  const rowOf = new Int32Array(seen.ids.size).fill(-1);
  for (const [row, name] of names.entries()) rowOf[idOf(name)] = row;
  const placeOf = new Map(classes.map((name, place) => [name, place]));
  return {
    classes,
    names,
    counts: Int32Array.from(names, (name) => seen.counts[idOf(name)] ?? 0),
    ...layOut(seen, rowOf),
    labels: Int32Array.from(examples, ({ label }) => placeOf.get(label) ?? 0),
    weights: Float64Array.from(examples, ({ weight = 1 }) => weight),
  };
}

interface SeenFeatures {
  readonly ids: ReadonlyMap<string, number>;
  /** By id: in how many examples. */
  readonly counts: readonly number[];
  /** Ids of all examples, one example after another, each once an example. */
  readonly all: readonly number[];
  /** Where each example ends in `all`. */
  readonly ends: readonly number[];
}

function numberFeatures(examples: readonly SoftmaxExample[]): SeenFeatures {
  const ids = new Map<string, number>();
  const counts: number[] = [];
  const lastSeen: number[] = [];
  const all: number[] = [];
  const ends: number[] = [];
  for (const [at, { features }] of examples.entries()) {
    for (const name of features) {
      let id = ids.get(name);
      if (id === undefined) {
        id = ids.size;
        ids.set(name, id);
        counts.push(0);
        lastSeen.push(-1);
      }
      if (lastSeen[id] === at) continue;
      lastSeen[id] = at;
      counts[id]! += 1;
      all.push(id);
    }
    ends.push(all.length);
  }
  return { ids, counts, all, ends };
}

function layOut({ all, ends }: SeenFeatures, rowOf: Int32Array): { starts: Int32Array; rows: Int32Array } {
  const starts = new Int32Array(ends.length + 1);
  const rows = new Int32Array(all.length);
  let kept = 0;
  let from = 0;
  for (const [at, end] of ends.entries()) {
    for (; from < end; from++) {
      const row = rowOf[all[from]!]!;
      if (row >= 0) rows[kept++] = row;
    }
    rows.subarray(starts[at], kept).sort();
    starts[at + 1] = kept;
  }
  return { starts, rows: rows.slice(0, kept) };
}

function checkNames(kind: string, names: readonly string[], most: number): void {
  if (names.length > most)
    throw invalid(`there are ${names.length} names of the kind ${kind}; expected ${most} at most`);
  const long = names.find(({ length }) => length > SOFTMAX_LIMITS.name);
  if (long !== undefined)
    throw invalid(
      `the ${kind} ${JSON.stringify(`${long.slice(0, 20)}…`)} has ${long.length} characters; expected ${SOFTMAX_LIMITS.name} at most`,
    );
}

function invalid(message: string): CandorError {
  return new CandorError('softmax.data-invalid', message);
}

/** Weights as training leaves them. */
export interface TrainedWeights {
  readonly classes: readonly string[];
  readonly names: readonly string[];
  /** Row after row, a row a feature. */
  readonly weights: Float32Array;
  readonly bias: Float64Array;
}

const MOST_BYTE = 127;

/**
 * Rounds each feature's weights to bytes times the least power of two that they fit into and `precision` asks for, and drops features
 * whose weights are all nearer to 0 than `minWeight`. Rows are centred first: what all classes share says nothing.
 */
function quantiseWeights(
  { classes, names, weights, bias }: TrainedWeights,
  { minWeight, precision }: Pick<SoftmaxSettings, 'minWeight' | 'precision'>,
): SoftmaxModel {
  const width = classes.length;
  const features = new Map<string, number>();
  const bytes = new Int8Array(weights.length);
  const exponents = new Int8Array(names.length);
  for (const [from, name] of names.entries()) {
    const own = centre(weights.subarray(from * width, (from + 1) * width));
    const most = own.reduce((before, weight) => Math.max(before, Math.abs(weight)), 0);
    if (most < minWeight) continue;
    const row = features.size;
    features.set(name, row);
    let exponent = -precision;
    while (MOST_BYTE * 2 ** exponent < most) exponent++;
    exponents[row] = exponent;
    for (let place = 0; place < width; place++)
      bytes[row * width + place] = Math.round(own[place]! / 2 ** exponent);
  }
  return {
    classes,
    features,
    weights: bytes.slice(0, features.size * width),
    exponents: exponents.slice(0, features.size),
    bias: Float32Array.from(centre(bias)),
  };
}

function centre(values: Float32Array | Float64Array): Float64Array {
  let sum = 0;
  for (const value of values) sum += value;
  return Float64Array.from(values, (value) => value - sum / values.length);
}
