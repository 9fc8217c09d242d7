/** The code that a DuckDB file can hold: macros, which come before the engine's functions of their names. */

import type { DuckDBConnection } from '@duckdb/node-api';
import { quoteName } from '../../../sql/index.ts';

export interface Macros {
  /** In small letters, of all schemas. */
  readonly names: readonly string[];
  /** The search path under which the engine's functions come first; absent where no macro has the name of one. */
  readonly path?: string;
}

/** The path of what is read of the file itself: a macro \`duckdb_functions\` or \`lower\` of its owner would answer instead. */
export const ENGINE_PATH = 'system.main,system.pg_catalog';
/** The file alone: the engine's own databases are internal. */
export const OPEN_FILE = '(SELECT database_name FROM duckdb_databases() WHERE NOT internal)';

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
