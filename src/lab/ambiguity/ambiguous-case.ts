import type { Catalog } from '../../catalog/index.ts';

/** The four kinds of AmbiQT, and ordinary questions, which have no second reading. */
export const AMBIGUITY_KINDS = ['col-synonyms', 'tbl-synonyms', 'tbl-split', 'tbl-agg'] as const;
export type AmbiguityKind = (typeof AMBIGUITY_KINDS)[number];

export interface AmbiguousCase {
  /** `elsewhere`: the schema has two readings of something that the question does not need. */
  readonly kind: AmbiguityKind | 'ordinary' | 'elsewhere';
  readonly database: string;
  readonly question: string;
  /** With both readings in it. */
  readonly catalog: Catalog;
  /** Ids that one part must offer side by side, for each place where the two gold queries part. */
  readonly pairs: readonly (readonly [string, string])[];
}

export interface AmbiguityCases {
  readonly cases: readonly AmbiguousCase[];
  /** Questions whose gold cannot be read, by kind. */
  readonly leftOut: Readonly<Record<string, number>>;
}
