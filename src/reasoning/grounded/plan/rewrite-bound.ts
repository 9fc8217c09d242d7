import type { Bound, BoundFilter } from '../resolve/bound.ts';
import { joinTree } from './join-tree.ts';
import type { SchemaGraph } from './schema-graph.ts';

/**
 * "students who do not own cats": a student may own a cat and a dog, so no joined row tells. A negated value on
 * the many side becomes an absence. Null when there is none.
 */
export function excludeManySide(bound: Bound, graph: SchemaGraph): Bound | null {
  const isMany = (filter: BoundFilter): boolean => {
    if (!filter.isNegated || filter.operator !== '=' || filter.column.tableId === bound.subject) return false;
    const path = joinTree(bound.subject, [filter.column.tableId], graph);
    return path?.edges.some((edge) => edge.multiplies) ?? false;
  };
  const many = bound.filters.filter(isMany);
  if (many.length === 0) return null;
  const filters = bound.filters.filter((filter) => !many.includes(filter));
  const absences = many.map((filter) => ({
    tableId: filter.column.tableId,
    filters: [{ ...filter, isNegated: false }],
    mention: filter.mention,
  }));
  const tables = new Set([bound.subject, ...neededTables({ ...bound, filters })]);
  return { ...bound, filters, absences: [...bound.absences, ...absences], tables };
}

function neededTables(bound: Bound): string[] {
  return [
    ...bound.filters.map((filter) => filter.column.tableId),
    ...bound.projections.flatMap((item) => item.column?.tableId ?? item.countOf ?? []),
    ...bound.groups.map((group) => group.tableId),
    ...bound.orders.flatMap((order) => order.column?.tableId ?? order.countOf ?? []),
    ...bound.havings.flatMap((having) => having.column?.tableId ?? having.countOf ?? []),
  ];
}

/**
 * "tea and coffee both": no single row holds two values of one column, the sets must meet. The same question
 * once for each value; null when nothing is demanded together.
 */
export function splitTogether(bound: Bound): readonly [Bound, Bound] | null {
  const [first, second, third] = bound.filters.filter((filter) => filter.connective === 'both');
  if (first === undefined || second === undefined || third !== undefined) return null;
  if (first.column.id !== second.column.id) return null;
  const others = bound.filters.filter((filter) => filter.connective !== 'both');
  return [
    { ...bound, filters: [...others, first] },
    { ...bound, filters: [...others, second] },
  ];
}
