import type { Column } from '../../../catalog/index.ts';
import type { Frame } from '../compose/frame.ts';
import type { Mention } from '../mention/mention.ts';
import { isKey } from '../resolve/bind-projection.ts';
import type { Bound, BoundFilter, BoundProjection } from '../resolve/bound.ts';
import { displayColumns } from '../resolve/display-columns.ts';
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
