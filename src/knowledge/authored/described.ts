/** What a model guessed of tables, columns and stored codes: kept apart from what people wrote until somebody accepts it. */

export const SURENESS = ['high', 'medium', 'low'] as const;
/** As the model says; nobody has measured it. */
type Sureness = (typeof SURENESS)[number];

/** One statement of a model about one thing. */
export interface Guess {
  /** Canonical id of a table or a column. */
  readonly of: string;
  /** A stored value of the column, which the text explains. */
  readonly value?: string;
  readonly text: string;
  readonly sure: Sureness;
  /** What shows it, in the words of the model. */
  readonly because?: string;
}

/** What is kept of one table, in `knowledge/described.yml`. */
export interface DescribedTable {
  /** Canonical id. */
  readonly table: string;
  /** The model that was asked last. */
  readonly by: string;
  /** Day, YYYY-MM-DD. */
  readonly at: string;
  /** Columns and types as the model saw them, as a hash. */
  readonly catalog: string;
  /** The model was shown no cell; absent: a text may tell stored values. */
  readonly isPrivate?: true;
  readonly guesses: readonly Guess[];
  /** Names of what the model said it does not know: asked about again once the table has changed. */
  readonly unknown: readonly string[];
  /** Names of what somebody rejected: not proposed again. */
  readonly rejected: readonly string[];
  /** `knowledge/described.yml:3`. */
  readonly place: string;
}

/** How people name a guess: `orders`, `orders.status`, `orders.status=O`. */
export function guessName({ of, value }: Pick<Guess, 'of' | 'value'>): string {
  return value === undefined ? of : `${of}=${value}`;
}

/** How texts that people and models read mark what nobody has accepted: in front, where no cut takes it away. */
export function guessedText(text: string): string {
  return `guessed by a model: ${text}`;
}
