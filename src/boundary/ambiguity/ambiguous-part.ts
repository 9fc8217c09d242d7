/** A part of a question that two or more things of a schema fit equally well. */
export interface AmbiguousPart {
  /** The words of the question, as written. */
  readonly phrase: string;
  /** Where they stand: UTF-16 offsets, the end exclusive. */
  readonly span: { readonly start: number; readonly end: number };
  readonly kind: 'column' | 'table' | 'join-path' | 'aggregate';
  /** Two to five ways of reading it; the ids are those of the catalog. */
  readonly choices: readonly AmbiguousChoice[];
}

interface AmbiguousChoice {
  /** What a person is shown. */
  readonly label: string;
  readonly ids: readonly string[];
}
