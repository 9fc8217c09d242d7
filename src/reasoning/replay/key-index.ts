/** A catalog by what expansions ask for: tables and columns by id, links by either end. */
import type { Catalog, Column, ForeignKey, Table } from '../../catalog/index.ts';

export interface KeyIndex {
  readonly tables: ReadonlyMap<string, Table>;
  readonly columns: ReadonlyMap<string, Column>;
  /** Columns of primary keys and links. */
  readonly keys: ReadonlySet<string>;
  readonly foreignKeys: readonly ForeignKey[];
  readonly linksFrom: ReadonlyMap<string, readonly ForeignKey[]>;
  readonly linksTo: ReadonlyMap<string, readonly ForeignKey[]>;
  /** Columns by lower-case name. */
  readonly named: ReadonlyMap<string, readonly Column[]>;
}

const INDEXES = new WeakMap<Catalog, KeyIndex>();

/** Built at the first call with this catalog, which must not change afterwards. */
export function indexKeys(catalog: Catalog): KeyIndex {
  const known = INDEXES.get(catalog);
  if (known !== undefined) return known;
  const index = buildIndex(catalog);
  INDEXES.set(catalog, index);
  return index;
}

function buildIndex({ tables, foreignKeys }: Catalog): KeyIndex {
  const columns = tables.flatMap((table) => table.columns);
  return {
    tables: new Map(tables.map((table) => [table.id, table])),
    columns: new Map(columns.map((column) => [column.id, column])),
    keys: new Set([
      ...tables.flatMap(({ primaryKey }) => primaryKey),
      ...foreignKeys.flatMap(({ fromColumns, toColumns }) => [...fromColumns, ...toColumns]),
    ]),
    foreignKeys,
    linksFrom: group(foreignKeys, ({ fromTable }) => fromTable),
    linksTo: group(foreignKeys, ({ toTable }) => toTable),
    named: group(columns, ({ name }) => name.toLowerCase()),
  };
}

function group<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const list = groups.get(key);
    if (list === undefined) groups.set(key, [item]);
    else list.push(item);
  }
  return groups;
}
