/** What is asked of tables one by one or a few at a time, after their names are known: row counts and partitioning. */
import { z } from 'zod';
import type { SchemaLeftOut, SchemaTable } from '../database.ts';
import { inParallel } from '../http/in-parallel.ts';
import { quote, STATEMENTS_AT_ONCE } from './trino-parts.ts';

/** Above it the metastore would be asked for minutes; the tables then have no estimate. */
const MOST_TABLES = 2_000;
/** Planning takes 10 ms a table so, and twice as long with four times as many. */
const TABLES_AT_ONCE = 25;
/** Connectors that tell their partitioning in SHOW CREATE TABLE alone, a statement for each table. */
const ASKED_ONE_BY_ONE: ReadonlySet<string> = new Set(['iceberg', 'delta_lake']);
const MOST_ASKED = 2_000;
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
  readonly connector: string;
  readonly table: SchemaTable;
}

/** The first cell of a statement in a transaction of its own; `null` when Trino refuses it. */
export type ReadText = (sql: string) => Promise<string | null>;

/** Planned many at a time, in statements that are never run. */
export async function readEstimates(
  tables: readonly PlacedTable[],
  readText: ReadText,
): Promise<{ rows: ReadonlyMap<PlacedTable, number>; leftOut: readonly SchemaLeftOut[] }> {
  const { real, leftOut } = smallCatalogs(tables.filter(({ table }) => table.kind === 'table'));
  const byName = new Map(real.map((placed) => [namesOf(placed).join('.'), placed]));
  const rows = new Map<PlacedTable, number>();
  await inParallel(slicesOf(real), STATEMENTS_AT_ONCE, async (slice) => {
    const parts = slice.map((placed) => `SELECT 1 FROM ${namesOf(placed).map(quote).join('.')}`);
    const text = await readText(`EXPLAIN (TYPE IO, FORMAT JSON) ${parts.join(' UNION ALL ')}`);
    if (text === null) return;
    for (const { table, estimate } of PLAN.parse(JSON.parse(text)).inputTableColumnInfos) {
      const { outputRowCount: count } = estimate;
      const placed = byName.get([table.catalog, table.schemaTable.schema, table.schemaTable.table].join('.'));
      if (placed !== undefined && typeof count === 'number' && Number.isFinite(count))
        rows.set(placed, Math.round(count));
    }
  });
  return { rows, leftOut };
}

/** The tables of the smallest catalogs, as many as may be asked about together. */
function smallCatalogs(tables: readonly PlacedTable[]) {
  const sizes = new Map<string, number>();
  for (const { catalog } of tables) sizes.set(catalog, (sizes.get(catalog) ?? 0) + 1);
  let left = MOST_TABLES;
  const leftOut: SchemaLeftOut[] = [];
  const asked = new Set<string>();
  for (const [catalog, size] of [...sizes].sort(([, a], [, b]) => a - b)) {
    left -= size;
    if (left >= 0) asked.add(catalog);
    else {
      const because = `it has ${size} tables, and statistics are asked of ${MOST_TABLES} in all`;
      leftOut.push({ name: `the number of rows by statistics in the catalog ${catalog}`, because });
    }
  }
  return { real: tables.filter(({ catalog }) => asked.has(catalog)), leftOut };
}

/** Columns that Iceberg and Delta Lake partition by, of as many tables as may be asked. */
export async function readPartitionKeys(
  tables: readonly PlacedTable[],
  readText: ReadText,
): Promise<{ keys: ReadonlyMap<PlacedTable, readonly string[]>; leftOut: readonly SchemaLeftOut[] }> {
  const asked = tables.filter(
    ({ table, connector }) => table.kind === 'table' && ASKED_ONE_BY_ONE.has(connector),
  );
  const keys = new Map<PlacedTable, readonly string[]>();
  await inParallel(asked.slice(0, MOST_ASKED), STATEMENTS_AT_ONCE, async (placed) => {
    const text = await readText(`SHOW CREATE TABLE ${namesOf(placed).map(quote).join('.')}`);
    const key = text === null ? [] : readPartitioning(text, placed.table);
    if (key.length > 0) keys.set(placed, key);
  });
  const because = `${asked.length} tables would be asked one by one; the first ${MOST_ASKED} were`;
  const leftOut = asked.length > MOST_ASKED ? [{ name: 'how further tables are partitioned', because }] : [];
  return { keys, leftOut };
}

/** `partitioning = ARRAY['month(sold_at)','region']`, `partitioned_by = ARRAY['region']` → sold_at, region. */
export function readPartitioning(text: string, { columns }: Pick<SchemaTable, 'columns'>): string[] {
  const list = /\bpartition(?:ing|ed_by) = ARRAY\[((?:'(?:[^']|'')*'|[,\s])*)\]/.exec(text)?.[1] ?? '';
  const names = (list.match(/'(?:[^']|'')*'/g) ?? []).map((item) => {
    const transform = item.slice(1, -1).replaceAll("''", "'");
    const argument = /^\w+\(\s*("(?:[^"]|"")+"|[^,()]+?)\s*(?:,\s*\d+\s*)?\)$/.exec(transform)?.[1];
    return (argument ?? transform).replace(/^"(.*)"$/s, '$1').replaceAll('""', '"');
  });
  return columns.map(({ name }) => name).filter((name) => names.includes(name));
}

/** Of one catalog each, so that one that fails takes no other's estimates with it. The tables come by catalog. */
function slicesOf(tables: readonly PlacedTable[]): PlacedTable[][] {
  const slices: PlacedTable[][] = [];
  for (const placed of tables) {
    const last = slices.at(-1);
    if (last === undefined || last.length === TABLES_AT_ONCE || last[0]?.catalog !== placed.catalog)
      slices.push([placed]);
    else last.push(placed);
  }
  return slices;
}

function namesOf({ catalog, table }: PlacedTable): string[] {
  return [catalog, table.schema ?? '', table.name];
}
