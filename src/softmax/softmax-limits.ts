/** What a model may hold at most: training and the reader of files keep to the same. */
export const SOFTMAX_LIMITS = {
  classes: 10_000,
  features: 1_000_000,
  /** Features times classes, for the memory of training: twelve bytes each. */
  weights: 40_000_000,
  /** Characters of a feature or a class. */
  name: 200,
} as const;
