import { isMostlyVerb, type UnreadWords } from '../../reasoning/index.ts';
import type { NearName } from './near-name.ts';
import { absentWords, allNear, type WordSearch } from './search-word.ts';

/** What the words would have been for. */
type WordUse = NonNullable<UnreadWords['use']>;

/** What can truly be said of words that were not understood. */
export interface AbsenceStatement {
  /** Nothing here is near them: they may be said to be absent. */
  readonly isAbsent: boolean;
  /** They name nothing anywhere, as “next year”. */
  readonly areNameless: boolean;
  /** The words that it is about. */
  readonly missing: string;
  readonly message: string;
  /** Those of the words that nothing here is called. */
  readonly claimed: readonly string[];
  /** Columns of texts that were not, or not wholly, looked through. */
  readonly unread: readonly string[];
  /** Names of tables, columns and figures, and stored values, the nearest first. */
  readonly nearest: readonly string[];
}

const MOST_NEAREST = 5;
const MOST_SAID = 3;

const CONSEQUENCE: Readonly<Record<WordUse, string>> = {
  split: 'so it cannot be split by it',
  figure: 'so no figure can be made of it',
  narrow: 'so it cannot narrow the question',
};

/** Words that every question has and no database need store: that they name nothing says nothing of the data. */
const NAMELESS =
  /^(?:(?:last|next|this|past|current|previous|first|second|third|most|least|more|less|better|best|worse|worst|time|times|date|dates|beginning|start|end|right|still|ever|never|already|actually|currently|just|also|too|sorry|please|thanks|hello|hi|hey|today|yesterday|tomorrow|now|ago|since|until|during|before|after|(?:sec|min)onds?|minutes?|hours?|days?|nights?|weeks?|weekdays?|weekends?|months?|quarters?|years?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july|august|september|october|november|december|and|or|not|no|only|than|why|when|where|who|how|what|which|will|would|can|could|should|did|do|does|is|are|was|were|be|been|have|has|had|it|its|they|them|their|we|our|us|you|your|i|my|me|the|an?|of|in|on|at|by|to|from|for|with|without)|\d+(?:st|nd|rd|th)?)$/i;

/**
 * The one place that says that something is not here. “Nothing here is called so” needs a search that found nothing near; else it
 * says that the words were not understood, and what is near.
 */
export function stateAbsence(search: WordSearch, use?: WordUse): AbsenceStatement {
  // Where a year or a “next” is stored by itself tells nothing of “next year”.
  const areNameless = isNameless(search.phrase);
  const near = areNameless ? [] : allNear(search);
  const nearest = near.slice(0, MOST_NEAREST).map(({ shown }) => shown);
  const absent = absentWords(search).filter((word) => !isNameless(word) && !isVerb(word));
  if (absent.length === 0)
    return {
      ...{
        isAbsent: false,
        areNameless,
        missing: search.phrase,
        nearest,
        claimed: [],
        unread: search.unread,
      },
      message: notUnderstood(search, near),
    };
  // A name of several words is one thing, although one of its words may be stored by itself.
  const claimed = isName(search.phrase) ? [search.phrase] : absent;
  const message = nothingCalled(claimed, use, search.unread);
  return {
    isAbsent: true,
    areNameless,
    missing: search.phrase,
    message,
    nearest,
    claimed,
    unread: search.unread,
  };
}

/** The same of several at once, all of which are absent. */
export function stateAbsences(
  statements: readonly AbsenceStatement[],
  use?: WordUse,
): Pick<AbsenceStatement, 'message' | 'nearest'> {
  const claimed = [...new Set(statements.flatMap((one) => one.claimed))];
  const nearest = [...new Set(statements.flatMap((one) => one.nearest))];
  return { message: nothingCalled(claimed, use, statements[0]?.unread ?? []), nearest };
}

function nothingCalled(
  words: readonly string[],
  use: WordUse | undefined,
  [first, ...others]: readonly string[],
): string {
  const consequence = use === undefined ? '' : `, ${CONSEQUENCE[use]}`;
  const more =
    others.length === 0 ? '' : ` and ${others.length} more ${others.length === 1 ? 'column' : 'columns'}`;
  if (first === undefined) return `Nothing here is called ${quoted(words)}${consequence}.`;
  // What was not looked through may have the words: then it is the search that is told of, not the data.
  return `I found nothing called ${quoted(words)}${consequence}. (Not all of ${first}${more} was looked through.)`;
}

function notUnderstood({ phrase, near: whole }: WordSearch, near: readonly NearName[]): string {
  const [first] = whole;
  if (first?.how === 'same')
    return `“${phrase}” is known here as ${described(first)}, but I could not tell how it belongs in this question.`;
  if (near.length === 0) return `I did not understand “${phrase}” here.`;
  const said = near.slice(0, MOST_SAID).map(described).join(', ');
  return `I did not understand “${phrase}” here; near it: ${said}.`;
}

/** `“Jackson Browne” (a value of Artist.Name)` */
export function described({ shown, what }: NearName): string {
  return `“${shown}” (${what})`;
}

function isNameless(phrase: string): boolean {
  return phrase.split(/\s+/).every((word) => NAMELESS.test(word));
}

/** What is done is not called by its verb: that no name says “sold” tells nothing of sales. A state may be absent: “escalated”. */
function isVerb(word: string): boolean {
  return /^\p{Ll}+(?<!ed)$/u.test(word) && isMostlyVerb(word);
}

/** “Taylor Swift”, and not “escalated clients”. */
function isName(phrase: string): boolean {
  return phrase.split(/\s+/).every((word) => /^[\p{Lu}\p{N}]/u.test(word));
}

function quoted(words: readonly string[]): string {
  return words.map((word) => `“${word}”`).join(' or ');
}
