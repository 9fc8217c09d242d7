import type { Catalog, Table } from '../../catalog/index.ts';

/** What names that people write mean in a catalog. */
export interface CatalogNames {
  /** Id of a table: its own id, or its name alone where only one table has it; letter case does not matter. */
  tableOf(written: string): string | undefined;
  /** Id of a column, written with its table: `orders.signed_on`, `sales.orders.signed_on`. */
  columnOf(written: string): string | undefined;
}

/** Looks names up without an index of the columns, of which there may be very many. */
export function catalogNames(catalog: Pick<Catalog, 'tables'>): CatalogNames {
  const byId = new Map<string, Table>();
  const byName = new Map<string, Table | 'several'>();
  for (const table of catalog.tables) {
    const name = table.name.toLowerCase();
    byId.set(table.id, table);
    byName.set(name, byName.has(name) ? 'several' : table);
  }
  const find = (written: string): Table | undefined => {
    const name = written.toLowerCase();
    const named = byName.get(name);
    return byId.get(name) ?? (named === 'several' ? undefined : named);
  };
  return {
    tableOf: (written) => find(written)?.id,
    columnOf: (written) => {
      // Names may hold dots themselves: every place to cut is tried.
      for (let dot = written.lastIndexOf('.'); dot > 0; dot = written.lastIndexOf('.', dot - 1)) {
        const table = find(written.slice(0, dot));
        const name = written.slice(dot + 1).toLowerCase();
        const column = table?.columns.find((other) => other.name.toLowerCase() === name);
        if (column !== undefined) return column.id;
      }
      return undefined;
    },
  };
}
