/** The second way to write a figure: no join, conditions by IN and groups looked up row by row. */
import type { Metric } from '../../../knowledge/index.ts';
import type { Expression, Predicate, SelectQuery } from '../../../sql/index.ts';
import { type Route, tableOf } from '../inventory/find-route.ts';
import type { Inventory, MetricScope } from '../inventory/inventory.ts';
import {
  type BlockRequest,
  column,
  columnName,
  definition,
  divided,
  endsOf,
  FIGURE,
  fromTable,
  isEntity,
  NOTHING,
  routeOf,
  type ScopePart,
  stored,
  within,
} from './block.ts';

/** The same figure as `block` gives: where the two differ, rows were counted twice or lost, and neither is gold. */
export function nestedBlock(
  scope: MetricScope,
  request: BlockRequest,
  inventory: Inventory,
): SelectQuery | null {
  const parts = scope.parts.map((part, place) => lookedUp({ scope, part, place }, request, inventory));
  return divided(parts, request);
}

function lookedUp(
  { scope, part, place }: ScopePart,
  { filters, groups, period }: BlockRequest,
  inventory: Inventory,
): SelectQuery | null {
  const names = [...groups, ...filters.map(({ dimension }) => dimension)];
  const routes = new Map(names.flatMap((name) => [[name, routeOf(scope, name, place)] as const]));
  if (part.table === undefined || [...routes.values()].some((route) => route === undefined)) return null;
  const routed = (name: string): Route => routes.get(name) ?? [];
  const rows: SelectQuery = {
    ...NOTHING,
    select: [
      { expression: { kind: 'star' } },
      ...groups.map((name) => ({
        expression: lookUp(routed(name), groupColumn(scope, name), inventory),
        alias: groupName(name),
      })),
    ],
    from: fromTable(part.table, inventory),
    where: [
      ...definition(part, names, [part.table], inventory),
      ...groups.flatMap((name) => exists(routed(name), undefined, inventory)),
      ...filters.flatMap((entity) =>
        exists(routed(entity.dimension), isEntity(entity, inventory), inventory),
      ),
      ...within(part, period, inventory),
    ],
  };
  return outer(part, groups, rows, inventory);
}

/** The rows under the table's own name, so that the metric's expression reads them. */
function outer(
  part: Metric,
  groups: readonly string[],
  rows: SelectQuery,
  inventory: Inventory,
): SelectQuery {
  const { table } = fromTable(part.table ?? '', inventory);
  const keys = groups.map((name) => column(table, groupName(name)));
  return {
    ...NOTHING,
    ctes: [{ name: 'labelled', query: rows }],
    select: [
      ...keys.map((expression, at) => ({ expression, alias: columnName(groups[at] ?? '') })),
      { expression: { kind: 'raw', sql: part.expression ?? '' }, alias: FIGURE },
    ],
    from: { table: 'labelled', alias: table },
    groupBy: keys,
  };
}

function groupColumn(scope: MetricScope, name: string): string {
  return scope.reach.get(name)?.dimension.column ?? '';
}

function groupName(name: string): string {
  return `group_${columnName(name)}`;
}

/** The value at the end of a route, from inside out: `(SELECT name FROM areas WHERE areas.id = dealers.area_id)`. */
function lookUp(route: Route, end: string, inventory: Inventory): Expression {
  const inner = (at: number): Expression => {
    const link = route[at];
    if (link === undefined) return stored(end, inventory);
    const { from, to } = endsOf(link, inventory);
    const query: SelectQuery = {
      ...NOTHING,
      select: [{ expression: inner(at + 1) }],
      from: fromTable(tableOf(link.to, inventory.semantics), inventory),
      where: to.map(
        (right, index): Predicate => ({
          kind: 'compare',
          operator: '=',
          left: right,
          right: from[index] ?? right,
        }),
      ),
    };
    return { kind: 'subquery', query };
  };
  return inner(0);
}

/** Rows that reach the end of a route, whose last table meets the condition and all tables their default filters. */
function exists(route: Route, condition: Predicate | undefined, inventory: Inventory): Predicate[] {
  const [link, ...rest] = route;
  if (link === undefined) return condition === undefined ? [] : [condition];
  const { from, to } = endsOf(link, inventory);
  const [value, key] = [from[0], to[0]];
  if (value === undefined || key === undefined || from.length > 1)
    throw new RangeError(`The link ${link.name} has no single key.`);
  const table = tableOf(link.to, inventory.semantics);
  const kept = inventory.semantics.datasets.flatMap((dataset): Predicate[] =>
    dataset.table === table && dataset.defaultFilter !== undefined
      ? [{ kind: 'raw', sql: dataset.defaultFilter.sql }]
      : [],
  );
  const query: SelectQuery = {
    ...NOTHING,
    select: [{ expression: key }],
    from: fromTable(table, inventory),
    where: [...kept, ...exists(rest, condition, inventory)],
  };
  return [{ kind: 'in-query', value, query, negated: false }];
}
