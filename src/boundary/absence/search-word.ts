import { queryTerms, type ValueIndex } from '../../knowledge/index.ts';
import type { GroundedKnowledge } from '../../reasoning/index.ts';
import { type NearName, sortNear } from './near-name.ts';
import { searchDescriptions } from './search-descriptions.ts';
import { searchNames } from './search-names.ts';
import { searchValues } from './search-values.ts';

/** Where words of a question are looked for. */
export interface AbsenceSources {
  readonly knowledge: GroundedKnowledge;
  readonly values: ValueIndex;
}

/** What is known here near some words of a question. */
export interface WordSearch {
  readonly phrase: string;
  /** Of the words as they stand together, the nearest first. */
  readonly near: readonly NearName[];
  /** Each of several words by itself; none of a single word. */
  readonly words: readonly { readonly word: string; readonly near: readonly NearName[] }[];
  /** Columns of texts that were not looked through, or not all of them: prose, addresses, long values. */
  readonly unread: readonly string[];
}

/** Nothing has a longer name. */
const MOST_WORDS = 12;
const ARTICLE = /^(?:the|an?|any|our|your|their|its)\s+/i;

/**
 * Looks for words of a question everywhere: names and synonyms, what people wrote of them, stored values, each by other
 * spellings too; several words together and each by itself. Only what this does not find may be said to be absent.
 */
export function searchWord(phrase: string, sources: AbsenceSources): WordSearch {
  const text = phrase.trim().replace(/\s+/g, ' ').replace(ARTICLE, '');
  const words = text.match(/[\p{L}\p{N}][\p{L}\p{N}'’&./-]*/gu)?.slice(0, MOST_WORDS) ?? [];
  const near = nearOf(text, words, sources);
  const unread = unreadColumns(sources);
  if (words.length < 2) return { phrase: text, near, words: [], unread };
  const telling = new Set(queryTerms(text));
  const single = words.filter((word) => queryTerms(word).some((term) => telling.has(term)));
  return {
    ...{ phrase: text, near, unread },
    words: single.map((word) => ({ word, near: nearOf(word, [word], sources) })),
  };
}

function unreadColumns({ knowledge: { catalog }, values }: AbsenceSources): readonly string[] {
  const indexed = values.columns();
  const isProse = (id: string): boolean => indexed.get(id)?.because.includes('prose') === true;
  const unread = catalog.tables.flatMap((table) =>
    table.columns
      .filter(({ id, family }) => {
        const column = indexed.get(id);
        return family === 'text' && (column === undefined || column.kept < column.distinct);
      })
      .map(({ id, name }) => ({ id, shown: `${table.name}.${name}` })),
  );
  // What is likeliest to have the words stands first.
  return unread.toSorted((a, b) => Number(isProse(b.id)) - Number(isProse(a.id))).map(({ shown }) => shown);
}

function nearOf(text: string, words: readonly string[], sources: AbsenceSources): readonly NearName[] {
  if (text === '') return [];
  return sortNear([
    ...searchNames(
      words.map((word) => word.toLowerCase()),
      sources.knowledge,
    ),
    ...searchValues(text, sources),
    ...searchDescriptions(text, sources.knowledge),
  ]);
}

/** The words that nothing here is near to; none where the whole phrase, or each of its words, is found. */
export function absentWords({ phrase, near, words }: WordSearch): readonly string[] {
  if (near.length > 0) return [];
  return words.length === 0 ? [phrase] : words.filter((one) => one.near.length === 0).map(({ word }) => word);
}

/** Whether the words are here as they stand, or each of them is: only that they belong together is not known. */
export function isKnown({ near, words }: WordSearch): boolean {
  const [first] = near;
  if (first?.how === 'same') return true;
  return words.length > 0 && words.every((one) => one.near[0]?.how === 'same');
}

/** Whatever is near the phrase or a word of it, the nearest first. */
export function allNear({ near, words }: WordSearch): readonly NearName[] {
  return sortNear([...near, ...words.flatMap((one) => one.near)]);
}
