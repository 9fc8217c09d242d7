import type { Dimension, Metric, Relationship, SemanticModel } from '../../../knowledge/semantic/index.ts';

/** The links from the rows of a metric to a dimension, many to one at every step. */
export type Route = readonly Relationship[];

/** Longer ways mean something else. */
const MOST_HOPS = 5;

export type RouteSearch =
  | { readonly kind: 'route'; readonly route: Route }
  /** Several links lead there, and the semantic model does not say which is meant. */
  | { readonly kind: 'open'; readonly routes: readonly Route[] }
  | { readonly kind: 'none' };

/**
 * The way from a metric's table to a dimension: through the relationship that the dimension names for this table, or
 * for a time dimension from the metric's own date; else the shortest, where there is only one.
 */
export function findRoute(metric: Metric, dimension: Dimension, semantics: SemanticModel): RouteSearch {
  const { table } = metric;
  if (table === undefined) return { kind: 'none' };
  if (dimension.table === table) return { kind: 'route', route: [] };
  const all = routesBetween(table, dimension.table, semantics);
  const dated = dimension.isTime ? all.filter(([first]) => startsAtDate(first, metric)) : all;
  const fitting = dated.filter((route) => dimension.isTime || follows(route, dimension, semantics));
  const shortest = Math.min(...fitting.map(({ length }) => length));
  const nearest = fitting.filter(({ length }) => length === shortest);
  const [only, other] = nearest;
  if (only === undefined) return { kind: 'none' };
  return other === undefined ? { kind: 'route', route: only } : { kind: 'open', routes: nearest };
}

/** From every table on the way that the dimension names a link for, the way goes on over that link. */
function follows(route: Route, { via = {} }: Dimension, semantics: SemanticModel): boolean {
  return route.every(({ from }, at) => {
    const link = via[tableOf(from, semantics)];
    return link === undefined || route.slice(at).some(({ name }) => name === link);
  });
}

function startsAtDate(first: Relationship | undefined, { timeColumn }: Metric): boolean {
  return timeColumn !== undefined && first?.fromColumns[0] === timeColumn;
}

/** Every way without a table twice. */
function routesBetween(from: string, to: string, semantics: SemanticModel): Route[] {
  const found: Route[] = [];
  const walk = (table: string, route: Route, seen: ReadonlySet<string>): void => {
    if (table === to) found.push(route);
    else if (route.length < MOST_HOPS)
      for (const link of semantics.relationships) {
        const next = tableOf(link.to, semantics);
        if (tableOf(link.from, semantics) !== table || seen.has(next)) continue;
        walk(next, [...route, link], new Set([...seen, next]));
      }
  };
  walk(from, [], new Set([from]));
  return found;
}

/** The physical table of a dataset. */
export function tableOf(dataset: string, semantics: SemanticModel): string {
  return semantics.datasets.find(({ name }) => name === dataset)?.table ?? dataset;
}
