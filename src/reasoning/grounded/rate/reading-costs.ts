/** What makes a reading less likely: odd parts, words left unread, shapes no training saw. */
import type { Column } from '../../../catalog/index.ts';
import type { Frame } from '../compose/frame/frame.ts';
import { displayColumns } from '../question/mention/display-columns.ts';
import type { Mention } from '../question/mention/mention.ts';
import { unexplainedWords } from '../question/mention/unexplained-words.ts';
import { isKey } from '../resolve/bind-projection.ts';
import type { Bound, BoundFilter, BoundProjection } from '../resolve/bound.ts';
import { ownership } from '../resolve/list-owners.ts';
import { isTimeLike, type ResolveContext } from '../resolve/noun-candidates.ts';
import type { ReadQuestion } from './candidate.ts';

/** A column of another table than the one that the list belongs to; a figure of a key. */
const STRANGE = 2.5;
/** All that is shown is what the condition says already. */
const TOLD = 3;
/** Rows of different things put into one group because they show the same. */
const MERGED = 1;
/** Rows that bear the same name are rarely two. */
const NAMESAKES = 0.4;

/**
 * What hardly any question asks for, in log-odds, set by hand: the sum of a key or that it is more than a number, a column of another table
 * than the one whose columns are listed, nothing but what a condition says.
 */
export function costOfOddities(
  bound: Bound,
  { context, mentions, frame }: Pick<ReadQuestion, 'context' | 'mentions' | 'frame'>,
): number {
  const { projections, orders, havings, filters } = bound;
  const figures = [...projections, ...orders, ...havings].filter(({ aggregate, column }) =>
    column === undefined ? false : isFigureOfKey(aggregate, column, context),
  );
  const compared = filters.filter((filter) => isKeyCompared(filter, mentions, context));
  const strange = projections.filter((item) => isStrange(item, context) || isShownForStep(item, frame));
  const isDistinctAsked = mentions.some(({ cue }) => cue?.kind === 'distinct');
  const isIdle = isTold(bound) || (!isDistinctAsked && countsCompared(bound));
  const isGrouped = frame.groups.length + frame.grains.length > 0;
  return (
    STRANGE * (figures.length + compared.length + strange.length) +
    (isIdle ? TOLD : 0) +
    (isGrouped ? 0 : costOfMerging(bound, context))
  );
}

/** "the credits of courses with more than one prerequisite" counts for each course, not for all courses of as many credits. */
function costOfMerging({ groups, havings, orders, subject, tables }: Bound, context: ResolveContext): number {
  const isCounted = havings.length > 0 || orders.some(({ isCount }) => isCount);
  const isNamed = (context.named.get(subject) ?? 0) >= NAMED && tables.size > 1;
  const isMerging = groups.every(({ column }) => column?.tableId === subject && !isKey(column, context));
  if (!isCounted || !isNamed || groups.length === 0 || !isMerging) return 0;
  const names = displayColumns(context.graph.table(subject)).map(({ id }) => id);
  return groups.some(({ column }) => column !== undefined && names.includes(column.id)) ? NAMESAKES : MERGED;
}

/** Tables named worse than this may be meant or not. */
const NAMED = 0.85;

function isFigureOfKey(aggregate: string | undefined, column: Column, context: ResolveContext): boolean {
  return (aggregate === 'sum' || aggregate === 'avg') && isKey(column, context);
}

/** "at least 3 makers" is about how many there are, "an id above 3" about the id. */
function isKeyCompared(
  { column, operator, operands }: BoundFilter,
  mentions: readonly Mention[],
  context: ResolveContext,
): boolean {
  // A literal, or the average of all; a key compared with that of one row says which came later.
  const isNumber = operands.some(
    (operand) =>
      operand.kind === 'literal' || (operand.kind === 'statistic' && operand.function !== undefined),
  );
  if (!/^[<>]=?$/.test(operator) || !isNumber) return false;
  const isNamed = mentions.some(
    ({ text, nouns }) => NAMES_KEY.test(text) && nouns.some(({ id }) => id === column.id),
  );
  return !isNamed && isKey(column, context) && !isTimeLike(column);
}

const NAMES_KEY = /\b(?:ids?|keys?|codes?|numbers?|nos?|nums?)\b/i;

/** "in which year": the year is shown, and no date or name of a row beside it. */
function isShownForStep({ column, aggregate }: BoundProjection, { grains, projections }: Frame): boolean {
  return grains.length > 0 && projections.length === 0 && column !== undefined && aggregate === undefined;
}

function isStrange(
  { mention, column, aggregate }: BoundProjection,
  { owners, graph }: ResolveContext,
): boolean {
  if (mention === undefined || column === undefined || aggregate !== undefined) return false;
  const kind = ownership(mention, column, owners, graph);
  return kind === 'strange' || kind === 'own, but not its key';
}

/** "the number of branches opened before 2010" counts branches, not the years before 2010. */
function countsCompared({ projections, filters }: Bound): boolean {
  const compared = new Set(filters.map(({ column }) => column.id));
  return projections.some(
    ({ column, aggregate }) => column !== undefined && aggregate === 'count' && compared.has(column.id),
  );
}

/** "the names of all cartoons directed by Ben Jones" does not ask for Ben Jones. */
function isTold({ projections, filters }: Bound): boolean {
  const fixed = new Set(
    filters.flatMap(({ column, operator, operands, isNegated, connective }) =>
      operator === '=' && operands.length === 1 && !isNegated && connective !== 'or' ? column.id : [],
    ),
  );
  return (
    projections.length > 0 &&
    projections.every(
      ({ column, aggregate, isDistinct }) =>
        column !== undefined &&
        fixed.has(column.id) &&
        (aggregate === undefined || (aggregate === 'count' && isDistinct)),
    )
  );
}

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

/**
 * Whether a question asks for what the training questions hardly ever do: steps of time, running totals, medians, durations and days of
 * the week, several counts of different rows, what one named row has. What was learned takes such readings for unlikely, whatever they are.
 */
export function isBeyondTraining({ frame, bounds }: Pick<ReadQuestion, 'frame' | 'bounds'>): boolean {
  const [bound] = bounds;
  return (
    frame.running !== undefined || frame.grains.length > 0 || (bound !== undefined && hasRareForm(bound))
  );
}

function hasRareForm({ projections, filters, groups, stated, absences }: Bound): boolean {
  const counted = new Set(projections.flatMap(({ countOf }) => countOf ?? []));
  const isOfRow = filters.some(({ operands }) =>
    operands.some((operand) => operand.kind === 'statistic' && operand.function === undefined),
  );
  return (
    isOfRow ||
    counted.size > 1 ||
    groups.some(({ part }) => part !== undefined) ||
    projections.some(({ percent }) => percent !== undefined) ||
    [...stated, ...absences.flatMap((absence) => absence.stated ?? [])].length > 0
  );
}
