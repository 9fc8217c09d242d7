/** `SELECT groups, figure FROM facts JOIN … WHERE … GROUP BY groups`: the first of two ways to write a figure. */
import type { Metric, Relationship } from '../../../knowledge/semantic/index.ts';
import type { Expression, Join, Predicate, SelectItem, SelectQuery } from '../../../sql/print/index.ts';
import { type Route, tableOf } from '../inventory/find-route.ts';
import { findColumn, type Inventory, type MetricScope } from '../inventory/inventory.ts';
import type { Entity, Period } from '../items/structure.ts';

/** Which rows of a metric, and by what they are split. */
export interface BlockRequest {
  readonly filters: readonly Entity[];
  readonly groups: readonly string[];
  readonly period?: Period;
}

/** The column that holds the figure in every block. */
export const FIGURE = 'figure';

export const NOTHING = {
  kind: 'select',
  distinct: false,
  joins: [],
  where: [],
  groupBy: [],
  having: [],
  orderBy: [],
} as const satisfies Partial<SelectQuery>;

/** One metric, joined; for a ratio two of them divided. Null where a table would be joined in two roles. */
export function block(scope: MetricScope, request: BlockRequest, inventory: Inventory): SelectQuery | null {
  const parts = scope.parts.map((part, place) => joinedFigure({ scope, part, place }, request, inventory));
  return divided(parts, request);
}

/** A single figure as it is; of two the first divided by the second, joined on their groups. */
export function divided(
  parts: readonly (SelectQuery | null)[],
  { groups }: Pick<BlockRequest, 'groups'>,
): SelectQuery | null {
  const [first, second] = parts;
  if (first === undefined || first === null || second === null) return null;
  if (second === undefined) return first;
  const keys = groups.map(columnName);
  const shown = keys.map((key): SelectItem => ({ expression: column('denominator', key), alias: key }));
  const on = keys.map((key) => ({ left: column('numerator', key), right: column('denominator', key) }));
  const always = { left: { kind: 'literal', value: 1 }, right: { kind: 'literal', value: 1 } } as const;
  const value: Expression = {
    kind: 'arithmetic',
    operator: '/',
    left: column('numerator', FIGURE),
    right: column('denominator', FIGURE),
  };
  return {
    ...NOTHING,
    ctes: [
      { name: 'numerator', query: first },
      { name: 'denominator', query: second },
    ],
    select: [...shown, { expression: value, alias: FIGURE }],
    from: { table: 'denominator' },
    joins: [{ kind: 'left', table: { table: 'numerator' }, on: on.length === 0 ? [always] : on }],
  };
}

/** One part of a scope, with its place among the parts. */
export interface ScopePart {
  readonly scope: MetricScope;
  readonly part: Metric;
  readonly place: number;
}

function joinedFigure(
  { scope, part, place }: ScopePart,
  { filters, groups, period }: BlockRequest,
  inventory: Inventory,
): SelectQuery | null {
  const names = [...groups, ...filters.map(({ dimension }) => dimension)];
  const routes = names.map((name) => routeOf(scope, name, place));
  if (part.table === undefined || routes.some((route) => route === undefined)) return null;
  const links = new Map(routes.flatMap((route) => route ?? []).map((link) => [link.name, link]));
  const joined = [...links.values()].map(({ to }) => tableOf(to, inventory.semantics));
  if (new Set(joined).size < joined.length) return null;
  const keys = groups.map((name) => stored(scope.reach.get(name)?.dimension.column ?? '', inventory));
  return {
    ...NOTHING,
    select: [
      ...keys.map((expression, at) => ({ expression, alias: columnName(groups[at] ?? '') })),
      { expression: { kind: 'raw', sql: part.expression ?? '' }, alias: FIGURE },
    ],
    from: fromTable(part.table, inventory),
    joins: [...links.values()].map((link) => joinOf(link, inventory)),
    where: [
      ...definition(part, names, [part.table, ...joined], inventory),
      ...filters.map((entity) => isEntity(entity, inventory)),
      ...within(part, period, inventory),
    ],
    groupBy: keys,
  };
}

export function routeOf(scope: MetricScope, dimension: string, place: number): Route | undefined {
  return scope.reach.get(dimension)?.routes[place];
}

function joinOf(link: Relationship, inventory: Inventory): Join {
  const { from, to } = endsOf(link, inventory);
  const on = from.map((left, at) => ({ left, right: to[at] ?? left }));
  return { kind: 'inner', table: fromTable(tableOf(link.to, inventory.semantics), inventory), on };
}

/** The columns of a link as expressions. */
export function endsOf(
  { fromColumns, toColumns }: Relationship,
  inventory: Inventory,
): { readonly from: Expression[]; readonly to: Expression[] } {
  return {
    from: fromColumns.map((id) => stored(id, inventory)),
    to: toColumns.map((id) => stored(id, inventory)),
  };
}

/** What belongs to the metric and to the tables read, whatever the question says. */
export function definition(
  metric: Metric,
  dimensions: readonly string[],
  tables: readonly string[],
  { semantics }: Inventory,
): Predicate[] {
  const conditional = metric.conditionalFilters.map(({ whenDimensions, then, otherwise }) =>
    whenDimensions.some((name) => dimensions.includes(name)) ? then : otherwise,
  );
  const kept = semantics.datasets.flatMap(({ table, defaultFilter }) =>
    tables.includes(table) && defaultFilter !== undefined ? [defaultFilter.sql] : [],
  );
  return [...new Set([...metric.filters, ...conditional, ...kept])].map((sql) => ({ kind: 'raw', sql }));
}

export function isEntity(entity: Entity, inventory: Inventory): Predicate {
  const { value } = entity;
  return {
    kind: 'compare',
    operator: '=',
    left: stored(entity.column, inventory),
    right: { kind: 'literal', value },
  };
}

/** Days of the metric's own date. */
export function within(metric: Metric, period: Period | undefined, inventory: Inventory): Predicate[] {
  if (period === undefined || metric.timeColumn === undefined) return [];
  const left = stored(metric.timeColumn, inventory);
  const at = (operator: '>=' | '<', value: string): Predicate => ({
    kind: 'compare',
    operator,
    left,
    right: { kind: 'date', value },
  });
  return [at('>=', period.from), at('<', period.until)];
}

/** `table.column` with the names as the engine spells them. Throws RangeError for a column that is not there. */
export function stored(id: string, { catalog }: Inventory): Expression {
  const found = findColumn(id, catalog);
  if (found === undefined) throw new RangeError(`The semantic model names ${id}, which the database lacks.`);
  return column(found.table.name, found.column.name);
}

export function fromTable(table: string, { catalog }: Inventory): SelectQuery['from'] {
  const found = catalog.tables.find(({ id }) => id === table);
  return { table: found?.name ?? table, ...(found?.qualifier && { qualifier: found.qualifier }) };
}

export function column(table: string, name: string): Expression {
  return { kind: 'column', table, column: name };
}

/** A dimension as the name of a column. */
export function columnName(dimension: string): string {
  return dimension.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '_');
}
