/** Row counts of many tables at once, from the plans of statements that are never run. */
import { z } from 'zod';
import type { SchemaTable } from '../database.ts';

/** Above it the metastore would be asked for minutes; the tables then have no estimate. */
const MOST_TABLES = 2_000;
const TABLES_AT_ONCE = 100;
const PLAN = z.object({
  inputTableColumnInfos: z.array(
    z.object({
      table: z.object({
        catalog: z.string(),
        schemaTable: z.object({ schema: z.string(), table: z.string() }),
      }),
      /** "NaN" where the connector keeps no statistics. */
      estimate: z.object({ outputRowCount: z.unknown() }),
    }),
  ),
});

/** A table with the catalog it stands in, whether or not that must be written. */
export interface PlacedTable {
  readonly catalog: string;
  readonly table: SchemaTable;
}

/**
 * The same tables with `estimatedRows` where Trino has statistics. `explain` plans a statement in a transaction of its
 * own, and returns `null` when Trino refuses it: one unreadable table leaves those planned with it without estimates.
 */
export async function addEstimates(
  tables: readonly PlacedTable[],
  explain: (sql: string) => Promise<string | null>,
): Promise<SchemaTable[]> {
  const real = tables.filter(({ table }) => table.kind === 'table');
  const rows = new Map<string, number>();
  for (let start = 0; start < real.length && real.length <= MOST_TABLES; start += TABLES_AT_ONCE) {
    const some = real.slice(start, start + TABLES_AT_ONCE);
    const parts = some.map((placed) => `SELECT 1 FROM ${namesOf(placed).map(quote).join('.')}`);
    const text = await explain(`EXPLAIN (TYPE IO, FORMAT JSON) ${parts.join(' UNION ALL ')}`);
    if (text === null) continue;
    for (const { table, estimate } of PLAN.parse(JSON.parse(text)).inputTableColumnInfos) {
      const { outputRowCount: count } = estimate;
      const names = [table.catalog, table.schemaTable.schema, table.schemaTable.table];
      if (typeof count === 'number' && Number.isFinite(count)) rows.set(names.join('.'), Math.round(count));
    }
  }
  return tables.map((placed) => {
    const estimatedRows = rows.get(namesOf(placed).join('.'));
    return estimatedRows === undefined ? placed.table : { ...placed.table, estimatedRows };
  });
}

function namesOf({ catalog, table }: PlacedTable): string[] {
  return [catalog, table.schema ?? '', table.name];
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
