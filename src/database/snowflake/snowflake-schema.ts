/** Reads tables, columns, keys and comments of a Snowflake database in four statements. */
import { quoteName, quoteText, withoutQuotes } from '../../sql/dialects/index.ts';
import type { DatabaseSchema, SchemaColumn, SchemaForeignKey, SchemaTable } from '../interface/database.ts';
import { tableKey } from '../interface/table-scope.ts';

/** One row by the names of its columns, in lower case. */
export type SnowflakeRow = Readonly<Record<string, string | null>>;
export type ForEachRow = (sql: string, onRow: (row: SnowflakeRow) => void) => Promise<void>;

export interface SnowflakeScope {
  readonly database: string;
  /** All schemas but INFORMATION_SCHEMA when absent. */
  readonly schema: string | undefined;
  /** Names of tables are written with the database. */
  readonly isOneOfMany?: boolean;
}

/** The others are views, external tables, whose rows are files of a stage, and event tables, which Snowflake writes. */
const STORED_TYPES: ReadonlySet<string> = new Set(['BASE TABLE', 'TEMPORARY TABLE', 'TRANSIENT TABLE']);

interface OpenTable {
  readonly table: Omit<SchemaTable, 'columns' | 'primaryKey'>;
  readonly clusteringKey: string;
  readonly columns: SchemaColumn[];
  readonly primaryKey: string[];
}

export async function readSnowflakeSchema(
  forEachRow: ForEachRow,
  scope: SnowflakeScope,
): Promise<DatabaseSchema> {
  const tables = new Map<string, OpenTable>();
  const keyOf = (schema: string | null | undefined, name: string | null | undefined): string =>
    tableKey({ name: name ?? '', ...placeOf(schema ?? '', scope) });
  await forEachRow(tablesSql(scope), (row) =>
    tables.set(keyOf(row.table_schema, row.table_name), openTable(row, scope)),
  );
  await forEachRow(columnsSql(scope), (row) =>
    tables.get(keyOf(row.table_schema, row.table_name))?.columns.push(readColumn(row)),
  );
  await forEachRow(`SHOW PRIMARY KEYS IN ${placeSql(scope)}`, (row) => {
    const table = tables.get(keyOf(row.schema_name, row.table_name));
    if (table !== undefined && row.column_name)
      table.primaryKey[Number(row.key_sequence) - 1] = row.column_name;
  });
  const keys = new ForeignKeys();
  await forEachRow(`SHOW IMPORTED KEYS IN ${placeSql(scope)}`, (row) => {
    const from = keyOf(row.fk_schema_name, row.fk_table_name);
    const to = keyOf(row.pk_schema_name, row.pk_table_name);
    const isInside = row.pk_database_name === scope.database && tables.has(from) && tables.has(to);
    if (isInside) keys.add(from, to, row);
  });
  return {
    tables: [...tables.values()].filter(({ columns }) => columns.length > 0).map(finish),
    foreignKeys: keys.list(),
    home: { catalog: scope.database },
  };
}

/** Keys of the tables that the role may see. */
export async function listSnowflakeTables(
  forEachRow: ForEachRow,
  scope: SnowflakeScope,
): Promise<readonly string[]> {
  const keys: string[] = [];
  const sql = `SELECT TABLE_SCHEMA, TABLE_NAME FROM ${from(scope)}.TABLES WHERE ${inScope(scope)} ORDER BY 1, 2`;
  await forEachRow(sql, (row) => {
    const table = { name: row.table_name ?? '', ...placeOf(row.table_schema ?? '', scope) };
    keys.push(tableKey(table));
  });
  return keys;
}

/** One statement over the times of the last change of form; comments and columns move it too. */
export function stampSql(scope: SnowflakeScope): string {
  return `SELECT COUNT(*), HASH_AGG(TABLE_SCHEMA, TABLE_NAME, LAST_DDL) FROM ${from(scope)}.TABLES WHERE ${inScope(scope)}`;
}

/** The columns of a key come as rows of their own, in any order of keys. */
class ForeignKeys {
  readonly #keys = new Map<
    string,
    { from: string; to: string; fromColumns: string[]; toColumns: string[] }
  >();

  add(from: string, to: string, row: SnowflakeRow): void {
    const id = JSON.stringify([from, to, row.fk_name]);
    const key = this.#keys.get(id) ?? { from, to, fromColumns: [], toColumns: [] };
    const index = Number(row.key_sequence) - 1;
    key.fromColumns[index] = row.fk_column_name ?? '';
    key.toColumns[index] = row.pk_column_name ?? '';
    this.#keys.set(id, key);
  }

  list(): SchemaForeignKey[] {
    return [...this.#keys.values()].map(({ from, to, fromColumns, toColumns }) => ({
      ...{ fromTable: from, fromColumns, toTable: to, toColumns },
    }));
  }
}

function tablesSql(scope: SnowflakeScope): string {
  return `SELECT TABLE_SCHEMA, TABLE_NAME, TABLE_TYPE, IS_DYNAMIC, IS_ICEBERG, ROW_COUNT, CLUSTERING_KEY, COMMENT,
      TO_VARCHAR(DATE_PART(EPOCH_NANOSECOND, LAST_ALTERED)) AS LAST_ALTERED
    FROM ${from(scope)}.TABLES WHERE ${inScope(scope)} ORDER BY TABLE_SCHEMA, TABLE_NAME`;
}

function columnsSql(scope: SnowflakeScope): string {
  return `SELECT TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, DATA_TYPE, NUMERIC_PRECISION, NUMERIC_SCALE, IS_NULLABLE, COMMENT
    FROM ${from(scope)}.COLUMNS WHERE ${inScope(scope)} ORDER BY TABLE_SCHEMA, TABLE_NAME, ORDINAL_POSITION`;
}

function openTable(row: SnowflakeRow, scope: SnowflakeScope): OpenTable {
  const schema = row.table_schema ?? '';
  const isView = /VIEW/.test(row.table_type ?? '');
  // A dynamic table is what a query makes of others; of an Iceberg table the files may be another catalog's.
  const isStored =
    STORED_TYPES.has(row.table_type ?? '') && row.is_dynamic === 'NO' && row.is_iceberg === 'NO';
  return {
    table: {
      name: row.table_name ?? '',
      schema,
      ...placeOf(schema, scope),
      kind: isView ? 'view' : 'table',
      ...(isStored && { ownsRows: true as const }),
      ...readComment(row.comment),
      ...(row.row_count ? { estimatedRows: Number(row.row_count) } : {}),
      // The rows of a view change without it.
      ...(row.last_altered && !isView ? { dataStamp: row.last_altered } : {}),
    },
    clusteringKey: row.clustering_key ?? '',
    columns: [],
    primaryKey: [],
  };
}

function readColumn(row: SnowflakeRow): SchemaColumn {
  const type = row.data_type ?? '';
  const digits = row.numeric_precision && row.numeric_scale !== null;
  return {
    name: row.column_name ?? '',
    type: type === 'NUMBER' && digits ? `NUMBER(${row.numeric_precision},${row.numeric_scale ?? 0})` : type,
    isNullable: row.is_nullable !== 'NO',
    ...readComment(row.comment),
  };
}

function finish({ table, clusteringKey, columns, primaryKey }: OpenTable): SchemaTable {
  const partitionKey = readClusteringKey(clusteringKey, columns);
  return { ...table, columns, primaryKey, ...(partitionKey.length === 0 ? {} : { partitionKey }) };
}

/** `LINEAR(region, TO_DATE(sold_at))` → region, sold_at: micro-partitions are pruned by a filter on any of them. */
function readClusteringKey(text: string, columns: readonly SchemaColumn[]): string[] {
  const words = text.match(/"(?:[^"]|"")+"|[a-z_][a-z0-9_$]*/gi) ?? [];
  const names = words.map((word) => (word.startsWith('"') ? withoutQuotes(word) : word.toUpperCase()));
  return columns.map(({ name }) => name).filter((name) => names.includes(name));
}

function placeOf(schema: string, scope: SnowflakeScope): Pick<SchemaTable, 'catalog' | 'qualifier'> {
  if (scope.isOneOfMany === true) return { catalog: scope.database, qualifier: [scope.database, schema] };
  return scope.schema === undefined ? { qualifier: [schema] } : {};
}

function placeSql(scope: SnowflakeScope): string {
  return scope.schema === undefined
    ? `DATABASE ${quoteName(scope.database, 'snowflake')}`
    : `SCHEMA ${quoteName(scope.database, 'snowflake')}.${quoteName(scope.schema, 'snowflake')}`;
}

function from(scope: SnowflakeScope): string {
  return `${quoteName(scope.database, 'snowflake')}.INFORMATION_SCHEMA`;
}

function inScope(scope: SnowflakeScope): string {
  return scope.schema === undefined
    ? "TABLE_SCHEMA <> 'INFORMATION_SCHEMA'"
    : `TABLE_SCHEMA = ${quoteText(scope.schema, 'snowflake')}`;
}

function readComment(comment: string | null | undefined): { comment?: string } {
  return comment ? { comment } : {};
}
