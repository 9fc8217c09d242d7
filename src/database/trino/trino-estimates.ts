/** What is asked of tables one by one or a few at a time, after their names are known: row counts and partitioning. */

import { z } from 'zod';
import { CandorError } from '../../errors.ts';
import { quoteName, quoteText, withoutQuotes } from '../../sql/dialects/index.ts';
import { inParallel } from '../http/in-parallel.ts';
import type { SchemaLeftOut, SchemaTable } from '../interface/database.ts';
import { type InTransaction, isRefusal, STATEMENTS_AT_ONCE } from './trino-parts.ts';

/** Of one question about tables that are known already. */
export const ASK_TIMEOUT_MS = 60_000;

/** Above it the metastore would be asked for minutes; the tables then have no estimate. */
const MOST_TABLES = 2_000;
/** Planning takes 10 ms a table so, and twice as long with four times as many. */
const TABLES_AT_ONCE = 25;
/** Connectors with a table `name$partitions` beside each table, whose column `partition` is a row of what it is partitioned by. */
const HAS_PARTITIONS_TABLE: ReadonlySet<string> = new Set(['iceberg', 'delta_lake']);
const MOST_ASKED = 2_000;
/** information_schema looks up to a hundred names up; of more it reads everything. */
const NAMES_AT_ONCE = 50;
const PARTITIONS = '$partitions';
/** What Iceberg appends to the name of a column for what it makes of it. */
const TRANSFORM = /_(?:year|month|day|hour|bucket|trunc)$/;
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
  const slices = slicesOf(real, { most: TABLES_AT_ONCE, placeOf: ({ catalog }) => catalog });
  await inParallel(slices, STATEMENTS_AT_ONCE, async (slice) => {
    const parts = slice.map(
      (placed) =>
        `SELECT 1 FROM ${namesOf(placed)
          .map((name) => quoteName(name, 'trino'))
          .join('.')}`,
    );
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

/** Columns that Iceberg and Delta Lake partition by. SHOW CREATE TABLE would tell, but only those who own a table. */
export async function readPartitionKeys(
  tables: readonly PlacedTable[],
  inTransaction: InTransaction,
): Promise<{ keys: ReadonlyMap<PlacedTable, readonly string[]>; leftOut: readonly SchemaLeftOut[] }> {
  const asked = tables.filter(
    ({ table, connector }) => table.kind === 'table' && HAS_PARTITIONS_TABLE.has(connector),
  );
  const keys = new Map<PlacedTable, readonly string[]>();
  const leftOut: SchemaLeftOut[] = [];
  const placeOf = ({ catalog, table }: PlacedTable): string => JSON.stringify([catalog, table.schema]);
  const slices = slicesOf(asked.slice(0, MOST_ASKED), { most: NAMES_AT_ONCE, placeOf });
  await inParallel(slices, STATEMENTS_AT_ONCE, async (slice) => {
    const byName = new Map(slice.map((placed) => [`${placed.table.name}${PARTITIONS}`, placed]));
    try {
      await inTransaction(ASK_TIMEOUT_MS, (forEachRow) =>
        forEachRow(partitionsSql(slice, [...byName.keys()]), ([name, type]) => {
          const placed = byName.get(String(name));
          const key = placed === undefined ? [] : readPartitioning(String(type), placed.table);
          if (placed !== undefined && key.length > 0) keys.set(placed, key);
        }),
      );
    } catch (error) {
      if (!(error instanceof CandorError) || !isRefusal(error)) throw error;
      const [first] = slice;
      const name = `how tables of ${first?.catalog}.${first?.table.schema} are partitioned`;
      leftOut.push({ name, because: error.message });
    }
  });
  const because = `there are ${asked.length} tables, and the first ${MOST_ASKED} were asked about`;
  if (asked.length > MOST_ASKED) leftOut.push({ name: 'how further tables are partitioned', because });
  return { keys, leftOut };
}

function partitionsSql([first]: readonly PlacedTable[], names: readonly string[]): string {
  return `SELECT table_name, data_type FROM ${quoteName(first?.catalog ?? '', 'trino')}.information_schema.columns
    WHERE table_schema = ${quoteText(first?.table.schema ?? '', 'trino')} AND column_name = 'partition'
      AND table_name IN (${names.map((name) => quoteText(name, 'trino')).join(', ')})`;
}

/** `row(sold_at_month integer, region varchar)` → region, sold_at: the columns that fields are named after. */
export function readPartitioning(type: string, { columns }: Pick<SchemaTable, 'columns'>): string[] {
  const fields = (/^row\((.*)\)$/s.exec(type)?.[1] ?? '').match(/(?:"(?:[^"]|"")+"|[^\s,"()]+)(?=\s)/g) ?? [];
  const names = new Set(fields.map((field) => withoutQuotes(field)));
  const isNamed = (name: string): boolean =>
    names.has(name) || [...names].some((field) => field.replace(TRANSFORM, '') === name);
  return columns.map(({ name }) => name).filter(isNamed);
}

/** Neighbours of one place each, so that one that fails takes nothing of another with it. */
function slicesOf(
  tables: readonly PlacedTable[],
  { most, placeOf }: { readonly most: number; readonly placeOf: (placed: PlacedTable) => string },
): PlacedTable[][] {
  const slices: PlacedTable[][] = [];
  for (const placed of tables) {
    const last = slices.at(-1);
    const [first] = last ?? [];
    const isOther = first === undefined || placeOf(first) !== placeOf(placed);
    if (last === undefined || isOther || last.length === most) slices.push([placed]);
    else last.push(placed);
  }
  return slices;
}

function namesOf({ catalog, table }: PlacedTable): string[] {
  return [catalog, table.schema ?? '', table.name];
}
