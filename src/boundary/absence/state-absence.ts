import { isMostlyVerb } from '../../reasoning/grounded/question/vocabulary/index.ts';
import type { UnreadWords } from '../../reasoning/roles/reading.ts';
import { isNameless, namesNothing, tellingPart } from './names-in.ts';
import { type NearName, sortNear } from './search-values.ts';
import { allNear, unlikeWords, type WordSearch } from './search-word.ts';

/** What the words would have been for. */
type WordUse = NonNullable<UnreadWords['use']>;

/** What can truly be said of words that were not understood. */
export interface AbsenceStatement {
  /** Nothing here is called like them, which does not make what they mean absent. */
  readonly isUnlike: boolean;
  /** They name nothing anywhere, as “next year”. */
  readonly areNameless: boolean;
  /** The words that it is about. */
  readonly missing: string;
  readonly message: string;
  /** The names among them that nothing here is called. */
  readonly claimed: readonly string[];
  /** Columns of texts that were not, or not wholly, looked through. */
  readonly unread: readonly string[];
  /** Names of tables, columns and figures, and stored values, the nearest first. */
  readonly nearest: readonly string[];
}

const MOST_NEAREST = 5;
const MOST_SAID = 3;

const CONSEQUENCE: Readonly<Record<WordUse, string>> = {
  split: 'so I cannot split by it',
  figure: 'so I can make no figure of it',
  narrow: 'so I cannot narrow the question by it',
};

/** Where no word of those that were left over could name anything. */
const NOT_UNDERSTOOD_AS_PUT =
  'I know some words of this question, and did not understand the way in which it is put.';

/**
 * The one place that says that something is not here. “Nothing here is called so” is said of names alone; of all other words that
 * they were not understood, which tells of the engine, with what is near.
 */
export function stateAbsence(search: WordSearch, use?: WordUse): AbsenceStatement {
  const { phrase, unread } = search;
  // Where a year or a “next” is stored by itself tells nothing of “next year”.
  const areNameless = isNameless(phrase);
  const nearest = (areNameless ? [] : allNear(search)).slice(0, MOST_NEAREST).map(({ shown }) => shown);
  const isUnlike = unlikeNames(search).length > 0;
  const claimed = claimedOf(search);
  const message = isUnlike
    ? stateUnlike([search], use)
    : notUnderstood(search, areNameless ? [] : allNear(search));
  return { isUnlike, areNameless, missing: phrase, message, claimed, unread, nearest };
}

/** What is said of several searches at once that found nothing called like their words; of the names among them, if any. */
export function stateUnlike(searches: readonly WordSearch[], use?: WordUse): string {
  const claimed = [...new Set(searches.flatMap(claimedOf))];
  const unread = searches[0]?.unread ?? [];
  if (claimed.length > 0) return nothingCalled(claimed, use, unread);
  const telling = searches.flatMap(tellingOf);
  if (telling.length === 0) return NOT_UNDERSTOOD_AS_PUT;
  const consequence = use === undefined ? '' : `, ${CONSEQUENCE[use]}`;
  const near = sortNear(telling.flatMap((one) => one.near))
    .slice(0, MOST_SAID)
    .map(described);
  const said = near.length === 0 ? '' : `; near it: ${near.join(', ')}`;
  const words = quoted([...new Set(telling.map(({ word }) => word))]);
  const hint = searches.some((search) => search.claimed?.isUnread === true) ? notLookedThrough(unread) : '';
  return `I did not understand ${words} here${consequence}${said}.${hint}`;
}

/** Of what no name and no value is like, the words that could name something; a verb says what is done, not what is there. */
function unlikeNames(search: WordSearch): readonly string[] {
  return unlikeWords(search).filter((word) => !isNameless(word) && !isVerb(word));
}

function claimedOf(search: WordSearch): readonly string[] {
  const { claimed } = search;
  return claimed === undefined || claimed.isUnread || unlikeNames(search).length === 0 ? [] : [claimed.name];
}

/** The words that a message may be about, each with what is related to it. */
function tellingOf(
  search: WordSearch,
): readonly { readonly word: string; readonly near: readonly NearName[] }[] {
  const { phrase, near, words, name, claimed } = search;
  const whole = claimed?.name ?? name;
  if (words.length > 0) {
    const unlike = new Set(unlikeNames(search));
    return words
      .filter(({ word }) => unlike.has(word) && !namesNothing(word))
      .map((one) => (isPart(one.word, whole) ? { word: whole, near: one.near } : one));
  }
  if (isPart(phrase, whole)) return [{ word: whole, near }];
  return namesNothing(phrase) ? [] : [{ word: phrase, near }];
}

function isPart(word: string, name: string | undefined): name is string {
  return ` ${name ?? ''} `.includes(` ${word} `);
}

function nothingCalled(
  words: readonly string[],
  use: WordUse | undefined,
  unread: readonly string[],
): string {
  const consequence = use === undefined ? '' : `, ${CONSEQUENCE[use]}`;
  if (unread.length === 0) return `Nothing here is called ${quoted(words)}${consequence}.`;
  // What was not looked through may have the words: then it is the search that is told of, not the data.
  return `I found nothing called ${quoted(words)}${consequence}.${notLookedThrough(unread)}`;
}

function notLookedThrough([first, ...others]: readonly string[]): string {
  if (first === undefined) return '';
  const more =
    others.length === 0 ? '' : ` and ${others.length} more ${others.length === 1 ? 'column' : 'columns'}`;
  return ` (Not all of ${first}${more} was looked through.)`;
}

function notUnderstood({ phrase, near: whole }: WordSearch, near: readonly NearName[]): string {
  const [first] = whole;
  if (first?.how === 'same')
    return `“${phrase}” is known here as ${described(first)}, but I could not tell how it belongs in this question.`;
  const words = isNameless(phrase) ? phrase : tellingPart(phrase);
  if (words === '') return NOT_UNDERSTOOD_AS_PUT;
  if (near.length === 0) return `I did not understand “${words}” here.`;
  const said = near.slice(0, MOST_SAID).map(described).join(', ');
  return `I did not understand “${words}” here; near it: ${said}.`;
}

/** `“Jackson Browne” (a value of Artist.Name)` */
export function described({ shown, what }: NearName): string {
  return `“${shown}” (${what})`;
}

/** What is done is not called by its verb: that no name says “sold” tells nothing of sales. A state may be absent: “escalated”. */
function isVerb(word: string): boolean {
  return /^\p{Ll}+(?<!ed)$/u.test(word) && isMostlyVerb(word);
}

function quoted(words: readonly string[]): string {
  return words.map((word) => `“${word}”`).join(' or ');
}
