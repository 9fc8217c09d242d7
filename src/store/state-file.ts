/** One SQLite file with state of ours: a crash at any point leaves the last finished transaction. */
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { loadSqliteDriver, type SqliteDriver } from '../database/index.ts';
import { CandorError } from '../errors.ts';

type Connection = InstanceType<SqliteDriver['DatabaseSync']>;
export type StateStatement = ReturnType<Connection['prepare']>;

export interface StateFile {
  /** Runs statements that give no rows. */
  exec(sql: string): void;
  prepare(sql: string): StateStatement;
  /** Runs `change` as one transaction: all of it is kept, or nothing. */
  transaction<Result>(change: () => Result): Result;
  close(): void;
}

export interface StateFileOptions {
  /**
   * SQL that makes version 1, then what makes version 2 of it, and so on. A file of a newer version than these is
   * refused: an older Candor would misread it.
   */
  readonly migrations: readonly string[];
}

const BUSY_TIMEOUT_MS = 10_000;

/** Opens the file, made when it is absent, and brings it to the newest version. Throws `store.unusable`. */
export async function openStateFile(path: string, options: StateFileOptions): Promise<StateFile> {
  const driver = await loadSqliteDriver();
  return orUnusable(path, async () => {
    await mkdir(dirname(path), { recursive: true });
    const connection = new driver.DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS, allowExtension: false });
    try {
      // WAL: readers go on while one process writes. NORMAL: a power cut may lose the last transaction, never the file.
      connection.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON');
      migrate(connection, path, options.migrations);
    } catch (error) {
      connection.close();
      throw error;
    }
    return new SqliteStateFile(connection);
  });
}

function migrate(connection: Connection, path: string, migrations: readonly string[]): void {
  const version = (): number => Number(connection.prepare('PRAGMA user_version').get()?.user_version ?? 0);
  if (version() > migrations.length) {
    throw new CandorError('store.unusable', `${path} was written by a newer Candor (version ${version()}).`);
  }
  if (version() === migrations.length) return;
  // Taken before the version is read again: two processes may open a new file at once.
  connection.exec('BEGIN IMMEDIATE');
  try {
    for (const step of migrations.slice(version())) connection.exec(step);
    connection.exec(`PRAGMA user_version = ${migrations.length}`);
    connection.exec('COMMIT');
  } catch (error) {
    connection.exec('ROLLBACK');
    throw error;
  }
}

class SqliteStateFile implements StateFile {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  exec(sql: string): void {
    this.#connection.exec(sql);
  }

  prepare(sql: string): StateStatement {
    return this.#connection.prepare(sql);
  }

  transaction<Result>(change: () => Result): Result {
    this.#connection.exec('BEGIN IMMEDIATE');
    try {
      const result = change();
      this.#connection.exec('COMMIT');
      return result;
    } catch (error) {
      this.#connection.exec('ROLLBACK');
      throw error;
    }
  }

  close(): void {
    this.#connection.close();
  }
}

async function orUnusable<Result>(path: string, open: () => Promise<Result>): Promise<Result> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof CandorError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new CandorError('store.unusable', `cannot open ${path}: ${reason}`, { cause: error });
  }
}
