/** Reads tables, columns, comments and views of Trino's catalogs from `information_schema`; Trino knows no keys. */

import { CandorError } from '../../errors.ts';
import { quoteName, quoteText } from '../../sql/dialects/index.ts';
import type { SchemaColumn, SchemaLeftOut, SchemaTable } from '../interface/database.ts';
import { tableKey, tablePath } from '../interface/table-scope.ts';
import { ASK_TIMEOUT_MS, type PlacedTable } from './trino-estimates.ts';
import {
  type ForEachRow,
  type InTransaction,
  isRefusal,
  readParts,
  type TrinoPart,
  type TrinoScope,
} from './trino-parts.ts';
import {
  kindOf,
  type MaterializedTables,
  materializedKey,
  materializedSql,
  mayMaterialize,
  toMaterialized,
} from './trino-tables.ts';

interface OpenTable extends SchemaTable {
  readonly columns: SchemaColumn[];
  readonly partitionKey: string[];
  comment?: string;
}

export interface TrinoTables {
  readonly tables: readonly PlacedTable[];
  readonly leftOut: readonly SchemaLeftOut[];
}

/** Tables of the scope in the order of their names, and what could not be read of it. */
export async function readTrinoTables(inTransaction: InTransaction, scope: TrinoScope): Promise<TrinoTables> {
  const { found, leftOut } = await readParts(inTransaction, scope, (part, forEachRow) =>
    readPart(forEachRow, part, scope),
  );
  const unread: SchemaLeftOut[] = [];
  const tables: PlacedTable[] = [];
  for (const { part, value } of found) {
    const materialized = await readMaterialized(inTransaction, part);
    if (materialized instanceof CandorError)
      unread.push({
        name: `which tables of ${namesOf(part)} are materialised views`,
        because: materialized.message,
      });
    tables.push(...value.tables.map((placed) => withKind(placed, materialized)));
  }
  return { tables, leftOut: [...leftOut, ...found.flatMap(({ value }) => value.leftOut), ...unread] };
}

/** In a transaction of its own, which a refusal ends; what was refused is then not known of any table of the part. */
async function readMaterialized(
  inTransaction: InTransaction,
  { catalog, connector, schema }: TrinoPart,
): Promise<MaterializedTables | CandorError> {
  if (!mayMaterialize(connector)) return new Set();
  try {
    const rows: (readonly unknown[])[] = [];
    await inTransaction(ASK_TIMEOUT_MS, (forEachRow) =>
      forEachRow(materializedSql(catalog, schema), (row) => rows.push(row)),
    );
    return toMaterialized(rows);
  } catch (error) {
    if (!(error instanceof CandorError) || !isRefusal(error)) throw error;
    return error;
  }
}

function withKind(placed: PlacedTable, materialized: MaterializedTables | CandorError): PlacedTable {
  const { table, connector } = placed;
  const isMaterialized =
    materialized instanceof CandorError
      ? undefined
      : materialized.has(materializedKey(table.schema, table.name));
  const type = table.kind === 'view' ? 'VIEW' : 'BASE TABLE';
  return { ...placed, table: { ...table, ...kindOf({ type, connector, isMaterialized }) } };
}

/** Keys of the tables of the scope that the caller may see. */
export async function listTrinoTables(
  inTransaction: InTransaction,
  scope: TrinoScope,
): Promise<readonly string[]> {
  const { found } = await readParts(inTransaction, scope, async (part, forEachRow) => {
    const keys: string[] = [];
    await forEachTable(forEachRow, part, ({ schema, name, type }) => {
      const table = openTable(part.catalog, { schema, name, type }, scope);
      if (scope.tables.holds(tablePath(table))) keys.push(tableKey(table));
    });
    return keys;
  });
  return found.flatMap(({ value }) => value);
}

/** Changes with every table, column, type and name of the scope, and when a catalog can be read no more, or again. */
export async function stampTrinoSchema(inTransaction: InTransaction, scope: TrinoScope): Promise<string> {
  const names = ['table_schema', 'table_name', 'column_name', 'data_type', 'is_nullable'];
  const text = names.map((name) => `coalesce(${name}, '')`).join(` || chr(31) || `);
  const { found, leftOut } = await readParts(inTransaction, scope, async (part, forEachRow) => {
    const cells: unknown[] = [];
    await forEachRow(
      `SELECT count(*), to_hex(checksum(${text} || chr(31) || CAST(ordinal_position AS varchar)))
       FROM ${quoteName(part.catalog, 'trino')}.information_schema.columns WHERE ${inPart(part, 'table_schema')}`,
      (row) => cells.push(...row),
    );
    await forEachRow(
      `SELECT to_hex(checksum(table_schema || chr(31) || table_name || chr(31) || table_type))
       FROM ${quoteName(part.catalog, 'trino')}.information_schema.tables WHERE ${inPart(part, 'table_schema')}`,
      (row) => cells.push(...row),
    );
    return cells.join(':');
  });
  const parts = found.map(({ part, value }) => `${namesOf(part)}:${value}`);
  return [...parts, ...leftOut.map(({ name }) => `${name}:unread`)].join(' ');
}

function namesOf({ catalog, schema }: TrinoPart): string {
  return schema === undefined ? catalog : `${catalog}.${schema}`;
}

async function readPart(
  forEachRow: ForEachRow,
  part: TrinoPart,
  scope: TrinoScope,
): Promise<{ tables: PlacedTable[]; leftOut: SchemaLeftOut[] }> {
  const { catalog, connector } = part;
  const tables = new Map<string, OpenTable>();
  const keyOf = (schema: unknown, name: unknown): string =>
    tableKey({ name: String(name), qualifier: [String(schema)] });
  const from = `${quoteName(catalog, 'trino')}.information_schema`;
  await forEachTable(forEachRow, part, (named) => {
    const table = openTable(catalog, named, scope);
    if (scope.tables.holds(tablePath(table))) tables.set(keyOf(named.schema, named.name), table);
  });
  await forEachRow(
    `SELECT table_schema, table_name, column_name, data_type, is_nullable, comment, extra_info FROM ${from}.columns
     WHERE ${inPart(part, 'table_schema')} ORDER BY table_schema, table_name, ordinal_position`,
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
  // Last: a statement that fails ends the transaction.
  const leftOut = await readComments(forEachRow, part, (schema, name) => tables.get(keyOf(schema, name)));
  const kept = [...tables.values()].filter(({ columns }) => columns.length > 0);
  return { tables: kept.map((table) => ({ catalog, connector, table: finish(table) })), leftOut };
}

interface NamedTable {
  readonly schema: string;
  readonly name: string;
  readonly type: unknown;
}

function forEachTable(
  forEachRow: ForEachRow,
  part: TrinoPart,
  onTable: (table: NamedTable) => void,
): Promise<void> {
  return forEachRow(
    `SELECT table_schema, table_name, table_type FROM ${quoteName(part.catalog, 'trino')}.information_schema.tables
     WHERE ${inPart(part, 'table_schema')} ORDER BY 1, 2`,
    ([schema, name, type]) => onTable({ schema: String(schema), name: String(name), type }),
  );
}

/** Some connectors open every table for its comment, and fail with the first that is broken. */
async function readComments(
  forEachRow: ForEachRow,
  part: TrinoPart,
  find: (schema: unknown, name: unknown) => OpenTable | undefined,
): Promise<SchemaLeftOut[]> {
  try {
    await forEachRow(
      `SELECT schema_name, table_name, comment FROM system.metadata.table_comments
       WHERE catalog_name = ${quoteText(part.catalog, 'trino')} AND comment <> '' AND ${inPart(part, 'schema_name')}`,
      ([schema, name, comment]) => {
        const open = find(schema, name);
        if (open !== undefined) open.comment = String(comment);
      },
    );
    return [];
  } catch (error) {
    if (!(error instanceof CandorError) || error.code === 'database.timeout' || !isRefusal(error))
      throw error;
    return [{ name: `what is said of tables in ${namesOf(part)}`, because: error.message }];
  }
}

function openTable(catalog: string, { schema, name, type }: NamedTable, scope: TrinoScope): OpenTable {
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

function inPart({ schema, without }: TrinoPart, column: string): string {
  if (schema !== undefined) return `${column} = ${quoteText(schema, 'trino')}`;
  return `${column} NOT IN (${['information_schema', ...without].map((name) => quoteText(name, 'trino')).join(', ')})`;
}

function readComment(comment: unknown): { comment?: string } {
  return typeof comment === 'string' && comment !== '' ? { comment } : {};
}
