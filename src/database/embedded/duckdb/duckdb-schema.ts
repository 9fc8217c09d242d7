/** Reads tables, columns, keys and comments of a DuckDB file from its system functions. */

import type { DuckDBConnection } from '@duckdb/node-api';
import { quoteName } from '../../../sql/dialects/index.ts';
import type {
  DatabaseSchema,
  SchemaColumn,
  SchemaForeignKey,
  SchemaTable,
} from '../../interface/database.ts';
import { tableKey } from '../../interface/table-scope.ts';

/** The code that a DuckDB file can hold: macros, which come before the engine's functions of their names. */
export interface Macros {
  /** In small letters, of all schemas. */
  readonly names: readonly string[];
  /** The search path under which the engine's functions come first; absent where no macro has the name of one. */
  readonly path?: string;
}

/** The path of what is read of the file itself: a macro \`duckdb_functions\` or \`lower\` of its owner would answer instead. */
export const ENGINE_PATH = 'system.main,system.pg_catalog';
/** The file alone: the engine's own databases are internal. */
const OPEN_FILE = '(SELECT database_name FROM duckdb_databases() WHERE NOT internal)';

/**
 * Needs a connection with \`ENGINE_PATH\`. Operators, lists, fields, EXTRACT and INTERVAL call functions by name too, as `+` and `list_value`, so a macro of such
 * a name would be part of any statement. The other path is set for files alone that have one: under it
 * `current_database()` is `system`.
 */
export async function readMacros(connection: DuckDBConnection): Promise<Macros> {
  const names = await readNames(
    connection,
    'SELECT DISTINCT lower(function_name) FROM duckdb_functions() WHERE NOT internal',
  );
  if (names.length === 0) return { names };
  const known = new Set(names);
  const engine = await readNames(
    connection,
    'SELECT DISTINCT function_name FROM duckdb_functions() WHERE internal',
  );
  // Signs that only the binder knows are listed nowhere.
  const mayHide =
    names.some((name) => /\W/.test(name)) || engine.some((name) => known.has(name.toLowerCase()));
  if (!mayHide) return { names };
  const [database = ''] = await readNames(connection, `SELECT ${OPEN_FILE}`);
  const others = await readNames(
    connection,
    `SELECT schema_name FROM duckdb_schemas() WHERE database_name = ${OPEN_FILE} AND NOT internal ORDER BY oid`,
  );
  const path = ['main', ...others].map(
    (schema) => `${quoteName(database, 'duckdb')}.${quoteName(schema, 'duckdb')}`,
  );
  return { names, path: [ENGINE_PATH, ...path].join(',') };
}

async function readNames(connection: DuckDBConnection, sql: string): Promise<readonly string[]> {
  const reader = await connection.runAndReadAll(sql);
  return reader.getRowsJson().map(([name]) => String(name));
}

/** Rows as JSON values: text, whole numbers as text, booleans, lists. */
type ReadRows = (sql: string) => Promise<readonly (readonly unknown[])[]>;

const HERE = `database_name = ${OPEN_FILE}`;
/** The schema that a bare name reaches; tables of the others are written with theirs. */
const DEFAULT_SCHEMA = 'main';
/** What a full-text index keeps, in a schema called after the table: words of its rows, and no tables to ask about. */
const INDEX_TABLES: ReadonlySet<string> = new Set(['dict', 'docs', 'fields', 'stats', 'stopwords', 'terms']);

export async function readDuckdbSchema(read: ReadRows): Promise<DatabaseSchema> {
  const allRows = await read(`
    SELECT * FROM (
      SELECT schema_name, table_name, 'table' AS kind, comment, estimated_size, table_oid AS oid, schema_oid
      FROM duckdb_tables() WHERE ${HERE} AND NOT internal
      UNION ALL
      SELECT schema_name, view_name, 'view', comment, NULL, view_oid, schema_oid
      FROM duckdb_views() WHERE ${HERE} AND NOT internal)
    ORDER BY schema_name <> '${DEFAULT_SCHEMA}', schema_oid, oid`);
  const indexes = new Set(allRows.map(([schema, name]) => `fts_${schema}_${name}`));
  const tableRows = allRows.filter(
    ([schema, name]) => !(indexes.has(String(schema)) && INDEX_TABLES.has(String(name))),
  );
  const columnRows = await read(`
    SELECT schema_name, table_name, column_name, data_type, is_nullable, comment FROM duckdb_columns()
    WHERE ${HERE} AND NOT internal ORDER BY table_oid, column_index`);
  const keyRows = await read(`
    SELECT schema_name, table_name, constraint_type, constraint_column_names, referenced_table, referenced_column_names
    FROM duckdb_constraints() WHERE ${HERE} AND constraint_type IN ('PRIMARY KEY', 'FOREIGN KEY')
    ORDER BY table_oid, constraint_index`);

  const columns = new Map<string, SchemaColumn[]>();
  for (const [schema, table, name, type, isNullable, comment] of columnRows) {
    const key = keyOf(schema, table);
    const list = columns.get(key) ?? [];
    list.push({
      name: String(name),
      type: String(type),
      isNullable: isNullable === true,
      ...readComment(comment),
    });
    columns.set(key, list);
  }
  const spelling = new Map(
    tableRows.map(([schema, name]) => [keyOf(schema, name).toLowerCase(), keyOf(schema, name)]),
  );
  const primaryKeys = new Map<string, readonly string[]>();
  const foreignKeys: SchemaForeignKey[] = [];
  for (const [schema, table, type, names, target, targetNames] of keyRows) {
    if (type === 'PRIMARY KEY') primaryKeys.set(keyOf(schema, table), toNames(names));
    else
      foreignKeys.push({
        fromTable: keyOf(schema, table),
        fromColumns: toNames(names),
        // A key stays in its schema; the constraint keeps the spelling of its own text, not that of the table.
        toTable: spelling.get(keyOf(schema, target).toLowerCase()) ?? keyOf(schema, target),
        toColumns: toNames(targetNames),
      });
  }
  const tables: SchemaTable[] = [];
  for (const [schema, name, kind, comment, estimate] of tableRows) {
    const own = columns.get(keyOf(schema, name));
    // A view whose tables are gone has no columns any more; nobody can read it.
    if (own === undefined) continue;
    tables.push({
      name: String(name),
      ...placeOf(schema),
      kind: kind === 'view' ? 'view' : 'table',
      // Whatever is attached is in a database of its own, so a table of this file has its rows in this file.
      ...(kind === 'table' && { ownsRows: true as const }),
      ...readComment(comment),
      columns: own,
      primaryKey: primaryKeys.get(keyOf(schema, name)) ?? [],
      ...(estimate === null ? {} : { estimatedRows: Number(estimate) }),
    });
  }
  const [[database] = []] = await read(`SELECT ${OPEN_FILE}`);
  return { tables, foreignKeys, home: { catalog: String(database), schema: DEFAULT_SCHEMA } };
}

function placeOf(schema: unknown): Pick<SchemaTable, 'schema' | 'qualifier'> {
  const name = String(schema);
  return name === DEFAULT_SCHEMA ? {} : { schema: name, qualifier: [name] };
}

function keyOf(schema: unknown, table: unknown): string {
  return tableKey({ name: String(table), ...placeOf(schema) });
}

function readComment(comment: unknown): { comment?: string } {
  return typeof comment === 'string' && comment !== '' ? { comment } : {};
}

function toNames(names: unknown): string[] {
  return Array.isArray(names) ? names.map(String) : [];
}
