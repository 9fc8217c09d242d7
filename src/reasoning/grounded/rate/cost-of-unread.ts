import type { Mention } from '../mention/mention.ts';
import { unexplainedWords } from '../mention/unexplained-words.ts';
import type { Bound } from '../resolve/bound.ts';
import type { ReadQuestion } from './candidate.ts';

/** A word that nothing explains and that narrows or measures, or a word of structure that no rule could use. */
const UNREAD = 1.2;
/** The same where the word is what is asked for, or what is asked of it. */
const UNREAD_HEAD = 3.4;

/**
 * What the words that are left over cost, in log-odds. It is set by hand: benchmarks ask only what can be answered, so what such a word
 * means for the answer cannot be learned from them.
 */
export function costOfUnread({ mentions, frame }: Pick<ReadQuestion, 'mentions' | 'frame'>): number {
  const words = unexplainedWords(mentions, frame.used).map((mention) =>
    isHead(mention, mentions) ? UNREAD_HEAD : UNREAD,
  );
  return words.reduce((sum, cost) => sum + cost, UNREAD * frame.dangling.length);
}

/** What it costs that words were read as others, in log-odds: a synonym of its first sense little, a rare sense as much as a word that is left over. */
export function costOfRelated(mentions: readonly Mention[]): number {
  return mentions.reduce(
    (sum, { relatedWeight }) => sum + (relatedWeight === undefined ? 0 : RELATED * (1 - relatedWeight)),
    0,
  );
}

const RELATED = 2;

/**
 * What a reading guesses: the quality that a word like "best" stands for, by a column of a table that nobody named. In log-odds, set by
 * hand as well: a benchmark asks for the best of what has a rating.
 */
export function costOfGuesses(
  { orders }: Pick<Bound, 'orders'>,
  { context }: Pick<ReadQuestion, 'context'>,
): number {
  const guessed = orders.filter(
    ({ mention: { cue }, column }) =>
      cue?.kind === 'superlative' &&
      cue.attributes.length > 0 &&
      column !== undefined &&
      !context.named.has(column.tableId),
  );
  return UNREAD_HEAD * guessed.length;
}

/** "how many customers are women", "the average customer rating": without the word the question is another one. */
function isHead({ index, isVerbLike, text }: Mention, mentions: readonly Mention[]): boolean {
  const before = mentions[index - 1];
  const isPredicate = before?.cue?.kind === 'be';
  const isNoun = !isVerbLike || /ing$/i.test(text);
  const isCompound = isNoun && (before?.nouns[0]?.score ?? 0) >= NAMED;
  return isPredicate || isCompound;
}

const NAMED = 0.85;
