/** What every list of a retrieval is asked with, and how each is cut. */
import type { Found } from './retrieved.ts';

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
