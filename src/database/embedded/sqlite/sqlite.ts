/** SQLite inside the executor, written to the `node:sqlite` API. */

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { TextDecoder } from 'node:util';
import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';
import type { Cell } from '../../../sql/dialects/cell.ts';
import type { OwnCode } from '../../../sql/guard/index.ts';
import type { DatabaseSchema, Plan, QueryLimits, QueryResult } from '../../interface/database.ts';
import { RowCollector } from '../../rows/row-collector.ts';
import { SESSION_SETTINGS } from '../../session-settings/index.ts';
import type { EmbeddedLimits } from '../engine/embedded-settings.ts';
import { type Engine, EngineError } from '../engine/engine.ts';
import { outlineStatement } from '../engine/single-statement.ts';
import { loadSqliteDriver, type SqliteDriver } from './sqlite-driver.ts';
import { readSqliteSchema } from './sqlite-schema.ts';

/** A writer that holds the file for longer than this is reported as a lock. */
export const BUSY_TIMEOUT_MS = 1_000;
/** Only these are run: ATTACH, PRAGMA and VACUUM INTO would pass SQLite's own read-only mode. */
export const READING = new Set(['select', 'with', 'values', 'explain']);
/** What else a statement may begin with; every other word is an error in the text. */
export const NOT_READING = new Set(
  (
    'alter analyze attach begin commit create delete detach drop end insert pragma reindex release ' +
    'replace rollback savepoint update vacuum'
  ).split(' '),
);
/** Larger cells would fill the memory of the executor before the byte limit sees them; a function may hold several at once. */
export const CELL_BYTES = 256 * 1024 * 1024;
export const CELLS_IN_MEMORY = 4;

/** Opens the file read-only and reads its first page, so that locks and damage show here. */
export async function openSqlite(path: string, limits: EmbeddedLimits): Promise<Engine> {
  const driver = await openDriver();
  return translateErrors(() => {
    try {
      return new SqliteEngine(openFile(driver, path, limits));
    } catch (error) {
      if (!needsImmutable(path, error)) throw error;
      return new SqliteEngine(openFile(driver, `${pathToFileURL(path).href}?immutable=1`, limits));
    }
  });
}

export function openFile(
  driver: SqliteDriver,
  location: string,
  { memoryBytes, temporaryBytes }: EmbeddedLimits,
): DatabaseSyncInstance {
  const database = new driver.DatabaseSync(location, {
    readOnly: true,
    allowExtension: false,
    timeout: BUSY_TIMEOUT_MS,
    // SQLite's own default; views and reference queries write "text" for 'text'.
    enableDoubleQuotedStringLiterals: true,
    limits: { attach: 0, length: Math.min(CELL_BYTES, Math.floor(memoryBytes / CELLS_IN_MEMORY)) },
  });
  // Without a bound of temporary files a sort that does not end fills the disk: then all of it is memory, which is watched.
  const store = temporaryBytes > 0 ? 'FILE' : 'MEMORY';
  const pins = SESSION_SETTINGS.sqlite.map(({ name, value }) => `PRAGMA ${name} = ${value};`).join(' ');
  database.exec(`PRAGMA query_only = ON; PRAGMA trusted_schema = OFF; PRAGMA temp_store = ${store}; ${pins}`);
  database.prepare('SELECT COUNT(*) FROM sqlite_schema').get();
  return database;
}

/**
 * Even a reader of a file in WAL mode must create its lock file, which a folder without write access forbids.
 * SQLite's way out is to promise that the file stays as it is; that holds while no log lies beside it.
 */
export function needsImmutable(path: string, error: unknown): boolean {
  if (!/readonly database|unable to open database/.test(messageOf(error))) return false;
  return !existsSync(`${path}-wal`);
}

/** Node's own SQLite where it is complete (row arrays, column names), else the package with the same API. */
export async function openDriver(): Promise<SqliteDriver> {
  try {
    return await loadSqliteDriver();
  } catch (error) {
    throw new EngineError('database.driver-missing', messageOf(error));
  }
}

export class SqliteEngine implements Engine {
  readonly #database: DatabaseSyncInstance;
  /** Of the texts of the file. */
  readonly #encoding: string;

  constructor(database: DatabaseSyncInstance) {
    this.#database = database;
    const [encoding] = Object.values(database.prepare('PRAGMA encoding').get() ?? {});
    this.#encoding = String(encoding);
  }

  async query(sql: string, limits: QueryLimits): Promise<QueryResult> {
    return translateErrors(() => {
      const started = performance.now();
      const { statement, columns, read } = this.#prepareWhole(sql);
      const collector = new RowCollector(limits);
      for (const row of statement.iterate()) {
        if (!collector.add(toCells(row).map(read))) break;
      }
      return collector.toResult(columns, performance.now() - started);
    });
  }

  /** To prepare is to plan in SQLite; nothing runs. */
  async explain(sql: string): Promise<Plan> {
    translateErrors(() => this.#prepare(sql));
    return {};
  }

  async version(): Promise<string> {
    return translateErrors(() => String(this.#all('SELECT sqlite_version()')[0]?.[0]));
  }

  async readSchema(): Promise<DatabaseSchema> {
    return translateErrors(() => readSqliteSchema((sql) => this.#all(sql)));
  }

  /** A SQLite file holds no code: functions come with the program that opens it, which here adds none. */
  async readOwnCode(): Promise<OwnCode> {
    return [];
  }

  interrupt(): void {
    throw new EngineError('internal.bug', 'a SQLite query cannot be interrupted from its own process');
  }

  close(): void {
    this.#database.close();
  }

  /** A plan has no texts of the database. */
  #prepareWhole(sql: string): {
    readonly statement: StatementSyncInstance;
    readonly columns: readonly string[];
    read(cell: Cell): Cell;
  } {
    const statement = this.#prepare(sql);
    const columns = statement.columns().map((column) => column.name ?? '');
    const { firstWord, text } = outlineStatement(sql);
    if (firstWord === 'explain') return { statement, columns, read: (cell) => cell };
    const whole = withWholeTexts(text, columns.length, this.#encoding);
    return { statement: this.#prepare(whole.sql), columns, read: whole.read };
  }

  #prepare(sql: string): StatementSyncInstance {
    const { firstWord, hasMore } = outlineStatement(sql);
    if (firstWord === '') throw new EngineError('database.query-failed', 'the SQL text holds no statement');
    if (hasMore)
      throw new EngineError('database.not-read-only', 'the SQL text holds more than one statement');
    if (NOT_READING.has(firstWord)) {
      throw new EngineError(
        'database.not-read-only',
        `a statement that starts with ${firstWord.toUpperCase()} is not a reading one`,
      );
    }
    if (!READING.has(firstWord)) {
      throw new EngineError('database.query-failed', `near "${firstWord}": syntax error`);
    }
    // SQLite stops reading at a zero byte; what follows would be dropped unseen.
    if (sql.includes('\0')) throw new EngineError('database.query-failed', 'the SQL text holds a zero byte');
    const statement = this.#database.prepare(sql);
    statement.setReadBigInts(true);
    statement.setReturnArrays(true);
    return statement;
  }

  #all(sql: string): readonly (readonly Cell[])[] {
    const rows: Cell[][] = [];
    for (const row of this.#prepare(sql).iterate()) rows.push(toCells(row));
    return rows;
  }
}

export function toCells(row: unknown): Cell[] {
  if (!Array.isArray(row)) throw new EngineError('internal.bug', 'the SQLite driver did not return an array');
  return row.map(toCell);
}

export function toCell(value: unknown): Cell {
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value;
  }
  if (value === null || typeof value === 'number' || typeof value === 'string') return value;
  if (value instanceof Uint8Array) return value;
  throw new EngineError('internal.bug', `the SQLite driver returned a value of type ${typeof value}`);
}

export function translateErrors<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof EngineError) throw error;
    const message = messageOf(error);
    // Only some errors of the driver carry the numeric code, so the text decides.
    if (/database (table )?is locked/.test(message)) {
      throw new EngineError('database.locked', 'another program holds a lock on the file');
    }
    if (/file is not a database/.test(message)) throw new EngineError('database.not-a-database', message);
    // A value may be malformed too: JSON.
    if (/disk image is malformed|malformed database|disk I\/O error/.test(message))
      throw new EngineError('database.corrupt', message);
    if (/string or blob too big/.test(message))
      throw new EngineError('database.out-of-memory', 'a value in it was larger than one value may be');
    if (/out of memory/.test(message)) throw new EngineError('database.out-of-memory', message);
    throw new EngineError('database.query-failed', message);
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

// SQLite stores texts with a NUL in them, and its driver takes a text for over there. Bytes it brings whole: so the statement is
// asked for such a text as bytes behind a mark, and for every other value as it is.

/** What a file says of how its texts are stored, and how bytes of them are read. */
const ENCODINGS: Readonly<Record<string, string>> = {
  'UTF-8': 'utf-8',
  'UTF-16le': 'utf-16le',
  'UTF-16be': 'utf-16be',
};

export interface WholeStatement {
  readonly sql: string;
  /** From the driver's value to the one that is stored. */
  read(cell: Cell): Cell;
}

/**
 * The statement around `sql`, which must not end in a comment or a semicolon; `encoding` is what `PRAGMA encoding` says. It runs as
 * it stands, once and row by row: the limit without a bound and the join keep SQLite from folding it into what surrounds it, and
 * from dropping its order.
 */
function withWholeTexts(sql: string, columns: number, encoding: string): WholeStatement {
  // No bytes of a database begin with the hash of what is asked of it.
  const mark = createHash('sha256').update(sql).digest('hex').slice(0, 32);
  const result = `result_${mark}`;
  const names = Array.from({ length: columns }, (_, at) => `c${at}`);
  const cells = names.map(
    (name) =>
      `CASE WHEN typeof(${name}) = 'text' AND instr(${name}, char(0)) > 0 THEN CAST('${mark}' || ${name} AS BLOB) ELSE ${name} END`,
  );
  return {
    sql: `WITH ${result} (${names.join(', ')}) AS (${sql}\n) SELECT ${cells.join(', ')}
      FROM (SELECT * FROM ${result} LIMIT -1) CROSS JOIN (SELECT 1)`,
    read: readMarked(mark, encoding),
  };
}

function readMarked(mark: string, encoding: string): (cell: Cell) => Cell {
  const decoder = new TextDecoder(ENCODINGS[encoding] ?? 'utf-8', { ignoreBOM: true });
  const bytes = Buffer.from(mark, encoding === 'UTF-8' ? 'utf8' : 'utf16le');
  const head = encoding === 'UTF-16be' ? bytes.swap16() : bytes;
  return (cell) => {
    if (!(cell instanceof Uint8Array) || cell.length < head.length) return cell;
    if (Buffer.compare(cell.subarray(0, head.length), head) !== 0) return cell;
    return decoder.decode(cell.subarray(head.length));
  };
}
