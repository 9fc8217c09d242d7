import type { Mention } from '../../../question/mention/mention.ts';
import type { BoundGroup, BoundHaving, BoundOrder } from '../../../resolve/bound.ts';
import { columnChoices, isMeasure, tableChoices } from '../../../resolve/noun-candidates.ts';
import { type Change, type Draft, type Revision, type RevisionView, replaceAt } from './draft.ts';

const NAMED = 0.6;

/** Groups, order, and what is asked of groups. */
export const RANKING_REVISIONS: readonly Revision[] = [
  { name: 'group by', revise: groupBy },
  { name: 'group by what is shown', revise: groupByShown },
  { name: 'do not group', revise: withoutGroup },
  { name: 'group by another column', revise: otherGroup },
  { name: 'order by', revise: orderBy },
  { name: 'order by another column', revise: otherOrder },
  { name: 'order the other way', revise: otherDirection },
  { name: 'do not order', revise: withoutOrder },
  { name: 'show only the first', revise: onlyFirst },
  { name: 'show all in order', revise: notOnlyFirst },
  { name: 'compare the count otherwise', revise: otherHaving },
  { name: 'drop what is asked of groups', revise: withoutHaving },
];

function groupsOf(groups: readonly BoundGroup[]): Change {
  return { bound: { groups } };
}

/** Words that name a column or a table become the group of what is counted or summed. */
function groupBy({ bound }: Draft, { mentions, context }: RevisionView): Change[] {
  const hasFigure = bound.projections.some(({ aggregate }) => aggregate !== undefined);
  if (bound.groups.length > 0 || !(hasFigure || bound.orders.some(({ isCount }) => isCount))) return [];
  const figures = new Set(bound.projections.map(({ mention }) => mention?.index));
  return mentions
    .filter((mention) => !figures.has(mention.index))
    .flatMap((mention) => groupsBy(mention, context))
    .slice(0, 6)
    .map((group) => groupsOf([group]));
}

function groupsBy(mention: Mention, context: RevisionView['context']): BoundGroup[] {
  const columns = columnChoices(mention, context, () => true)
    .filter(({ score }) => score >= NAMED)
    .slice(0, 2)
    .map(({ column }): BoundGroup => ({ tableId: column.tableId, column, mention }));
  const tables = tableChoices(mention)
    .filter(({ score }) => score >= 0.85)
    .slice(0, 1)
    .map(({ tableId }): BoundGroup => ({ tableId, mention }));
  return [...columns, ...tables];
}

function groupByShown({ bound }: Draft): Change[] {
  const [item] = bound.projections.filter(({ aggregate, column }) => aggregate === undefined && column);
  if (bound.groups.length > 0 || item?.column === undefined || item.mention === undefined) return [];
  // Groups without a figure are different values, which a turn of the plan shows.
  const isOfFigures =
    bound.projections.some(({ aggregate }) => aggregate !== undefined) ||
    bound.orders.some(({ isCount, aggregate }) => isCount || aggregate !== undefined) ||
    bound.havings.length > 0;
  if (!isOfFigures) return [];
  const { column, mention } = item;
  return [groupsOf([{ tableId: column.tableId, column, mention }])];
}

function withoutGroup({ bound: { groups } }: Draft): Change[] {
  return groups.map((_, place) => groupsOf(replaceAt(groups, place)));
}

function otherGroup({ bound: { groups } }: Draft, { context }: RevisionView): Change[] {
  return groups.flatMap((group, place) =>
    group.part !== undefined
      ? []
      : groupsBy(group.mention, context)
          .filter(({ tableId, column }) => column?.id !== group.column?.id || tableId !== group.tableId)
          .map((other) => groupsOf(replaceAt(groups, place, other))),
  );
}

function ordersOf(orders: readonly BoundOrder[]): Change {
  return { bound: { orders } };
}

function orderBy({ bound }: Draft, { mentions, context }: RevisionView): Change[] {
  if (bound.orders.length > 0) return [];
  const cue = mentions.find(
    (mention) =>
      mention.cue?.kind === 'superlative' ||
      mention.cue?.kind === 'order' ||
      mention.cue?.kind === 'top' ||
      mention.cue?.kind === 'direction',
  );
  if (cue === undefined) return [];
  const direction = cue.cue !== undefined && 'direction' in cue.cue ? cue.cue.direction : 'asc';
  const isSuperlative = cue.cue?.kind === 'superlative' || cue.cue?.kind === 'top';
  const base = { direction, isSuperlative, mention: cue } as const;
  const limit = isSuperlative ? { options: { limit: 1 } } : {};
  const columns = mentions
    .flatMap((mention) =>
      columnChoices(mention, context, (column) => !isSuperlative || isMeasure(column))
        .filter(({ score }) => score >= NAMED)
        .slice(0, 1),
    )
    .slice(0, 4)
    .map(({ column }): BoundOrder => ({ ...base, column, isCount: false }));
  const counts: BoundOrder[] = isOfQuality(cue) ? [] : [{ ...base, isCount: true }];
  return [...columns, ...counts].map((order) => ({ ...ordersOf([order]), ...limit }));
}

function otherOrder(
  { bound: { orders, projections } }: Draft,
  { mentions, context }: RevisionView,
): Change[] {
  return orders.slice(0, 1).flatMap((order) => {
    const near = mentions.filter(({ index }) => Math.abs(index - order.mention.index) <= 3);
    const named = near.flatMap((mention) =>
      columnChoices(mention, context, isMeasure)
        .filter(({ score }) => score >= NAMED)
        .slice(0, 2)
        .map(({ column }) => column),
    );
    const shown = projections.flatMap(({ column, aggregate }) =>
      column && aggregate === undefined && (!order.isSuperlative || isMeasure(column)) ? [column] : [],
    );
    const columns = [...new Set([...named, ...shown])]
      .filter(({ id }) => id !== order.column?.id)
      .slice(0, 4);
    const { countOf: _, aggregate: __, ...bare } = order;
    return [
      ...columns.map((column) => ordersOf([{ ...bare, column, isCount: false }, ...orders.slice(1)])),
      ...(order.isCount || isOfQuality(order.mention)
        ? []
        : [ordersOf([{ ...bare, column: undefined, isCount: true }, ...orders.slice(1)])]),
    ];
  });
}

/** "the best", "the oldest": of a quality of each row, never of how many there are. */
function isOfQuality({ cue }: Mention): boolean {
  return cue?.kind === 'superlative' && !cue.byCount && cue.attributes.length > 0;
}

function otherDirection({ bound: { orders } }: Draft): Change[] {
  return orders
    .slice(0, 1)
    .map((order) =>
      ordersOf([{ ...order, direction: order.direction === 'asc' ? 'desc' : 'asc' }, ...orders.slice(1)]),
    );
}

function withoutOrder({ bound: { orders } }: Draft): Change[] {
  return orders.length === 0 ? [] : [{ ...ordersOf([]), options: { limit: undefined } }];
}

function onlyFirst({ bound: { orders }, options }: Draft): Change[] {
  return orders.length > 0 && options.limit === undefined ? [{ options: { limit: 1 } }] : [];
}

function notOnlyFirst({ bound: { orders }, options }: Draft): Change[] {
  return orders.length > 0 && options.limit !== undefined ? [{ options: { limit: undefined } }] : [];
}

function otherHaving({ bound: { havings } }: Draft): Change[] {
  const next = { '>': '>=', '>=': '>', '<': '<=', '<=': '<', '=': '>=', '<>': '=' } as const;
  return havings.map((having, place) =>
    havingsOf(replaceAt(havings, place, { ...having, operator: next[having.operator] })),
  );
}

function withoutHaving({ bound: { havings } }: Draft): Change[] {
  return havings.map((_, place) => havingsOf(replaceAt(havings, place)));
}

function havingsOf(havings: readonly BoundHaving[]): Change {
  return { bound: { havings } };
}
