import type { Expression, OrderItem } from '../../../sql/index.ts';
import type { BoundOrder } from '../resolve/bound.ts';
import { cause, columnExpression } from './column-expression.ts';
import { monthOrder } from './month-order.ts';
import { isManySide, type Planned, type PlanView } from './plan-view.ts';

/** "spent the most money": a figure on the many side is added up for each row of the subject. */
export function orderAggregate(item: BoundOrder, view: Planned): BoundOrder['aggregate'] {
  if (item.aggregate !== undefined || item.column === undefined) return item.aggregate;
  // "which year had the highest revenue": the figure of a period is what its rows add up to.
  const isGrain = view.bound.groups.some((group) => group.part !== undefined);
  if (isGrain && item.isSuperlative) return 'sum';
  if (!item.isTotal) return undefined;
  return isManySide(item.column.tableId, view) || isShownByKey(item.column.tableId, view) ? 'sum' : undefined;
}

/** "which customer paid the most": shown by the key that the rows of the figure hold, and many rows hold one. */
function isShownByKey(tableId: string, { bound: { projections }, context: { graph } }: Planned): boolean {
  const keys = graph
    .edges(tableId)
    .filter(({ key }) => key.fromTable === tableId)
    .flatMap(({ fromColumns }) => fromColumns);
  return (
    projections.length > 0 &&
    projections.every(({ column, aggregate }) => aggregate === undefined && keys.includes(column?.id ?? ''))
  );
}

/** One ORDER BY item: a count, a column, or a figure of a column. */
export function orderItem(item: BoundOrder, view: PlanView): OrderItem {
  const { bound, context } = view;
  const { direction, column } = item;
  const because = cause(item.mention, `“${item.mention.text}”`);
  if (item.figure !== undefined) return { expression: item.figure.expression, direction };
  if (item.isCount || column === undefined) {
    const count: Expression = {
      kind: 'aggregate',
      function: 'count',
      distinct: false,
      argument: { kind: 'star' },
      cause: because,
    };
    return { expression: count, direction };
  }
  const isGroupKey =
    bound.groups.length === 0 || bound.groups.some((group) => group.column?.id === column.id);
  const shown = isGroupKey
    ? undefined
    : bound.projections.find((projection) => projection.column?.id === column.id)?.aggregate;
  const aggregate = orderAggregate(item, view) ?? shown;
  const argument = monthOrder(column, columnExpression(column, context.graph, because));
  return {
    expression:
      aggregate === undefined
        ? argument
        : { kind: 'aggregate', function: aggregate, distinct: false, argument },
    direction,
  };
}
