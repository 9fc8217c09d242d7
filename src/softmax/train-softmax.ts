/**
 * Multinomial logistic regression over features that are there or not: AdaGrad (Duchi, Hazan and Singer 2011) on one
 * example at a time, in an order drawn by seed; the weights are the mean over the later half of the epochs.
 */
import { seededRandom } from '../seeded-random.ts';
import { type InternedExamples, internExamples } from './intern-examples.ts';
import { normaliseOdds } from './normalise-odds.ts';
import { quantiseWeights } from './quantise-weights.ts';
import type { SoftmaxExample } from './softmax-example.ts';
import type { SoftmaxModel } from './softmax-model.ts';
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
  return quantiseWeights({ classes, names, ...descent.mean() }, checked.minWeight);
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
