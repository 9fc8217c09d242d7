/** Reads tables, columns and comments of Trino's catalogs from `information_schema`; Trino knows no keys. */
import type { SchemaColumn, SchemaTable } from '../database.ts';
import { tableKey } from '../table-key.ts';
import type { PlacedTable } from './trino-estimates.ts';

/** Runs a query and hands over its rows one by one, so that no list of all columns is ever built twice. */
export type ForEachRow = (sql: string, onRow: (row: readonly unknown[]) => void) => Promise<void>;

export interface TrinoScope {
  /** All catalogs but `system` when absent. */
  readonly catalog: string | undefined;
  /** All schemas of the catalog when absent. */
  readonly schema: string | undefined;
}

interface OpenTable extends SchemaTable {
  readonly columns: SchemaColumn[];
  readonly partitionKey: string[];
  comment?: string;
}

export async function readTrinoTables(forEachRow: ForEachRow, scope: TrinoScope): Promise<PlacedTable[]> {
  const catalogs = scope.catalog === undefined ? await readCatalogs(forEachRow) : [scope.catalog];
  const tables: PlacedTable[] = [];
  for (const catalog of catalogs) {
    for (const table of await readCatalog(forEachRow, catalog, scope)) tables.push({ catalog, table });
  }
  return tables;
}

/** Changes with every table, column, type and name of the scope. */
export async function stampTrinoSchema(forEachRow: ForEachRow, scope: TrinoScope): Promise<string> {
  const catalogs = scope.catalog === undefined ? await readCatalogs(forEachRow) : [scope.catalog];
  const parts: string[] = [];
  for (const catalog of catalogs) {
    const names = ['table_schema', 'table_name', 'column_name', 'data_type', 'is_nullable'];
    const text = names.map((name) => `coalesce(${name}, '')`).join(` || chr(31) || `);
    await forEachRow(
      `SELECT count(*), to_hex(checksum(${text} || chr(31) || CAST(ordinal_position AS varchar)))
       FROM ${quote(catalog)}.information_schema.columns WHERE ${inScope(scope, 'table_schema')}`,
      ([count, checksum]) => parts.push(`${catalog}:${count}:${checksum}`),
    );
  }
  return parts.join(' ');
}

async function readCatalogs(forEachRow: ForEachRow): Promise<readonly string[]> {
  const catalogs: string[] = [];
  const sql = "SELECT catalog_name FROM system.metadata.catalogs WHERE catalog_name <> 'system' ORDER BY 1";
  await forEachRow(sql, ([name]) => catalogs.push(String(name)));
  return catalogs;
}

async function readCatalog(
  forEachRow: ForEachRow,
  catalog: string,
  scope: TrinoScope,
): Promise<Iterable<SchemaTable>> {
  const tables = new Map<string, OpenTable>();
  const keyOf = (schema: unknown, name: unknown): string =>
    tableKey({ name: String(name), qualifier: [String(schema)] });
  const from = `${quote(catalog)}.information_schema`;
  await forEachRow(
    `SELECT table_schema, table_name, table_type FROM ${from}.tables
     WHERE ${inScope(scope, 'table_schema')} ORDER BY 1, 2`,
    ([schema, name, type]) =>
      tables.set(keyOf(schema, name), openTable(catalog, String(schema), String(name), type, scope)),
  );
  await forEachRow(
    `SELECT table_schema, table_name, column_name, data_type, is_nullable, comment, extra_info FROM ${from}.columns
     WHERE ${inScope(scope, 'table_schema')} ORDER BY table_schema, table_name, ordinal_position`,
    ([schema, table, name, type, isNullable, comment, extra]) => {
      const open = tables.get(keyOf(schema, table));
      open?.columns.push({
        name: String(name),
        type: String(type),
        isNullable: isNullable !== 'NO',
        ...readComment(comment),
      });
      // As the Hive connector marks them; others tell their partitioning in SHOW CREATE TABLE only.
      if (extra === 'partition key') open?.partitionKey.push(String(name));
    },
  );
  await forEachRow(
    `SELECT schema_name, table_name, comment FROM system.metadata.table_comments
     WHERE catalog_name = ${quoteText(catalog)} AND comment <> '' AND ${inScope(scope, 'schema_name')}`,
    ([schema, name, comment]) => {
      const open = tables.get(keyOf(schema, name));
      if (open !== undefined) open.comment = String(comment);
    },
  );
  return [...tables.values()].filter((table) => table.columns.length > 0).map(finish);
}

function openTable(
  catalog: string,
  schema: string,
  name: string,
  type: unknown,
  scope: TrinoScope,
): OpenTable {
  const qualifier = [
    ...(scope.catalog === undefined ? [catalog] : []),
    ...(scope.schema === undefined ? [schema] : []),
  ];
  return {
    name,
    schema,
    ...(scope.catalog === undefined ? { catalog } : {}),
    ...(qualifier.length === 0 ? {} : { qualifier }),
    kind: type === 'VIEW' ? 'view' : 'table',
    columns: [],
    primaryKey: [],
    partitionKey: [],
  };
}

function finish({ partitionKey, ...table }: OpenTable): SchemaTable {
  return partitionKey.length === 0 ? table : { ...table, partitionKey };
}

function inScope(scope: TrinoScope, column: string): string {
  return scope.schema === undefined
    ? `${column} <> 'information_schema'`
    : `${column} = ${quoteText(scope.schema.toLowerCase())}`;
}

function readComment(comment: unknown): { comment?: string } {
  return typeof comment === 'string' && comment !== '' ? { comment } : {};
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
