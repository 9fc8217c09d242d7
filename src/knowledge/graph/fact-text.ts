import { guessedText } from '../described/described.ts';
import type { Fact } from './knowledge-graph.ts';

/** A fact as people and models read it: what a model guessed says so. */
export function factText({ value, from }: Fact<string>): string {
  return from.source === 'model' ? guessedText(value) : value;
}

/** The first of several, as it is read. */
export function firstText(facts: readonly Fact<string>[] = []): string | undefined {
  const [first] = facts;
  return first && factText(first);
}
