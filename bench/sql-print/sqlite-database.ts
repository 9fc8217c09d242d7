/** The databases of the benchmarks, opened for reading. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';

export type SqliteDatabase = InstanceType<typeof DatabaseSync>;
export type Row = readonly unknown[];

export type Outcome =
  | { readonly ok: true; readonly rows: readonly Row[] }
  | { readonly ok: false; readonly error: string };

const FOLDERS: Readonly<Record<string, string>> = { spider: 'spider/database', bird: 'bird/databases' };

/** The file of `spider:concert_singer`; `undefined` when it is not here. */
export function databaseFile(databaseId: string, dataDirectory: string): string | undefined {
  const [kind = '', name = ''] = databaseId.split(':');
  const folder = FOLDERS[kind];
  if (folder === undefined) return undefined;
  const file = join(dataDirectory, folder, name, `${name}.sqlite`);
  return existsSync(file) ? file : undefined;
}

export function openSqlite(file: string): SqliteDatabase {
  return new DatabaseSync(file, { readOnly: true, enableDoubleQuotedStringLiterals: true });
}

/** All rows of a query as arrays; whole numbers as bigint, so that none is rounded. */
export function runSqlite(database: SqliteDatabase, sql: string): Outcome {
  try {
    const statement = database.prepare(sql);
    statement.setReadBigInts(true);
    statement.setReturnArrays(true);
    return { ok: true, rows: statement.all() as unknown as Row[] };
  } catch (error) {
    return { ok: false, error: error instanceof Error ? error.message : String(error) };
  }
}
