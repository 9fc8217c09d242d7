/** The tables and columns that a gold query uses (EviLink, section 12), by our SQL core. */
import type { Catalog } from '../../../catalog/index.ts';
import { items, parse } from '../../../sql/index.ts';

export type GoldItems =
  | {
      readonly ok: true;
      /** Canonical ids. */
      readonly tables: ReadonlySet<string>;
      readonly fields: ReadonlySet<string>;
      /** Names that could be several columns; all of them are among the fields. */
      readonly ambiguous: readonly string[];
    }
  | { readonly ok: false; readonly because: string };

/**
 * `goldItems('SELECT a FROM t WHERE b = 1', catalog)` → tables t, fields t.a and t.b. A query that does not parse, or
 * that names what the catalog lacks, has no gold: half of it would make every linker look better than it is.
 */
export function goldItems(sql: string, catalog: Catalog): GoldItems {
  const parsed = parse(sql, catalog.dialect);
  if (!parsed.ok) return { ok: false, because: `its SQL does not parse: ${parsed.error.message}` };
  const { tables, columns, unresolved } = items(parsed.tree, catalog);
  const [table] = unresolved.tables;
  if (table !== undefined) return { ok: false, because: `it reads a table that the schema lacks: ${table}` };
  const [name] = unresolved.unknown;
  if (name !== undefined) return { ok: false, because: `it names a column that the schema lacks: ${name}` };
  if (tables.length === 0) return { ok: false, because: 'its SQL reads no table' };
  return {
    ok: true,
    tables: new Set(tables.map(({ id }) => id)),
    fields: new Set(columns.map(({ id }) => id)),
    ambiguous: unresolved.ambiguous,
  };
}
