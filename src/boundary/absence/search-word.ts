import { queryTerms } from '../../knowledge/index.ts';
import type { AbsenceSources } from './absence-sources.ts';
import { type ClaimedName, claimedName } from './claimed-name.ts';
import { writtenName } from './names-in.ts';
import { type NearName, sortNear } from './near-name.ts';
import { nearOf, wordsOf } from './near-of.ts';

/** What is known here near some words of a question. */
export interface WordSearch {
  readonly phrase: string;
  /** Of the words as they stand together, the nearest first. */
  readonly near: readonly NearName[];
  /** Each of several words by itself; none of a single word. */
  readonly words: readonly { readonly word: string; readonly near: readonly NearName[] }[];
  /** The name of several words that the question writes where these are, or are a part of it. */
  readonly name?: string;
  /** The name that the words are, or are a part of, where nothing here is called so. */
  readonly claimed?: ClaimedName;
  /** Columns of texts that were not looked through, or not all of them: prose, addresses, long values. */
  readonly unread: readonly string[];
}

const ARTICLE = /^(?:the|an?|any|our|your|their|its)\s+/i;

/**
 * Looks for words of a question everywhere: names and synonyms, what people wrote of them, stored values, each by other
 * spellings too; several words together and each by itself. That this does not find them does not make them absent: see `claimedName`.
 */
export function searchWord(phrase: string, sources: AbsenceSources, question: string): WordSearch {
  const text = phrase.trim().replace(/\s+/g, ' ').replace(ARTICLE, '');
  const words = wordsOf(text);
  const telling = new Set(queryTerms(text));
  const single =
    words.length < 2 ? [] : words.filter((word) => queryTerms(word).some((term) => telling.has(term)));
  const search: WordSearch = {
    phrase: text,
    near: nearOf(text, sources),
    words: single.map((word) => ({ word, near: nearOf(word, sources) })),
    unread: unreadColumns(sources),
  };
  const name = unlikeWords(search).length === 0 ? undefined : writtenName(text, question);
  if (name === undefined) return search;
  const claimed = claimedName(name, sources);
  return {
    ...search,
    ...(name.words.length > 1 && { name: name.text }),
    ...(claimed !== undefined && { claimed }),
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

/** The words that nothing here is called like; none where the whole phrase, or each of its words, is found. */
export function unlikeWords({ phrase, near, words }: WordSearch): readonly string[] {
  if (isFound(near)) return [];
  return words.length === 0 ? [phrase] : words.filter((one) => !isFound(one.near)).map(({ word }) => word);
}

/** What is only related to a word was not meant by it as it is written. */
export function isFound(near: readonly NearName[]): boolean {
  return near.some(({ how }) => how !== 'related');
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
