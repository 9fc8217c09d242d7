/** What an altered question is, and what must happen to it. */

/** What is done to a question. `insert` and the kinds after it change what is asked, `synonym` and `noise` do not. */
export const ALTERATION_KINDS = [
  'insert',
  'number',
  'top-n',
  'value',
  'unstored-value',
  'direction',
  'negation',
  'synonym',
  'noise',
] as const;
export type AlterationKind = (typeof ALTERATION_KINDS)[number];

/** What must come of an altered question. */
type Due =
  /** Not an answer as if the word were not there: it is unknown to the database. */
  | { readonly kind: 'asked'; readonly word: string }
  /** The query changes in the same way as the question. */
  | Changed
  /** Either the query compares with the new value, or the value is asked about: it is stored nowhere. */
  | { readonly kind: 'asked-or-written'; readonly word: string }
  /** The same rows as before. */
  | { readonly kind: 'same' };

export interface Changed {
  readonly kind: 'changed';
  /** The gold altered as the question was. */
  readonly gold: string;
  /** The query of the right answer altered in the same way. */
  readonly sql: string;
  /** What the new query must hold, where no rows can tell: the new number or value. */
  readonly literal?: string;
}

export interface Alteration {
  readonly kind: AlterationKind;
  /** Which of its kind, for people and for figures apart: `before, adjective`. */
  readonly how: string;
  readonly question: string;
  readonly due: Due;
}

/** An alteration that cannot be made with a certain outcome. */
export interface NotMade {
  readonly kind: AlterationKind;
  readonly because: string;
}

/** What a maker gives for one place: variants, best first; of those the first is taken whose rows can tell. */
export type Made = { readonly variants: readonly Alteration[] } | NotMade;
