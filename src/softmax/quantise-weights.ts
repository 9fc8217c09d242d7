import type { SoftmaxModel } from './softmax-model.ts';

/** Weights as training leaves them. */
export interface TrainedWeights {
  readonly classes: readonly string[];
  readonly names: readonly string[];
  /** Row after row, a row a feature. */
  readonly weights: Float32Array;
  readonly bias: Float64Array;
}

const MOST_BYTE = 127;
/** Nothing finer is worth a place: 127 times this is .008. */
const LEAST_EXPONENT = -14;

/**
 * Rounds each feature's weights to bytes times the least power of two that they fit into, and drops features whose
 * weights are all nearer to 0 than `minWeight`. Rows are centred first: what all classes share says nothing.
 */
export function quantiseWeights(
  { classes, names, weights, bias }: TrainedWeights,
  minWeight: number,
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
    let exponent = LEAST_EXPONENT;
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
