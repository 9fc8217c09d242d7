/** How alike two names are spelt, by the groups of three letters they share, as `pg_trgm` does. */
import { nameWords } from '../../catalog/index.ts';
import { foldText } from './search-terms.ts';

/** Names below this are not spelt alike: the default of `pg_trgm.similarity_threshold`. */
export const LEAST_SIMILARITY = 0.3;
/** A longer text is no name. */
const LONGEST_NAME = 300;

/** The different trigrams of every word, with two blanks before it and one after: `id` → `'  i'`, `' id'`, `'id '`. */
export function nameTrigrams(name: string): string[] {
  const trigrams = new Set<string>();
  for (const word of nameWords(foldText(name.slice(0, LONGEST_NAME)))) {
    const signs = [' ', ' ', ...word, ' '];
    for (let end = 3; end <= signs.length; end++) trigrams.add(signs.slice(end - 3, end).join(''));
  }
  return [...trigrams];
}
