import type { Bound, BoundFilter } from '../../../resolve/bound.ts';
import type { ResolveContext } from '../../../resolve/noun-candidates.ts';
import { orderAggregate } from '../parts/clauses.ts';

interface ExtremeOptions {
  readonly limit?: number;
  readonly keepsTies?: boolean;
}

/**
 * "how many concerts were in the largest stadium": a figure has no order, the ranking says which rows it is of. The
 * rank becomes a condition, over the same rows as the other conditions of its table. Null when nothing is to do.
 */
export function figureOfExtreme(
  bound: Bound,
  { limit, keepsTies }: ExtremeOptions,
  context: ResolveContext,
): Bound | null {
  const [order, second] = bound.orders;
  const isFigure =
    bound.projections.length > 0 && bound.projections.every((item) => item.aggregate !== undefined);
  if (!isFigure && keepsTies !== true) return null;
  if (bound.groups.length > 0 || bound.havings.length > 0 || limit !== 1) return null;
  if (order?.column === undefined || second !== undefined || order.isCount) return null;
  if (!order.isSuperlative || order.aggregate !== undefined) return null;
  // What is added up for each of them is no figure of one row.
  if (!isFigure && orderAggregate(order, { bound, context }) !== undefined) return null;
  const { column, mention } = order;
  const filter: BoundFilter = {
    column,
    operator: '=',
    operands: [
      {
        kind: 'statistic',
        function: order.direction === 'desc' ? 'max' : 'min',
        column,
        filters: bound.filters.filter((other) => other.column.tableId === column.tableId),
      },
    ],
    isNegated: false,
    connective: 'and',
    mention,
    score: 1,
  };
  return { ...bound, orders: [], filters: [...bound.filters, filter] };
}
