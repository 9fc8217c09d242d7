/** Which words of a question two things of the schema fit equally well (AmbiQT, arXiv 2310.13659). */
import type { Catalog } from '../../catalog/index.ts';
import type { AmbiguousPart } from './ambiguous-part.ts';
import { readAskedWords } from './asked-words.ts';
import { findCopiedColumns } from './find-copied-columns.ts';
import { findCopiedTables } from './find-copied-tables.ts';
import { findPrecomputed } from './find-precomputed.ts';
import { findSynonyms, type Likeness } from './find-synonyms.ts';

export interface AmbiguityOptions {
  /** How alike two names or phrases are in meaning, in [−1, 1]; without it, words alone decide. */
  readonly likeness?: Likeness;
}

/**
 * In the order of the question. Pure: nothing is run and no model is called; whoever wants meaning beyond words gives
 * `likeness`, as from the vectors of an encoder.
 */
export function findAmbiguity(
  question: string,
  catalog: Catalog,
  { likeness }: AmbiguityOptions = {},
): readonly AmbiguousPart[] {
  const asked = readAskedWords(question);
  const parts = [
    ...findPrecomputed(question, asked, catalog),
    ...findCopiedColumns(question, asked, catalog),
    ...findCopiedTables(question, asked, catalog),
    ...findSynonyms(question, asked, catalog, likeness),
  ];
  // One pair may be found by its name and by its form.
  const seen = new Set<string>();
  const once = parts.filter(({ choices }) => {
    const key = choices.map(({ ids }) => ids.join()).join('|');
    return !seen.has(key) && seen.add(key);
  });
  return once.sort((left, right) => left.span.start - right.span.start);
}
