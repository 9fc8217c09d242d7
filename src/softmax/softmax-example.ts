/** One text to learn from: what was seen in it and what it is. */
export interface SoftmaxExample {
  /** What was seen: order and repetition mean nothing. */
  readonly features: readonly string[];
  /** The class it belongs to. */
  readonly label: string;
  /** How much it counts, 0 or more; absent: 1. With 0 it is as if it were not there. */
  readonly weight?: number | undefined;
}
