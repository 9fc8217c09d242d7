import type { Query, SelectQuery } from '../../../sql/index.ts';

/** What people call the things of a database. */
export interface QueryNames {
  /** By the spelling of the table and of the column in the query. */
  readonly column: (table: string, column: string) => string;
  /** What the rows are called whose key a column is; undefined where it is no key of one table. */
  readonly key: (table: string, column: string) => string | undefined;
}

/** What is known of a query while it is told. */
export interface Telling {
  readonly names: QueryNames;
  /** The queries of WITH. */
  readonly named: ReadonlyMap<string, Query>;
  /** Conditions that hold for every part of the query: they are said once. */
  readonly common: ReadonlySet<string>;
  explain(query: Query, telling: Telling): string;
}

/** The plain queries that a query is put together from. */
export function allOf(query: Query): readonly SelectQuery[] {
  return query.kind === 'select' ? [query] : [...allOf(query.left), ...allOf(query.right)];
}
