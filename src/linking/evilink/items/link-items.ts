/** The items that can be linked: tables and fields by their ids. */
import type { SharedColumn, SharedTable } from '../../../catalog/share/index.ts';
import type { SharedTables } from '../../../knowledge/retrieve/index.ts';
import type { LinkedItem } from '../../schema/linked-schema.ts';

export interface LinkItems {
  table(id: string): SharedTable | undefined;
  column(id: string): SharedColumn | undefined;
  /** The column of a table with this name, whatever its case. */
  columnNamed(table: SharedTable, name: string): SharedColumn | undefined;
  has(id: string): boolean;
  /** The table of a field; undefined for a table. */
  tableOf(id: string): string | undefined;
  /** The fields of a table; none for a field. */
  fieldsOf(id: string): readonly string[];
  /** Known ids among these in the order of the catalog, each table before its fields. */
  inOrder(ids: Iterable<string>): readonly string[];
  /**
   * The same as items. An id that a table and a column share (`sales.region`, a table of the schema `sales` and a
   * column of the table `sales`) is both where the table of the column is in view: whichever was meant, it stays.
   */
  placed(ids: Iterable<string>): readonly Pick<LinkedItem, 'kind' | 'id'>[];
}

/** Made for one question: the columns of a table, and what an id is, are looked up when they are first asked for. */
export function indexItems(tables: SharedTables): LinkItems {
  const columns = new Map<SharedTable, ReadonlyMap<string, SharedColumn>>();
  const columnsOf = (table: SharedTable): ReadonlyMap<string, SharedColumn> => {
    const known = columns.get(table) ?? new Map(table.columns.map((each) => [each.id, each]));
    columns.set(table, known);
    return known;
  };
  const found = new Map<string, SharedColumn | undefined>();
  const column = (id: string): SharedColumn | undefined => {
    if (!found.has(id)) found.set(id, findColumn(id));
    return found.get(id);
  };
  const findColumn = (id: string): SharedColumn | undefined => {
    // Names may hold dots themselves: the longest table id that the column is in fact a column of.
    for (let dot = id.lastIndexOf('.'); dot > 0; dot = id.lastIndexOf('.', dot - 1)) {
      const table = tables.table(id.slice(0, dot));
      const own = table && columnsOf(table).get(id);
      if (own !== undefined) return own;
    }
    return undefined;
  };
  const tableOf = (id: string): string | undefined =>
    tables.table(id) === undefined ? column(id)?.tableId : undefined;
  const placed: LinkItems['placed'] = (ids) => {
    const wanted = new Set(ids);
    const touched = new Set([...wanted].map((id) => tableOf(id) ?? id));
    return tables.catalog.tables
      .filter(({ id }) => touched.has(id))
      .flatMap((table) => [
        { kind: 'table' as const, id: table.id },
        ...table.columns.map(({ id }) => ({ kind: 'field' as const, id })),
      ])
      .filter(({ id }) => wanted.has(id));
  };
  return {
    table: tables.table,
    column,
    columnNamed: (table, name) => columnsOf(table).get(`${table.id}.${name.toLowerCase()}`),
    has: (id) => tables.table(id) !== undefined || column(id) !== undefined,
    tableOf,
    fieldsOf: (id) => tables.table(id)?.columns.map((each) => each.id) ?? [],
    inOrder: (ids) => [...new Set(placed(ids).map(({ id }) => id))],
    placed,
  };
}
