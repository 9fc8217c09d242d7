import type { Column, Table } from '../../catalog/index.ts';
import { queryTerms } from '../../knowledge/search/index.ts';
import { foldedWords, type ValueIndex } from '../../knowledge/values/index.ts';
import { isOnlyName, namesOfSame } from '../../reasoning/grounded/question/vocabulary/index.ts';
import { isNameWord, type WrittenName, writtenName } from './names-in.ts';
import { nearOf, wordsOf } from './near-names.ts';
import type { AbsenceSources } from './search-values.ts';
import { type NearName, sortNear } from './search-values.ts';

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

/** A name of which it may be said that nothing here is called so. */
interface ClaimedName {
  readonly name: string;
  /** It could not be looked for everywhere it may be: nothing is said of it. */
  readonly isUnread: boolean;
}

/**
 * A name that is absent: it is written as a name, is no other kind of word, and nothing here is called like it. Of common nouns that is
 * never known: what is meant may be here under another word, as a kind, a part or a figure of something else.
 */
function claimedName(name: WrittenName, sources: AbsenceSources): ClaimedName | undefined {
  return isAbsent(name, sources) ? { name: name.text, isUnread: mayBeUnread(name.text, sources) } : undefined;
}

function isAbsent({ text, words }: WrittenName, sources: AbsenceSources): boolean {
  const names = words.filter(isNameWord);
  if (names.length === 0 || nearOf(text, sources).length > 0) return false;
  const initials = words.map((word) => word[0]).join('');
  if (words.length > 1 && sources.values.lookup(initials).length > 0) return false;
  // What the whole name is near to was looked for already.
  const isNear = (word: string): boolean => word !== text && nearOf(word, sources).length > 0;
  return names.every((word) => !isNear(word) && !isPerhapsStored(word, sources));
}

/**
 * Whether some stored value may be meant by a name although it is not called so: it has half of it, sounds like it, or is a code that
 * may be short for it. What may be there is not said to be absent.
 */
function isPerhapsStored(name: string, { knowledge, values }: AbsenceSources): boolean {
  const stored = values.words();
  if (stored === undefined) return true;
  return foldedWords(name).some((word) => {
    const isAlike = isOnlyName(word) ? alikeInFull(word) : alikeInPart(word);
    return [...stored, ...knowledge.names.vocabulary].some(isAlike) || hasCode(word, values);
  });
}

const SHORTEST_PART = 4;
const SHORTEST_SOUND = 2;
/** `bmw`: said by its letters, and called by a word that begins like them (“Beemer”). */
const LETTERS = /^[^aeiouy]{3,4}$/;

/** “Schumaker” is like “schumacher”, “Toyotas” like “toyota”: one slip leaves one half as it is. */
function alikeInPart(word: string): (other: string) => boolean {
  const half = Math.max(SHORTEST_PART, Math.ceil(word.length / 2));
  const [start, end, sound] = [word.slice(0, half), word.slice(-half), soundOf(word)];
  return (other) =>
    other.startsWith(start) ||
    other.endsWith(end) ||
    other.includes(word) ||
    (sound.length >= SHORTEST_SOUND && soundOf(other) === sound) ||
    (LETTERS.test(other) && sound.startsWith(soundOf(other.slice(0, 2))));
}

const MOST_CUT = 2;

/** The lexicon has it: it is spelt as it should be, but for its ending in another language. */
function alikeInFull(word: string): (other: string) => boolean {
  const start = word.slice(0, Math.max(SHORTEST_PART, word.length - MOST_CUT));
  return (other) => other.startsWith(start) || other.includes(word);
}

const MOST_NAMES = 6;
const LONGEST_CODE = 3;

/** `TX` of “Texas”, `SEA` of “Seattle”, `DE` of “Germany” for “Deutschland”. */
function hasCode(word: string, values: ValueIndex): boolean {
  const names = [word, ...namesOfSame(word).slice(0, MOST_NAMES)].filter((name) => !name.includes(' '));
  return names
    .flatMap((name) => codesOf(name.toUpperCase()))
    .some((code) => values.lookup(code).some(({ match }) => match === 'exact'));
}

/** Two or three letters of a word in their order, its first among them. */
function codesOf(word: string): readonly string[] {
  const codes = new Set<string>();
  const grow = (code: string, from: number): void => {
    if (code.length > 1) codes.add(code);
    if (code.length === LONGEST_CODE) return;
    for (let at = from; at < word.length; at += 1) grow(code + word[at], at + 1);
  };
  grow(word.slice(0, 1), 1);
  return [...codes];
}

/** Whether columns that were not looked through may have a name: prose, addresses where no column has the town, whatever is not text. */
function mayBeUnread(name: string, { knowledge: { catalog }, values }: AbsenceSources): boolean {
  const indexed = values.columns();
  const isRead = ({ id, profile }: Column): boolean => {
    if (profile?.scannedRows === 0) return true;
    const known = indexed.get(id);
    return known !== undefined && known.kept >= known.distinct * NEARLY_ALL;
  };
  return catalog.tables.some((table) =>
    table.columns.some((column) => {
      if (column.family === 'other') return /json|array|xml|variant|struct|\[\]|^$/i.test(column.type);
      return column.family === 'text' && !isRead(column) && mayHave(name, column, table);
    }),
  );
}

/** The others are too long to be names. */
const NEARLY_ALL = 0.95;
const PLACE = /city|town|place|municipality|village/i;
const IN_ADDRESSES = /\p{N}|\b(?:street|road|avenue|lane|drive|square|boulevard|way|st|rd|ave|blvd)\b/iu;

function mayHave(name: string, { profile }: Column, { columns }: Table): boolean {
  switch (profile?.pii?.kind) {
    case 'email':
      return /[@.]/.test(name);
    case 'phone':
    case 'national-id':
    case 'bank-account':
    case 'payment-card':
    case 'ip-address':
    case 'birth-date':
      return false;
    case 'postal-address':
      return IN_ADDRESSES.test(name) || !columns.some((other) => PLACE.test(other.name));
    default:
      return true;
  }
}

/** Letters that sound alike in the languages that names are from, each as one of them; vowels, “h” and “y” are left out. */
const SOUNDS: readonly (readonly [letters: RegExp, sound: string])[] = [
  [/ph|[vw]/g, 'f'],
  [/[cqx]/g, 'k'],
  [/g/g, 'j'],
  [/z/g, 's'],
  [/d/g, 't'],
  [/[aeiouhy]/g, ''],
  [/(.)\1+/g, '$1'],
];

/** “Wien” and “Vienna”, “Steven” and “Stephen” have one. */
export function soundOf(lower: string): string {
  return SOUNDS.reduce((sound, [letters, as]) => sound.replace(letters, as), lower);
}
