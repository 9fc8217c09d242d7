import type { Column } from '../../../catalog/index.ts';
import type { Mention } from '../mention/mention.ts';
import { isKey } from '../resolve/bind-projection.ts';
import type { Bound, BoundFilter, BoundProjection } from '../resolve/bound.ts';
import { ownership } from '../resolve/list-owners.ts';
import { isTimeLike, type ResolveContext } from '../resolve/noun-candidates.ts';
import type { ReadQuestion } from './candidate.ts';

/** A column of another table than the one that the list belongs to; a figure of a key. */
const STRANGE = 2.5;
/** All that is shown is what the condition says already. */
const TOLD = 2;

/**
 * What hardly any question asks for, in log-odds, set by hand: the sum of a key or that it is more than a number, a column of another table
 * than the one whose columns are listed, nothing but what a condition says.
 */
export function costOfOddities(
  bound: Bound,
  { context, mentions }: Pick<ReadQuestion, 'context' | 'mentions'>,
): number {
  const { projections, orders, havings, filters } = bound;
  const figures = [...projections, ...orders, ...havings].filter(({ aggregate, column }) =>
    column === undefined ? false : isFigureOfKey(aggregate, column, context),
  );
  const compared = filters.filter((filter) => isKeyCompared(filter, mentions, context));
  const strange = projections.filter((item) => isStrange(item, context));
  return STRANGE * (figures.length + compared.length + strange.length) + (isTold(bound) ? TOLD : 0);
}

function isFigureOfKey(aggregate: string | undefined, column: Column, context: ResolveContext): boolean {
  return (aggregate === 'sum' || aggregate === 'avg') && isKey(column, context);
}

/** "at least 3 makers" is about how many there are, "an id above 3" about the id. */
function isKeyCompared(
  { column, operator, operands }: BoundFilter,
  mentions: readonly Mention[],
  context: ResolveContext,
): boolean {
  if (!/^[<>]=?$/.test(operator) || !operands.some(({ kind }) => kind === 'literal')) return false;
  const isNamed = mentions.some(
    ({ text, nouns }) => NAMES_KEY.test(text) && nouns.some(({ id }) => id === column.id),
  );
  return !isNamed && isKey(column, context) && !isTimeLike(column);
}

const NAMES_KEY = /\b(?:ids?|keys?|codes?|numbers?|nos?|nums?)\b/i;

function isStrange(
  { mention, column, aggregate }: BoundProjection,
  { owners, graph }: ResolveContext,
): boolean {
  if (mention === undefined || column === undefined || aggregate !== undefined) return false;
  const kind = ownership(mention, column, owners, graph);
  return kind === 'strange' || kind === 'own, but not its key';
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
