/** A SQLite database as DuckDB tables in memory, each column with the type its values have. */

import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { ValueKind } from '../../src/sql/transpile/translation/value-kind.ts';
import type { TableKinds } from './column-kinds.ts';
import type { Outcome, Row, SqliteDatabase } from './sqlite-database.ts';

export interface DuckdbCopy {
  readonly run: (sql: string) => Promise<Outcome>;
  readonly tables: TableKinds;
  /** Names of columns that hold both numbers and texts, which no type of DuckDB does; lower case. */
  readonly mixed: ReadonlySet<string>;
  readonly close: () => void;
}

type Storage = 'integer' | 'real' | 'text' | 'blob' | 'null';
const TYPES: Readonly<Record<Storage, string>> = {
  integer: 'BIGINT',
  real: 'DOUBLE',
  text: 'VARCHAR',
  blob: 'BLOB',
  null: 'VARCHAR',
};

export async function copyToDuckdb(source: SqliteDatabase): Promise<DuckdbCopy> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const mixed = new Set<string>();
  const tables = new Map<string, ReadonlyMap<string, ValueKind | undefined>>();
  for (const table of namesOf(
    source,
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
  )) {
    tables.set(table.toLowerCase(), await copyTable(source, table, { connection, mixed }));
  }
  return {
    run: (sql) => runDuckdb(connection, sql),
    tables,
    mixed,
    close: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

function namesOf(source: SqliteDatabase, sql: string): readonly string[] {
  return source
    .prepare(sql)
    .all()
    .map((row) => String(Object.values(row as object)[0]));
}

async function copyTable(
  source: SqliteDatabase,
  table: string,
  { connection: target, mixed }: { readonly connection: DuckDBConnection; readonly mixed: Set<string> },
): Promise<ReadonlyMap<string, ValueKind | undefined>> {
  const columns = namesOf(source, `SELECT name FROM pragma_table_info(${text(table)})`);
  const storages = columns.map((column) => {
    const storage = storageOf(source, table, column);
    if (storage === 'mixed') mixed.add(column.toLowerCase());
    return storage === 'mixed' ? 'text' : storage;
  });
  const fields = columns.map((column, index) => `${quoted(column)} ${TYPES[storages[index] ?? 'null']}`);
  await target.run(`CREATE TABLE ${quoted(table)} (${fields.join(', ')})`);
  const statement = source.prepare(`SELECT * FROM ${quoted(table)}`);
  statement.setReadBigInts(true);
  statement.setReturnArrays(true);
  const appender = await target.createAppender(table);
  for (const row of statement.all() as unknown as Row[]) {
    for (const [index, cell] of row.entries()) appendCell(appender, cell, storages[index] ?? 'null');
    appender.endRow();
  }
  appender.closeSync();
  return new Map(
    columns.map((column, index) => [column.toLowerCase(), kindOfStorage(storages[index] ?? 'null')]),
  );
}

type Appender = Awaited<ReturnType<DuckDBConnection['createAppender']>>;

function appendCell(appender: Appender, cell: unknown, storage: Storage): void {
  if (cell === null || cell === undefined) appender.appendNull();
  else if (storage === 'integer') appender.appendBigInt(BigInt(String(cell)));
  else if (storage === 'real') appender.appendDouble(Number(cell));
  else if (cell instanceof Uint8Array) appender.appendBlob(cell);
  else appender.appendVarchar(String(cell));
}

/** What all values of a column are. */
function storageOf(source: SqliteDatabase, table: string, column: string): Storage | 'mixed' {
  const found = namesOf(
    source,
    `SELECT DISTINCT typeof(${quoted(column)}) FROM ${quoted(table)} WHERE ${quoted(column)} IS NOT NULL`,
  ) as readonly Storage[];
  const [only] = found;
  if (found.length <= 1) return only ?? declaredStorage(source, table, column);
  return found.every((storage) => storage === 'integer' || storage === 'real') ? 'real' : 'mixed';
}

/** An empty column is what its declaration says. */
function declaredStorage(source: SqliteDatabase, table: string, column: string): Storage {
  const [type = ''] = namesOf(
    source,
    `SELECT type FROM pragma_table_info(${text(table)}) WHERE name = ${text(column)}`,
  );
  if (/INT/i.test(type)) return 'integer';
  return /REAL|FLOA|DOUB|NUM|DEC/i.test(type) ? 'real' : 'text';
}

function kindOfStorage(storage: Storage): ValueKind | undefined {
  return storage === 'integer' || storage === 'real' || storage === 'text' ? storage : undefined;
}

async function runDuckdb(connection: DuckDBConnection, sql: string): Promise<Outcome> {
  try {
    const reader = await connection.runAndReadAll(sql);
    return { ok: true, rows: reader.getRows().map((row) => row.map(plain)) };
  } catch (error) {
    return {
      ok: false,
      error: error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error),
    };
  }
}

/** Dates and decimals as their text. */
function plain(cell: unknown): unknown {
  return typeof cell === 'object' && cell !== null && !(cell instanceof Uint8Array) ? String(cell) : cell;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function text(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}
