/** The words that texts are indexed under and looked up by; both stores use these, so that both find the same. */

import { isStopWord, nameWords, porterStem } from '../../language/index.ts';

/** What of a text is looked up; a longer question has said what it is about by then. */
const QUERY_CHARACTERS = 10_000;
const QUERY_TERMS = 100;
/** A run without a break is no word: encoded data. */
const LONGEST_WORD = 64;

/** Scripts that are written without spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+/gu;

/** `CustomerID (résumé)` → `['custom', 'id', 'resum']`: split as a name, without accents, stemmed by Porter's rules. */
export function indexTerms(text: string): string[] {
  return words(text).map(stem);
}

/**
 * The different terms of a question, in its order, at most 100; stop words only when there is nothing else: `to` may
 * be a column.
 */
export function queryTerms(text: string): string[] {
  const all = words(text.slice(0, QUERY_CHARACTERS));
  const telling = all.filter((word) => !isStopWord(word, 'search'));
  const terms = new Set((telling.length > 0 ? telling : all).map(stem));
  return [...terms].slice(0, QUERY_TERMS);
}

/** Lower case, without accents and in one form: `É`, `é` and `e` are one letter. */
function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .normalize('NFC');
}

function words(text: string): string[] {
  return nameWords(foldText(text))
    .flatMap(parts)
    .filter((word) => word.length <= LONGEST_WORD);
}

/** `address2` is found as itself, as `address` and as `2`; text without spaces by its pairs of signs. */
function parts(word: string): string[] {
  if (word.search(UNSPACED) >= 0) return pairs(word);
  const split = word.match(/\p{N}+|[^\p{N}]+/gu) ?? [];
  return split.length > 1 ? [word, ...split] : [word];
}

function pairs(word: string): string[] {
  const spaced = word.replace(UNSPACED, ' ').split(' ').filter(Boolean);
  const runs = word.match(UNSPACED) ?? [];
  return [
    ...spaced,
    ...runs.flatMap((run) => {
      const signs = [...run];
      return signs.length === 1 ? signs : signs.slice(1).map((sign, index) => `${signs[index]}${sign}`);
    }),
  ];
}

function stem(word: string): string {
  return /^[a-z]+$/.test(word) ? porterStem(word) : word;
}

// How alike two names are spelt, by the groups of three letters they share, as `pg_trgm` does.

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

// How words are ranked: the constants of BM25 as FTS5 has them, which the PostgreSQL store repeats.

/** A match in the title counts as much as this many in the body. */
export const TITLE_WEIGHT = 3;
/** How soon more of the same word stops to count, and how much a long text is held back. */
export const BM25 = { k1: 1.2, b: 0.75, leastIdf: 1e-6 } as const;
