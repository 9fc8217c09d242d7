/**
 * A trained model, which is the quantised one: a weight is a byte times a power of two that its feature's weights share,
 * so that it is exact in memory and in a file.
 */
export interface SoftmaxModel {
  /** In ascending order of code units. */
  readonly classes: readonly string[];
  /** The row of each feature; rows ascend with the names. */
  readonly features: ReadonlyMap<string, number>;
  /** Row after row, as many bytes in each as there are classes. */
  readonly weights: Int8Array;
  /** By row: a weight is its byte times 2 to the power of this. */
  readonly exponents: Int8Array;
  /** By class: its log-odds where no feature is known. */
  readonly bias: Float32Array;
}
