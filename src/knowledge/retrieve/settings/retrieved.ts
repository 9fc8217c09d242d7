/** What is found for a question before anything is written, with the reason of each item and what was left out. */
import type { JargonTerm, Note } from '../../authored/authored.ts';
import type { VerifiedPair } from '../../authored/examples.ts';
import type { Dimension, Metric } from '../../semantic/semantic-model.ts';

/** Something found: `because` are short sentences for people, surest first. */
export interface Found<Item> {
  readonly item: Item;
  /** In [0, 1], comparable within its list only. */
  readonly score: number;
  readonly because: readonly string[];
}

/** A table, or the first of a family: tables of equal columns whose names differ by numbers, a word or the database. */
export interface FoundTable {
  readonly tableId: string;
  readonly family?: TableFamilyFound;
  readonly isCertified: boolean;
  readonly isDeprecated: boolean;
  readonly popularity: number;
}

interface TableFamilyFound {
  /** `ga_sessions_#`, `census_tracts_*`. */
  readonly pattern: string;
  /** Canonical ids, those of the days, numbers and words of the question first, then the newest; cut where there are many. */
  readonly members: readonly string[];
  /** How many of the members the question names. */
  readonly namedCount: number;
  /** Members in all. */
  readonly total: number;
}

export interface FoundColumn {
  readonly columnId: string;
}

/** Stored values of one column that are like words of the question, best first. */
export interface FoundValues {
  readonly columnId: string;
  readonly values: readonly {
    readonly value: string;
    /** The words of the question. */
    readonly keyword: string;
    readonly match: 'exact' | 'folded' | 'stem' | 'similar';
    /** Ratcliff–Obershelp ratio of the lower-case texts. */
    readonly ratio: number;
  }[];
}

export interface FoundExample {
  readonly pair: VerifiedPair;
  /** Below the score that makes an example a good guide. */
  readonly isWeak: boolean;
}

/** A list that was cut: `12 of 4,310 values of orders.city shown`. */
export interface Truncation {
  readonly what: string;
  readonly shown: number;
  readonly total: number;
}

export interface Retrieved {
  readonly tables: readonly Found<FoundTable>[];
  readonly columns: readonly Found<FoundColumn>[];
  readonly values: readonly Found<FoundValues>[];
  readonly examples: readonly Found<FoundExample>[];
  readonly notes: readonly Found<Note>[];
  readonly jargon: readonly JargonTerm[];
  readonly metrics: readonly Found<Metric>[];
  readonly dimensions: readonly Found<Dimension>[];
  readonly truncations: readonly Truncation[];
  /** What did not work and was gone on without: `no vectors: …`. */
  readonly warnings: readonly string[];
}
