/** Runs one text in a read-only transaction of its own: the only way that SQL reaches a PostgreSQL server. */
import type { Client } from 'pg';
import type PgCursor from 'pg-cursor';
import { CandorError } from '../../errors.ts';
import type { Cell } from '../../sql/dialects/cell.ts';
import { significantTokens } from '../../sql/dialects/index.ts';
import { lexSql } from '../../sql/index.ts';
import { toDecimalCell, toWholeCell } from '../rows/number-cell.ts';
import type { SessionSetting } from '../session-settings/index.ts';

export type CursorClass = typeof PgCursor;

/** Runs one of our own texts over the catalogs, row by row. */
export type ReadCatalogRows = (sql: string, onRow: (row: readonly Cell[]) => void) => Promise<void>;

/** Rows fetched at once: few at first, then as many as fill about this many bytes. */
const FIRST_BATCH = 8;
const BATCH_GROWTH = 8;
const LARGEST_BATCH = 2_000;
const BATCH_BYTES = 1_000_000;

export interface TransactionSettings {
  readonly timeoutMs: number;
  /** What the server gave the fresh session, between the engine's own schemas: an SQL list of names. */
  readonly searchPath: string;
  /**
   * Set for each transaction, so that neither a server's default, nor a pooler that hands out another's connection, nor
   * an earlier query can change them.
   */
  readonly pins: readonly Pick<SessionSetting, 'name' | 'value'>[];
}

/** Runs `work` between BEGIN READ ONLY and ROLLBACK, which is sent whatever happens. `onBegun` tells that it has begun. */
export async function inReadingTransaction<T>(
  client: Client,
  { timeoutMs, searchPath, pins }: TransactionSettings,
  work: () => Promise<T>,
  onBegun: () => void,
): Promise<T> {
  const limit = Math.min(Math.max(1, Math.ceil(timeoutMs)), 2_147_483_647);
  const settings = [
    ...pins.map(({ name, value }) => `${name} = ${value}`),
    `statement_timeout = ${limit}`,
    // Shorter, so that waiting for a lock is told from a slow query.
    `lock_timeout = ${Math.ceil(limit * 0.9)}`,
    `idle_in_transaction_session_timeout = ${Math.min(limit + 10_000, 2_147_483_647)}`,
  ];
  // Texts of ours, without a user's word in them: several statements in one message save round trips. The SELECT
  // comes last: after it the engine refuses to make the transaction a writing one.
  await client.query(
    `BEGIN TRANSACTION READ ONLY; ${settings.map((setting) => `SET LOCAL ${setting};`).join(' ')}
     SELECT set_config('search_path', ${client.escapeLiteral(searchPath)}, true)`,
  );
  onBegun();
  let result: T;
  try {
    result = await work();
  } catch (error) {
    // Where the connection is gone there is nothing left to end; the first error tells why.
    await endTransaction(client).catch(() => undefined);
    throw error;
  }
  await endTransaction(client);
  return result;
}

async function endTransaction(client: Client): Promise<void> {
  // Advisory locks are the one thing that a rollback leaves behind.
  await client.query('ROLLBACK; SELECT pg_advisory_unlock_all()');
}

export interface PostgresColumn {
  readonly name: string;
  readonly dataTypeID: number;
}

export interface ReadStatement {
  readonly sql: string;
  /** Called before the first row. */
  onColumns?(columns: readonly PostgresColumn[]): void;
  /** Returns false when no more rows are welcome. */
  onRow(row: readonly Cell[]): boolean;
}

/**
 * Sends the text in the extended protocol, which takes one statement only, and fetches in batches. A text that would
 * return no rows (COMMIT, SET, COPY, DO, …) is refused after the server has described it, before it is executed.
 */
export async function readStatement(
  client: Client,
  Cursor: CursorClass,
  statement: ReadStatement,
): Promise<void> {
  const cursor = new Cursor<readonly Cell[]>(statement.sql, [], {
    rowMode: 'array',
    types: { getTypeParser: postgresCellReader },
  });
  const columns = await describeStatement(client, cursor);
  if (columns === null) {
    await cursor.close();
    throw noRowsError(statement.sql);
  }
  statement.onColumns?.(columns);
  let size = FIRST_BATCH;
  for (;;) {
    const rows = await cursor.read(size);
    for (const row of rows) {
      if (statement.onRow(row)) continue;
      await cursor.close();
      return;
    }
    if (rows.length < size) return;
    size = nextBatchSize(rows);
  }
}

/** Has the server read the text and name its columns, without running it. */
export async function describeOnly(client: Client, Cursor: CursorClass, sql: string): Promise<void> {
  const cursor = new Cursor(sql, []);
  const columns = await describeStatement(client, cursor);
  await cursor.close();
  if (columns === null) throw noRowsError(sql);
}

function describeStatement(client: Client, cursor: PgCursor): Promise<readonly PostgresColumn[] | null> {
  const { connection } = client;
  return new Promise((resolve, reject) => {
    const settle = (run: () => void): void => {
      connection.off('rowDescription', onRows);
      connection.off('noData', onNothing);
      run();
    };
    const onRows = (message: { readonly fields: readonly PostgresColumn[] }): void =>
      settle(() => resolve(message.fields));
    const onNothing = (): void => settle(() => resolve(null));
    connection.once('rowDescription', onRows);
    connection.once('noData', onNothing);
    // Stays for the cursor's life: later errors also reach whoever reads.
    cursor.on('error', (error: unknown) => settle(() => reject(error)));
    client.query(cursor);
  });
}

function noRowsError(sql: string): CandorError {
  if (significantTokens(lexSql(sql, 'postgres')).every(({ text }) => text === ';')) {
    return new CandorError('database.query-failed', 'the SQL text holds no statement');
  }
  return new CandorError(
    'database.not-read-only',
    'the statement returns no rows, so it is not a reading one',
  );
}

function nextBatchSize(rows: readonly (readonly Cell[])[]): number {
  let bytes = 1;
  for (const row of rows) {
    for (const cell of row) {
      bytes += typeof cell === 'string' || cell instanceof Uint8Array ? cell.length : 8;
    }
  }
  const fitting = Math.floor((BATCH_BYTES * rows.length) / bytes);
  return Math.max(1, Math.min(LARGEST_BATCH, rows.length * BATCH_GROWTH, fitting));
}

// From PostgreSQL's text format to cells. The session pins how dates, bytes and floats are printed.

/** By type id, which is fixed for the built-in types; every other type (json, uuid, arrays, ranges) stays text. */
const READERS: ReadonlyMap<number, (text: string) => Cell> = new Map([
  [16, (text) => text === 't'],
  [17, toBytes],
  [20, toWholeCell],
  [21, Number],
  [23, Number],
  [26, Number],
  [700, Number],
  [701, Number],
  [1700, toDecimalCell],
]);

/** The reader of a column; the driver calls it for every value that is not NULL. */
function postgresCellReader(typeId: number): (text: string) => Cell {
  return READERS.get(typeId) ?? String;
}

/** `\x00ff` */
function toBytes(text: string): Cell {
  return new Uint8Array(Buffer.from(text.slice(2), 'hex'));
}
