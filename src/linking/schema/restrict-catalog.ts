/** The part of a catalog that was linked, as a catalog of its own. */
import type { Catalog, ForeignKey, Table } from '../../catalog/index.ts';

/**
 * Only these tables and columns, in the order of the catalog, and the keys whose ends are all among them. A chosen
 * column brings its table; a table without a chosen column shows its key columns: those of its primary key and of its
 * keys to and from tables in view. A primary key of which a part is missing is none: the rest of it is not unique.
 */
export function restrictCatalog(
  catalog: Catalog,
  tableIds: ReadonlySet<string>,
  columnIds: ReadonlySet<string>,
): Catalog {
  const chosen = catalog.tables.flatMap((table) => {
    const columns = table.columns.filter(({ id }) => columnIds.has(id));
    return columns.length > 0 || tableIds.has(table.id) ? [{ table, columns }] : [];
  });
  const inView = new Set(chosen.map(({ table }) => table.id));
  const keys = catalog.foreignKeys.filter((key) => inView.has(key.fromTable) && inView.has(key.toTable));
  const linked = new Set(keys.flatMap(({ fromColumns, toColumns }) => [...fromColumns, ...toColumns]));
  const tables = chosen.map(({ table, columns }) =>
    restrictTable(
      table,
      columns.length > 0 ? columns : table.columns.filter(({ id }) => isKey(id, table, linked)),
    ),
  );
  const kept = new Set(tables.flatMap(({ columns }) => columns.map(({ id }) => id)));
  const { keyOverlaps } = catalog;
  return {
    ...catalog,
    tables,
    foreignKeys: keys.filter((key) => isWhole(key, kept)),
    ...(keyOverlaps === undefined
      ? {}
      : {
          keyOverlaps: keyOverlaps.filter(
            ({ fromColumn, toColumn }) => kept.has(fromColumn) && kept.has(toColumn),
          ),
        }),
  };
}

function isKey(columnId: string, { primaryKey }: Table, linked: ReadonlySet<string>): boolean {
  return primaryKey.includes(columnId) || linked.has(columnId);
}

function restrictTable(table: Table, columns: Table['columns']): Table {
  const kept = new Set(columns.map(({ id }) => id));
  const { primaryKey, partitionKey } = table;
  return {
    ...table,
    columns,
    primaryKey: primaryKey.every((id) => kept.has(id)) ? primaryKey : [],
    ...(partitionKey === undefined ? {} : { partitionKey: partitionKey.filter((id) => kept.has(id)) }),
  };
}

function isWhole({ fromColumns, toColumns }: ForeignKey, kept: ReadonlySet<string>): boolean {
  return [...fromColumns, ...toColumns].every((id) => kept.has(id));
}
