/**
 * A trained model, which is the quantised one: a weight is a byte times a power of two that its feature's weights share,
 * so that it is exact in memory and in a file.
 */
export interface SoftmaxModel {
  /** In ascending order of code units. */
  readonly classes: readonly string[];
  /** Rows ascend with the names. */
  readonly features: FeatureRows;
  /** Row after row, as many bytes in each as there are classes. */
  readonly weights: Int8Array;
  /** By row: a weight is its byte times 2 to the power of this. */
  readonly exponents: Int8Array;
  /** By class: its log-odds where no feature is known. */
  readonly bias: Float32Array;
}

/** The row of each feature: a map, or the part of one that several models look names up in. */
export interface FeatureRows {
  readonly size: number;
  /** In the order of their rows. */
  readonly keys: () => Iterable<string>;
  readonly get: (name: string) => number | undefined;
}

/** One text to learn from: what was seen in it and what it is. */
export interface SoftmaxExample {
  /** What was seen: order and repetition mean nothing. */
  readonly features: readonly string[];
  /** The class it belongs to. */
  readonly label: string;
  /** How much it counts, 0 or more; absent: 1. With 0 it is as if it were not there. */
  readonly weight?: number | undefined;
}
