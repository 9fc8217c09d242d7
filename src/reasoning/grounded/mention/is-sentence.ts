import type { Token } from '../read/tokenise.ts';
import type { NameIndex } from './name-index.ts';

const WELL_NAMED = 0.85;

/** "papers cite", "author written": two tables, and the second is what the first does or has done. */
export function isSentence(span: readonly Token[], names: NameIndex): boolean {
  const [first, last, third] = span;
  if (first === undefined || last === undefined || third !== undefined) return false;
  const isPlural = first.lower !== first.lemma && last.lower === last.lemma;
  if (!isPlural && !/(?:ed|en|wn)$/.test(last.lower)) return false;
  return [first, last].every(({ lower }) => {
    const [noun] = names.match([lower]);
    return noun?.kind === 'table' && noun.score >= WELL_NAMED;
  });
}
