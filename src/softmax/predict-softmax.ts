import type { SoftmaxModel } from './softmax-model.ts';

/** 2 to the power of every exponent that a byte holds, from -128 on. */
const POWERS = Float64Array.from({ length: 256 }, (_, at) => 2 ** (at - 128));

/**
 * How likely each class is, in the order of `classes`; the sum is 1. Features that the model does not know are ignored,
 * and neither their order nor repetition matters.
 */
export function predictSoftmax(model: SoftmaxModel, features: readonly string[]): Float64Array {
  const { weights, exponents, bias } = model;
  const width = bias.length;
  const odds = new Float64Array(bias);
  const rows = findRows(model, features);
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at]!;
    if (at > 0 && row === rows[at - 1]) continue;
    const scale = POWERS[exponents[row]! + 128]!;
    const start = row * width;
    for (let place = 0; place < width; place++) odds[place]! += scale * weights[start + place]!;
  }
  normaliseOdds(odds);
  return odds;
}

/** Ascending: sums are then the same to the last bit in whatever order the features came. */
function findRows({ features: known }: SoftmaxModel, features: readonly string[]): Int32Array {
  const rows = new Int32Array(features.length);
  let found = 0;
  for (const name of features) {
    const row = known.get(name);
    if (row !== undefined) rows[found++] = row;
  }
  return rows.subarray(0, found).sort();
}

/** Turns log-odds into probabilities that sum to 1, in place. */
export function normaliseOdds(odds: Float64Array): void {
  let most = Number.NEGATIVE_INFINITY;
  for (let place = 0; place < odds.length; place++) if (odds[place]! > most) most = odds[place]!;
  let sum = 0;
  for (let place = 0; place < odds.length; place++) {
    const power = Math.exp(odds[place]! - most);
    odds[place] = power;
    sum += power;
  }
  for (let place = 0; place < odds.length; place++) odds[place]! /= sum;
}
