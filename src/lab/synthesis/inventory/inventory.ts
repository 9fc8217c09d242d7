import type { Catalog, Column, Table } from '../../../catalog/index.ts';
import type { Dimension, Metric, SemanticModel } from '../../../knowledge/semantic/index.ts';
import type { Entity } from '../items/structure.ts';
import type { Route } from './find-route.ts';

/** What questions about a database can be made of; BAR-SQL §3. */
export interface Inventory {
  readonly semantics: SemanticModel;
  readonly catalog: Catalog;
  /** The day that "today" means, YYYY-MM-DD. */
  readonly now: string;
  readonly metrics: readonly MetricScope[];
  /** By name of the dimension; absent where its values name nothing for people. */
  readonly entities: ReadonlyMap<string, readonly Entity[]>;
  /** Words that stand for values of several dimensions: no seed is made of them. */
  readonly sharedSurfaces: ReadonlySet<string>;
}

export interface MetricScope {
  readonly metric: Metric;
  /** The metric itself, or the two that a ratio divides. */
  readonly parts: readonly Metric[];
  /** Dimensions that every part reaches in one way, by name, with the route of each part. */
  readonly reach: ReadonlyMap<string, DimensionReach>;
  /** First and last day of its rows; absent where it has no date. */
  readonly days?: { readonly first: string; readonly last: string };
}

export interface DimensionReach {
  readonly dimension: Dimension;
  /** In the order of the parts. */
  readonly routes: readonly Route[];
}

/** The words of a text in lower case, with a plural `s` taken off. */
export function lookupWords(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.map((word) => (word.length > 3 && /[^s]s$/.test(word) ? word.slice(0, -1) : word));
}

/** A column with its table by `table.column`; undefined where the catalog has none. */
export function findColumn(
  id: string,
  catalog: Catalog,
): { readonly table: Table; readonly column: Column } | undefined {
  for (const table of catalog.tables) {
    const column = table.columns.find((each) => each.id === id);
    if (column !== undefined) return { table, column };
  }
  return undefined;
}
