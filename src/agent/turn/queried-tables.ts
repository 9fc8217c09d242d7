import type { Catalog } from '../../catalog/index.ts';
import { items, parse } from '../../sql/index.ts';

/** Ids of the tables that a query reads; empty where it cannot be parsed. */
export function tablesOfSql(sql: string, catalog: Catalog): readonly string[] {
  const parsed = parse(sql, catalog.dialect);
  return parsed.ok ? items(parsed.tree, catalog).tables.map(({ id }) => id) : [];
}
