import { quoteName } from '../../sql/dialects/index.ts';
import type { DialectName } from '../../sql/index.ts';
import type { Catalog, Table } from './catalog.ts';

const KNOWN = new WeakMap<Catalog, ReadonlySet<string>>();

/** The ids of all tables; made once for a catalog, which does not change. */
export function tableIds(catalog: Catalog): ReadonlySet<string> {
  const known = KNOWN.get(catalog);
  if (known !== undefined) return known;
  const ids = new Set(catalog.tables.map(({ id }) => id));
  KNOWN.set(catalog, ids);
  return ids;
}

/**
 * The id of the table that a column id belongs to: the longest of `tables` that it begins with, since names of columns may hold
 * dots themselves. Undefined: none of them.
 */
export function tableOfColumn(
  columnId: string,
  tables: { readonly has: (id: string) => boolean },
): string | undefined {
  for (let dot = columnId.lastIndexOf('.'); dot > 0; dot = columnId.lastIndexOf('.', dot - 1))
    if (tables.has(columnId.slice(0, dot))) return columnId.slice(0, dot);
  return undefined;
}

/** How a table is written: `tableName({ name: 'orders', qualifier: ['sales'] }, 'postgres')` → `"sales"."orders"`. */
export function tableName(table: Pick<Table, 'name' | 'qualifier'>, dialect: DialectName): string {
  return [...(table.qualifier ?? []), table.name].map((name) => quoteName(name, dialect)).join('.');
}
