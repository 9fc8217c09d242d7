import type { Catalog } from '../../../catalog/index.ts';
import type { Database, QueryLimits } from '../../../database/index.ts';
import type { Dimension, Metric, SemanticModel } from '../../../knowledge/semantic/index.ts';
import { DIALECTS } from '../../../sql/dialects/index.ts';
import { printQuery, type SelectQuery } from '../../../sql/print/index.ts';
import type { Entity } from '../items/structure.ts';
import { findRoute, type Route } from './find-route.ts';
import { type DimensionReach, findColumn, type Inventory, type MetricScope } from './inventory.ts';

const LIMITS: QueryLimits = { rows: 400, bytes: 1_000_000, timeoutMs: 30_000 };
const DAY = /^\d{4}-\d\d-\d\d/;

export interface InventorySource {
  readonly semantics: SemanticModel;
  readonly catalog: Catalog;
  readonly database: Database;
  readonly now: string;
  readonly signal?: AbortSignal;
}

/** Metrics with the dimensions they reach, and the values people name. Throws what the database throws. */
export async function readInventory(source: InventorySource): Promise<Inventory> {
  const { semantics, catalog, now } = source;
  const entities = new Map<string, readonly Entity[]>();
  for (const dimension of semantics.dimensions) {
    if (dimension.isTime) continue;
    const found = await readEntities(dimension, source);
    if (found.length > 0) entities.set(dimension.name, found);
  }
  return {
    ...{ semantics, catalog, now, entities },
    metrics: semantics.metrics.flatMap((metric) => scopeOf(metric, source) ?? []),
    sharedSurfaces: sharedAmong(entities),
  };
}

/** A metric with what it reaches; undefined where a part of it has no table of its own. */
export function scopeOf(
  metric: Metric,
  { semantics, catalog }: Pick<InventorySource, 'semantics' | 'catalog'>,
): MetricScope | undefined {
  const parts = partsOf(metric, semantics);
  if (parts.some(({ table, expression }) => table === undefined || expression === undefined))
    return undefined;
  const reach = new Map<string, DimensionReach>();
  for (const dimension of semantics.dimensions) {
    const searches = parts.map((part) => findRoute(part, dimension, semantics));
    const routes = searches.flatMap((search): Route[] => (search.kind === 'route' ? [search.route] : []));
    if (routes.length === parts.length && parts.length > 0) reach.set(dimension.name, { dimension, routes });
  }
  const days = parts.map(({ timeColumn }) => daysOf(timeColumn, catalog));
  const first =
    days
      .map((span) => span?.first ?? '')
      .sort()
      .at(-1) ?? '';
  const last = days.map((span) => span?.last ?? '').sort()[0] ?? '';
  return { metric, parts, reach, ...(first !== '' && last > first && { days: { first, last } }) };
}

/** The metric itself, or the two that a ratio divides. */
function partsOf(metric: Metric, { metrics }: SemanticModel): readonly Metric[] {
  if (metric.ratio === undefined) return [metric];
  const { numerator, denominator } = metric.ratio;
  return [numerator, denominator].flatMap((name) => metrics.find((other) => other.name === name) ?? []);
}

function daysOf(
  column: string | undefined,
  catalog: Catalog,
): { readonly first: string; readonly last: string } | undefined {
  const profile = column === undefined ? undefined : findColumn(column, catalog)?.column.profile;
  const [first, last] = [profile?.min ?? '', profile?.max ?? ''];
  if (!DAY.test(first) || !DAY.test(last)) return undefined;
  return { first: first.slice(0, 10), last: last.slice(0, 10) };
}

/** Stored values by the words for them: those of the value mappings where there are any, else the texts themselves. */
async function readEntities(dimension: Dimension, source: InventorySource): Promise<Entity[]> {
  const { semantics, catalog, database, signal } = source;
  const { name, column } = dimension;
  const mapped = semantics.valueMappings.filter((mapping) => mapping.column === column);
  if (mapped.length > 0)
    return mapped.flatMap(({ value, surface }) =>
      surface.map((words): Entity => ({ dimension: name, column, value, surface: words })),
    );
  const found = findColumn(column, catalog);
  if (found === undefined || found.column.family !== 'text' || found.column.profile?.pii?.isWithheld)
    return [];
  const value = { kind: 'column', table: found.table.name, column: found.column.name } as const;
  const query: SelectQuery = {
    kind: 'select',
    distinct: true,
    select: [{ expression: value }],
    from: { table: found.table.name, ...(found.table.qualifier && { qualifier: found.table.qualifier }) },
    joins: [],
    where: [{ kind: 'null', value, negated: true }],
    groupBy: [],
    having: [],
    orderBy: [{ expression: value, direction: 'asc' }],
  };
  const { rows } = await database.query(printQuery(query, DIALECTS[catalog.dialect]).sql, LIMITS, signal);
  return rows.flatMap(([cell]): Entity[] =>
    typeof cell === 'string' && isNameLike(cell)
      ? [{ dimension: name, column, value: cell, surface: cell }]
      : [],
  );
}

/** A value that a question may say as it stands. */
function isNameLike(text: string): boolean {
  return text.length <= 40 && /^[\p{L}\p{N}][\p{L}\p{N} .&'’-]*$/u.test(text) && /\p{L}{2}/u.test(text);
}

function sharedAmong(entities: ReadonlyMap<string, readonly Entity[]>): ReadonlySet<string> {
  const seen = new Map<string, string>();
  const shared = new Set<string>();
  for (const { surface, column } of [...entities.values()].flat()) {
    const key = surface.toLowerCase();
    const other = seen.get(key);
    if (other !== undefined && other !== column) shared.add(key);
    seen.set(key, column);
  }
  return shared;
}
