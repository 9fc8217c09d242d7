/** Every limit and weight of retrieval in one place. */
import type { Found } from './retrieved.ts';

export interface RetrievalSettings {
  readonly useExamples: boolean;
  readonly useNotes: boolean;
  readonly useJargon: boolean;
  readonly useMetrics: boolean;
  readonly useValues: boolean;
  readonly useVectors: boolean;
  readonly usePopularity: boolean;
  /** Names of tables and columns that stand in the question are a reason of their own. */
  readonly useNames: boolean;
  readonly tables: TableSettings;
  readonly columns: {
    readonly perKeyword: number;
    readonly forQuestion: number;
    readonly forHint: number;
    /** Cosine below which a column is not like the text. */
    readonly leastCosine: number;
    /** Keywords looked up, most telling first. */
    readonly keywords: number;
  };
  readonly examples: { readonly most: number; readonly least: number; readonly strong: number };
  readonly notes: {
    readonly most: number;
    readonly wordsWeight: number;
    readonly structureWeight: number;
    readonly strict: number;
    readonly weak: number;
    readonly least: number;
  };
  readonly jargon: { readonly most: number; readonly characters: number };
  readonly metrics: { readonly most: number; readonly least: number };
}

export interface TableSettings {
  /** Tables or families of tables that are kept (K1). */
  readonly most: number;
  /** Members of a family that are named. */
  readonly members: number;
  /** Hits of each index that are looked at. */
  readonly pool: number;
  /** How much each sign counts; scores of words and vectors are shares of the best. */
  readonly words: number;
  readonly names: number;
  readonly vectors: number;
  /** A table among others of its schema that fit. */
  readonly neighbours: number;
  readonly certified: number;
  readonly popular: number;
  /** Factor for what people have marked as deprecated. */
  readonly deprecated: number;
}

/**
 * Sources: LinkedIn, 5.1 (20 tables, 5 examples) and 10 (5 notes); ThothAI, 5 (examples from .1, strong from .45), 8
 * (columns 3, 10, 5 from cosine .35) and 12 (relevance of notes). Weights of tables: `bench/table-retrieval.ts`, chosen
 * on its even questions.
 */
export const RETRIEVAL_DEFAULTS: RetrievalSettings = {
  useExamples: true,
  useNotes: true,
  useJargon: true,
  useMetrics: true,
  useValues: true,
  useVectors: true,
  usePopularity: true,
  useNames: true,
  tables: {
    most: 20,
    members: 50,
    pool: 500,
    words: 1,
    names: 0.7,
    vectors: 0.3,
    neighbours: 0.9,
    certified: 0.05,
    popular: 0.1,
    deprecated: 0.5,
  },
  columns: { perKeyword: 3, forQuestion: 10, forHint: 5, leastCosine: 0.35, keywords: 16 },
  examples: { most: 5, least: 0.1, strong: 0.45 },
  notes: { most: 5, wordsWeight: 0.6, structureWeight: 0.4, strict: 0.75, weak: 0.45, least: 0.3 },
  jargon: { most: 10, characters: 300 },
  metrics: { most: 10, least: 0.3 },
};

/** What every list of a retrieval is asked with, and how each is cut. */
export interface TextAsked {
  readonly question: string;
  /** Terms of question, hint and keywords. */
  readonly terms: readonly string[];
  /** By document id: cosine to the question; empty without vectors. */
  readonly cosines: ReadonlyMap<string, number>;
}

/** The best ones; equal scores keep the order they were written in. */
export function fitting<Item>(found: readonly Found<Item>[], most: number): readonly Found<Item>[] {
  return [...found].sort((a, b) => b.score - a.score).slice(0, most);
}
