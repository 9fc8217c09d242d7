/** Reads tables, columns, keys and descriptions of BigQuery datasets from `INFORMATION_SCHEMA`. */

import { CandorError } from '../../errors.ts';
import type { Cell } from '../../sql/dialects/cell.ts';
import { quoteName } from '../../sql/dialects/index.ts';
import type { DatabaseSchema, SchemaColumn, SchemaForeignKey, SchemaTable } from '../interface/database.ts';
import { tableKey } from '../interface/table-scope.ts';

export type ForEachRow = (sql: string, onRow: (row: readonly Cell[]) => void) => Promise<void>;

export interface BigqueryScope {
  readonly dataProject: string;
  /** All datasets of the location when absent. */
  readonly dataset: string | undefined;
  /** As `EU`; region-wide views need it. */
  readonly location: string;
}

interface OpenTable extends Omit<SchemaTable, 'columns' | 'primaryKey'> {
  readonly columns: SchemaColumn[];
  readonly primaryKey: string[];
  readonly partitions: string[];
  comment?: string;
  estimatedRows?: number;
  dataStamp?: string;
}

/** Keys are told by dataset alone; so many are asked about in one statement. */
const DATASETS_AT_ONCE = 20;
const KEY_COLUMNS = 'constraint_name, table_schema, table_name, column_name, ordinal_position';

export async function readBigquerySchema(
  forEachRow: ForEachRow,
  scope: BigqueryScope,
): Promise<DatabaseSchema> {
  const tables = new Map<string, OpenTable>();
  const find = (schema: Cell | undefined, name: Cell | undefined): OpenTable | undefined =>
    tables.get(keyOf(scope, schema, name));
  const from = viewsOf(scope);
  await forEachRow(
    `SELECT table_schema, table_name, table_type FROM ${from}.TABLES ORDER BY table_schema, table_name`,
    ([schema, name, type]) => tables.set(keyOf(scope, schema, name), openTable(scope, schema, name, type)),
  );
  await forEachRow(columnsSql(from), ([schema, table, name, type, isNullable, isPartition, description]) => {
    const open = find(schema, table);
    open?.columns.push({
      name: String(name),
      type: String(type),
      isNullable: isNullable !== 'NO',
      ...(typeof description === 'string' && description !== '' ? { comment: description } : {}),
    });
    if (isPartition === 'YES') open?.partitions.push(String(name));
  });
  await forEachRow(
    `SELECT table_schema, table_name, option_value FROM ${from}.TABLE_OPTIONS WHERE option_name = 'description'`,
    ([schema, name, value]) => {
      const open = find(schema, name);
      if (open !== undefined) open.comment = readLiteral(String(value));
    },
  );
  await readStorage(forEachRow, scope, find);
  const foreignKeys = await readKeys(forEachRow, scope, [...tables.values()]);
  return {
    tables: [...tables.values()].filter(({ columns }) => columns.length > 0).map(finish),
    foreignKeys,
    home: { catalog: scope.dataProject },
  };
}

/** Keys of the tables that the account may see. */
export async function listBigqueryTables(
  forEachRow: ForEachRow,
  scope: BigqueryScope,
): Promise<readonly string[]> {
  const keys: string[] = [];
  const sql = `SELECT table_schema, table_name FROM ${viewsOf(scope)}.TABLES ORDER BY table_schema, table_name`;
  await forEachRow(sql, ([schema, name]) => keys.push(keyOf(scope, schema, name)));
  return keys;
}

/** One statement over all columns; changes with every table, column, type and description. */
export function stampSql(scope: BigqueryScope): string {
  return `SELECT COUNT(*), BIT_XOR(FARM_FINGERPRINT(FORMAT('%T', (table_schema, table_name, field_path, data_type, description))))
    FROM ${viewsOf(scope)}.COLUMN_FIELD_PATHS`;
}

/** Row counts and times of change; an account without the right to see them learns everything else. */
async function readStorage(
  forEachRow: ForEachRow,
  scope: BigqueryScope,
  find: (schema: Cell | undefined, name: Cell | undefined) => OpenTable | undefined,
): Promise<void> {
  const where = scope.dataset === undefined ? '' : ` AND table_schema = '${scope.dataset}'`;
  try {
    await forEachRow(
      `SELECT table_schema, table_name, total_rows, CAST(UNIX_MICROS(storage_last_modified_time) AS STRING)
       FROM ${regionViewsOf(scope)}.TABLE_STORAGE WHERE NOT deleted${where}`,
      ([schema, name, rows, changed]) => {
        const open = find(schema, name);
        if (open === undefined) return;
        if (rows !== null) open.estimatedRows = Number(rows);
        if (typeof changed === 'string') open.dataStamp = changed;
      },
    );
  } catch (error) {
    if (!(error instanceof CandorError) || error.code !== 'database.access-denied') throw error;
  }
}

async function readKeys(
  forEachRow: ForEachRow,
  scope: BigqueryScope,
  tables: readonly OpenTable[],
): Promise<SchemaForeignKey[]> {
  const datasets = [...new Set(tables.map(({ schema }) => schema ?? ''))];
  const found: (readonly Cell[])[] = [];
  for (let start = 0; start < datasets.length; start += DATASETS_AT_ONCE) {
    const some = datasets.slice(start, start + DATASETS_AT_ONCE);
    const parts = some.map((dataset) =>
      keysSql(`${quoteName(scope.dataProject, 'bigquery')}.${quoteName(dataset, 'bigquery')}`),
    );
    await forEachRow(`${parts.join('\nUNION ALL\n')}\nORDER BY 2, 1, 5`, (row) => found.push(row));
  }
  const byKey = new Map(tables.map((table) => [tableKey(table), table]));
  const foreign = new Map<string, { key: SchemaForeignKey; from: string[]; positions: number[] }>();
  for (const [constraint, schema, table, column, ordinal, target, toSchema, toTable] of found) {
    const from = keyOf(scope, schema, table);
    if (target === null || target === undefined) {
      const own = byKey.get(from);
      if (own !== undefined) own.primaryKey[Number(ordinal) - 1] = String(column);
      continue;
    }
    const id = JSON.stringify([schema, constraint]);
    const to = keyOf(scope, toSchema, toTable);
    const known = foreign.get(id) ?? {
      key: { fromTable: from, fromColumns: [], toTable: to, toColumns: [] },
      ...{ from: [], positions: [] },
    };
    known.from.push(String(column));
    known.positions.push(Number(target));
    foreign.set(id, known);
  }
  return [...foreign.values()].flatMap(({ key, from, positions }) => {
    const primaryKey = byKey.get(key.toTable)?.primaryKey ?? [];
    const toColumns = positions.map((position) => primaryKey[position - 1] ?? '');
    // A key into another project's dataset, which is not in scope.
    return toColumns.includes('') ? [] : [{ ...key, fromColumns: from, toColumns }];
  });
}

/** A foreign key's rows name the position in the other table's primary key; that table stands in another view. */
function keysSql(dataset: string): string {
  const views = `${dataset}.INFORMATION_SCHEMA`;
  return `SELECT ${KEY_COLUMNS}, position_in_unique_constraint, to_schema, to_table
    FROM ${views}.KEY_COLUMN_USAGE LEFT JOIN (
      SELECT DISTINCT constraint_name, table_schema AS to_schema, table_name AS to_table
      FROM ${views}.CONSTRAINT_COLUMN_USAGE) USING (constraint_name)`;
}

function columnsSql(from: string): string {
  return `SELECT c.table_schema, c.table_name, c.column_name, c.data_type, c.is_nullable, c.is_partitioning_column, p.description
    FROM ${from}.COLUMNS AS c LEFT JOIN ${from}.COLUMN_FIELD_PATHS AS p
      ON p.table_schema = c.table_schema AND p.table_name = c.table_name AND p.field_path = c.column_name
    WHERE c.is_hidden = 'NO' ORDER BY c.table_schema, c.table_name, c.ordinal_position`;
}

function openTable(
  scope: BigqueryScope,
  schema: Cell | undefined,
  name: Cell | undefined,
  type: Cell | undefined,
): OpenTable {
  return {
    name: String(name),
    schema: String(schema),
    ...placeOf(scope, schema),
    kind: /VIEW/.test(String(type)) ? 'view' : 'table',
    // Snapshots and clones show the rows of their base table; external tables read files.
    ...(type === 'BASE TABLE' && { ownsRows: true as const }),
    ...{ columns: [], primaryKey: [], partitions: [] },
  };
}

function finish({ partitions, ...table }: OpenTable): SchemaTable {
  return partitions.length === 0 ? table : { ...table, partitionKey: partitions };
}

function keyOf(scope: BigqueryScope, schema: Cell | undefined, name: Cell | undefined): string {
  return tableKey({ name: String(name), ...placeOf(scope, schema) });
}

function placeOf(scope: BigqueryScope, schema: Cell | undefined): Pick<SchemaTable, 'qualifier'> {
  return scope.dataset === undefined ? { qualifier: [String(schema)] } : {};
}

function viewsOf(scope: BigqueryScope): string {
  return scope.dataset === undefined
    ? regionViewsOf(scope)
    : `${quoteName(scope.dataProject, 'bigquery')}.${quoteName(scope.dataset, 'bigquery')}.INFORMATION_SCHEMA`;
}

function regionViewsOf(scope: BigqueryScope): string {
  return `${quoteName(scope.dataProject, 'bigquery')}.${quoteName(`region-${scope.location.toLowerCase()}`, 'bigquery')}.INFORMATION_SCHEMA`;
}

/** Options come as literals of SQL: `"All orders"`. */
function readLiteral(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? value : text;
  } catch {
    return text.replace(/^"|"$/g, '');
  }
}
