import type { GroundedKnowledge } from '../knowledge.ts';
import type { QueryNames } from './telling.ts';

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
