import type { Catalog, Column, Table } from '../../../catalog/index.ts';

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
