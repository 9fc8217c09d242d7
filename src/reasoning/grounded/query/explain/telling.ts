import type { Query, SelectQuery } from '../../../../sql/index.ts';
import type { GroundedKnowledge } from '../../knowledge/knowledge.ts';

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

/** What the semantic model calls a column, else its own name. */
export function queryNames({
  catalog,
  semantics,
}: Pick<GroundedKnowledge, 'catalog' | 'semantics'>): QueryNames {
  const tables = new Map(catalog.tables.map((table) => [table.name, table]));
  const called = new Map(semantics.dimensions.map(({ column, name }) => [column, name]));
  return {
    column: (table, column) => {
      const id = tables.get(table)?.columns.find(({ name }) => name === column)?.id;
      return (id === undefined ? undefined : called.get(id)) ?? column;
    },
    key: (table, column) => {
      const [key, second] = tables.get(table)?.primaryKey ?? [];
      const isKey =
        second === undefined &&
        key !== undefined &&
        key === tables.get(table)?.columns.find(({ name }) => name === column)?.id;
      return isKey ? table : undefined;
    },
  };
}
