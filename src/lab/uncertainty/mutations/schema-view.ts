/** A catalog as mutations look at it. */
import { type Catalog, type Column, nameWords, type Table } from '../../../catalog/index.ts';

export interface SchemaView {
  readonly catalog: Catalog;
  readonly tables: ReadonlyMap<string, Table>;
  readonly columns: ReadonlyMap<string, Column>;
  /** Single-column links both ways, by table id. */
  readonly links: ReadonlyMap<string, readonly Link[]>;
  /** Columns at an end of a link, and single-column primary keys. */
  readonly keys: ReadonlySet<string>;
  /** Lower-case words of a column's name and comment. */
  readonly wordsOf: (column: Column) => ReadonlySet<string>;
}

export interface Link {
  readonly from: Column;
  readonly to: Column;
}

const VIEWS = new WeakMap<Catalog, SchemaView>();

/** The view of a catalog, made at the first call with this object. */
export function viewSchema(catalog: Catalog): SchemaView {
  const known = VIEWS.get(catalog);
  if (known !== undefined) return known;
  const view = makeView(catalog);
  VIEWS.set(catalog, view);
  return view;
}

function makeView(catalog: Catalog): SchemaView {
  const columns = new Map(
    catalog.tables.flatMap((table) => table.columns.map((column) => [column.id, column] as const)),
  );
  const links = new Map<string, Link[]>();
  const keys = new Set(
    catalog.tables.flatMap(({ primaryKey }) => (primaryKey.length === 1 ? primaryKey : [])),
  );
  const add = (from: Column, to: Column): void => {
    const list = links.get(from.tableId) ?? [];
    list.push({ from, to });
    links.set(from.tableId, list);
    keys.add(from.id);
  };
  for (const { fromColumns, toColumns } of catalog.foreignKeys) {
    const from = columns.get(fromColumns[0] ?? '');
    const to = columns.get(toColumns[0] ?? '');
    if (fromColumns.length !== 1 || from === undefined || to === undefined) continue;
    add(from, to);
    if (from.tableId !== to.tableId) add(to, from);
  }
  const words = new Map<string, ReadonlySet<string>>();
  const wordsOf = (column: Column): ReadonlySet<string> => {
    const found = words.get(column.id) ?? new Set(nameWords(`${column.name} ${column.comment ?? ''}`));
    words.set(column.id, found);
    return found;
  };
  return {
    catalog,
    tables: new Map(catalog.tables.map((table) => [table.id, table])),
    columns,
    links,
    keys,
    wordsOf,
  };
}
