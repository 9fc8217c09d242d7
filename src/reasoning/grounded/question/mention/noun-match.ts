/** Every word of a name is there, if only beside that of its table: the words name nothing else in part. */
export const WHOLE_NAME = 0.97;

/** A thing that words of the question may name. `score` in [0, 1]: 1 is the full name. */
export interface NounMatch {
  readonly kind: 'table' | 'column' | 'metric' | 'dimension';
  /** Canonical id of the table or column; name of the metric or dimension. */
  readonly id: string;
  /** Empty for a metric that stands on several tables. */
  readonly tableId: string;
  readonly score: number;
  readonly why: string;
  /** The column holds yes or no as 1 and 0: "active customers". */
  readonly isFlag?: boolean;
  /** The column holds words, so that nothing is more than it: "more than two allergies" counts. */
  readonly isText?: boolean;
  /** The column tells the rows of its table apart, or nearly. */
  readonly isUnique?: boolean;
  /** The words say that the flag is not set: "closed" for `is_open`. */
  readonly isOpposite?: boolean;
}
