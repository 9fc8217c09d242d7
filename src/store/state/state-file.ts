/** One SQLite file with state of ours: a crash at any point leaves the last finished transaction. */

import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { loadSqliteDriver, type SqliteDriver } from '../../database/embedded/index.ts';
import { CandorError } from '../../errors.ts';
import { closeFiles, makeFolder } from './private-files.ts';

type StateStatement = ReturnType<Connection['prepare']>;

export interface StateFile {
  /** Runs statements that give no rows. */
  exec(sql: string): void;
  prepare(sql: string): StateStatement;
  /** Prepared at its first use and kept: for texts that are few and run often. One iteration of it at a time. */
  statement(sql: string): StateStatement;
  /** Runs `change` as one transaction: all of it is kept, or nothing. */
  transaction<Result>(change: () => Result): Result;
  /**
   * The same for work that takes long, on a connection that nothing else uses meanwhile. While another connection
   * writes it waits without blocking, for a minute at most; a signal that is aborted keeps nothing.
   */
  longTransaction<Result>(change: () => Promise<Result>, signal?: AbortSignal): Promise<Result>;
  /** Reads one state of the file, whatever other connections write meanwhile; may fill temporary tables. */
  snapshot<Result>(read: () => Result): Result;
  /** Another number whenever another connection, of this process or not, has changed the file. */
  dataVersion(): number;
  close(): void;
}

export interface StateFileOptions {
  /**
   * SQL that makes version 1, then what makes version 2 of it, and so on. A file of a newer version than these is
   * refused: an older Candor would misread it.
   */
  readonly migrations: readonly string[];
  /** Nothing can make it again: it is read whole before it is used, so that what is damaged is not built upon. */
  readonly isIrreplaceable?: boolean;
}

const BUSY_TIMEOUT_MS = 10_000;
/** SQLite waits for a lock with the whole program; a long transaction asks again and again instead. */
const ASK_AGAIN_MS = 20;
const MOST_ASKS = 3_000;

const BUSY = 5;
const CORRUPT = 11;
const CONSTRAINT = 19;

/** Opens the file, made when it is absent, and brings it to the newest version. Throws `store.unusable`. */
export async function openStateFile(path: string, options: StateFileOptions): Promise<StateFile> {
  const driver = await loadSqliteDriver();
  return orUnusable(path, async () => {
    await makeFolder(dirname(path));
    await refuseEmptied(path);
    const connection = new driver.DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS, allowExtension: false });
    try {
      if (options.isIrreplaceable === true) checkWhole(connection, path);
      const versions = {
        path,
        migrations: options.migrations,
        emptyDatabase: () => new driver.DatabaseSync(':memory:'),
      };
      // Before anything is written to it.
      checkOrigin(connection, versions);
      // WAL: readers go on while one process writes. NORMAL: a power cut may lose the last transaction, never the file.
      // SECURE_DELETE: what was taken out is gone from the file, not only from the tables.
      connection.exec(
        'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON',
      );
      migrate(connection, options.migrations);
      // SQLite gives its logs the mode of the file from here on.
      await closeFiles(path, `${path}-wal`, `${path}-shm`);
    } catch (error) {
      connection.close();
      throw error;
    }
    return new SqliteStateFile(connection);
  });
}

function migrate(connection: Connection, migrations: readonly string[]): void {
  const version = (): number => versionOf(connection);
  if (version() === migrations.length) return;
  // Taken before the version is read again: two processes may open a new file at once.
  connection.exec('BEGIN IMMEDIATE');
  try {
    for (const step of migrations.slice(version())) connection.exec(step);
    connection.exec(`PRAGMA user_version = ${migrations.length}`);
    connection.exec('COMMIT');
  } catch (error) {
    rollBack(connection);
    throw error;
  }
}

/** On a full disk SQLite has rolled back itself, and a second time would hide why. */
function rollBack(connection: Connection): void {
  if (connection.isTransaction) connection.exec('ROLLBACK');
}

class SqliteStateFile implements StateFile {
  readonly #connection: Connection;
  readonly #statements = new Map<string, StateStatement>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  exec(sql: string): void {
    this.#connection.exec(sql);
  }

  prepare(sql: string): StateStatement {
    return this.#connection.prepare(sql);
  }

  statement(sql: string): StateStatement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#connection.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  transaction<Result>(change: () => Result): Result {
    this.#connection.exec('BEGIN IMMEDIATE');
    try {
      const result = change();
      this.#connection.exec('COMMIT');
      return result;
    } catch (error) {
      rollBack(this.#connection);
      throw error;
    }
  }

  async longTransaction<Result>(change: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    await this.#beginPatiently(signal);
    try {
      const result = await change();
      signal?.throwIfAborted();
      this.#connection.exec('COMMIT');
      return result;
    } catch (error) {
      rollBack(this.#connection);
      throw error;
    }
  }

  snapshot<Result>(read: () => Result): Result {
    this.#connection.exec('BEGIN');
    try {
      return read();
    } finally {
      this.#connection.exec('COMMIT');
    }
  }

  dataVersion(): number {
    return Number(this.statement('PRAGMA data_version').get()?.data_version ?? 0);
  }

  close(): void {
    try {
      // The driver lets go of the file only when its statements are collected: the log would stay beside it till then.
      this.#connection.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)');
    } catch {
      // A damaged file, or one that others use: who reads it next is told, or finds the log.
    }
    this.#connection.close();
  }

  async #beginPatiently(signal: AbortSignal | undefined): Promise<void> {
    this.#connection.exec('PRAGMA busy_timeout = 0');
    try {
      for (let asks = 1; ; asks++) {
        signal?.throwIfAborted();
        try {
          this.#connection.exec('BEGIN IMMEDIATE');
          return;
        } catch (error) {
          if (!isBusy(error) || asks === MOST_ASKS) throw error;
        }
        await wait(ASK_AGAIN_MS);
      }
    } finally {
      this.#connection.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    }
  }
}

/** Runs work on an open state file; what SQLite reports of the file or its disk becomes `store.unusable`. */
export async function orUnusable<Result>(
  path: string,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const code = sqliteCode(error);
    const isOfFile = error instanceof Error && 'syscall' in error;
    // A constraint that does not hold is a mistake of ours, not of the file.
    if ((code === undefined && !isOfFile) || code === CONSTRAINT) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new CandorError('store.unusable', `cannot use ${path}: ${reason}`, { cause: error });
  }
}

/** Whether another connection holds the lock that was asked for. */
export function isBusy(error: unknown): boolean {
  return sqliteCode(error) === BUSY;
}

/** Whether `store.unusable` came of the file's own content, which no second try and no other right would mend. */
export function isDamaged(error: unknown): boolean {
  if (!(error instanceof CandorError) || error.code !== 'store.unusable') return false;
  const code = sqliteCode(error.cause);
  return code === CORRUPT || code === NOT_A_DATABASE;
}

/** SQLite's code for a file that is no database of its. */
const NOT_A_DATABASE = 26;

/** What SQLite says where the driver, which does so while it reads rows, leaves out the number. */
const CODES_BY_WORDS: readonly (readonly [RegExp, number])[] = [
  [/ constraint failed/, CONSTRAINT],
  [/disk image is malformed/, CORRUPT],
  [/file is not a database/, NOT_A_DATABASE],
];
const OTHER = 1;

/** SQLite's primary result code of an error; `undefined` for any other error. */
function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('errcode' in error && typeof error.errcode === 'number') return error.errcode & 0xff;
  if (!('code' in error) || error.code !== 'ERR_SQLITE_ERROR') return undefined;
  return CODES_BY_WORDS.find(([words]) => words.test(error.message))?.[1] ?? OTHER;
}

/** What a state file is looked at for before it is used: SQLite itself would begin anew, or build upon what is not ours. */
type Connection = InstanceType<SqliteDriver['DatabaseSync']>;

interface Migrations {
  readonly migrations: readonly string[];
}

/** Above this many bytes the indexes are not compared with their tables, which would take seconds. */
const MOST_COMPARED = 64_000_000;
const WAITS_FOR_OTHERS = 40;
const WAIT_MS = 50;

/** SQLite takes an empty file for a new database, and would begin anew where something was. */
async function refuseEmptied(path: string): Promise<void> {
  for (let waits = 0; ; waits += 1) {
    const size = await stat(path).then(
      (found) => found.size,
      () => undefined,
    );
    if (size !== 0) return;
    // Another process may be at its first page.
    if (waits === WAITS_FOR_OTHERS) throw damage(path, 'it is empty, though it was there');
    await wait(WAIT_MS);
  }
}

function checkWhole(connection: Connection, path: string): void {
  const pages = Number(connection.prepare('PRAGMA page_count').get()?.page_count ?? 0);
  const size = Number(connection.prepare('PRAGMA page_size').get()?.page_size ?? 0);
  const check = pages * size > MOST_COMPARED ? 'quick_check' : 'integrity_check';
  const [said] = Object.values(connection.prepare(`PRAGMA ${check}(1)`).get() ?? {});
  if (said !== 'ok') throw damage(path, String(said).split('\n')[0] ?? '');
}

function damage(path: string, reason: string): CandorError {
  const cause = Object.assign(new Error(reason), { errcode: NOT_A_DATABASE });
  return new CandorError('store.unusable', `${path} is damaged: ${reason}.`, { cause });
}

interface Versions extends Migrations {
  readonly path: string;
  readonly emptyDatabase: () => Connection;
}

/** A database of something else has a version too, and would be changed by migrations that are not its own. */
function checkOrigin(connection: Connection, { path, migrations, emptyDatabase }: Versions): void {
  const tablesOf = (asked: Connection): readonly string[] =>
    asked
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
      .all()
      .map(({ name }) => String(name));
  // One state of the file: another process may be making it.
  connection.exec('BEGIN');
  const version = versionOf(connection);
  const found = new Set(tablesOf(connection));
  connection.exec('COMMIT');
  if (version > migrations.length)
    throw new CandorError('store.unusable', `${path} was written by a newer Candor (version ${version}).`);
  const isNew = version === 0 && found.size > 0;
  const made = emptyDatabase();
  try {
    for (const step of migrations.slice(0, version)) made.exec(step);
    const missing = tablesOf(made).find((name) => !found.has(name));
    if (isNew || missing !== undefined)
      throw new CandorError(
        'store.unusable',
        `${path} is a database of something else${missing === undefined ? '' : `: it has no table ${missing}`}.`,
      );
  } finally {
    made.close();
  }
}

function versionOf(connection: Connection): number {
  return Number(connection.prepare('PRAGMA user_version').get()?.user_version ?? 0);
}
