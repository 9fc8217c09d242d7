import type { Catalog } from '../../../catalog/index.ts';
import type { Dimension, Metric, SemanticModel } from '../../../knowledge/index.ts';
import type { Entity } from '../structure.ts';
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
