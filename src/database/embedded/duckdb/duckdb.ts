/** DuckDB inside the executor. */

import {
  DuckDBBlobValue,
  type DuckDBConnection,
  DuckDBDecimalValue,
  DuckDBInstance,
  type DuckDBPreparedStatement,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  type DuckDBValue,
  StatementType,
} from '@duckdb/node-api';
import { once } from '../../../lib/index.ts';
import type { Cell } from '../../../sql/dialects/cell.ts';
import { quoteText } from '../../../sql/dialects/index.ts';
import type { OwnCode, OwnThing } from '../../../sql/guard/index.ts';
import type { DatabaseSchema, Plan, QueryLimits, QueryResult } from '../../interface/database.ts';
import { toDecimalCell } from '../../rows/number-cell.ts';
import { RowCollector } from '../../rows/row-collector.ts';
import { SESSION_SETTINGS } from '../../session-settings/index.ts';
import type { EmbeddedLimits } from '../engine/embedded-settings.ts';
import { type Engine, EngineError } from '../engine/engine.ts';
import { memoryMessage } from '../engine/over-limit.ts';
import { outlineStatement } from '../engine/single-statement.ts';
import { ENGINE_PATH, readDuckdbSchema, readMacros } from './duckdb-schema.ts';

/** CREATE TEMP, SET, CALL and CHECKPOINT pass the engine's own read-only mode. */
const READING: ReadonlySet<StatementType> = new Set([StatementType.SELECT, StatementType.EXPLAIN]);

/** What the process takes beside the buffers that DuckDB counts: Node, the library, rows on their way. */
const OUTSIDE_BUFFERS = 192 * 1024 * 1024;
const LEAST_BUFFERS = 64 * 1024 * 1024;
/** The rest is for what functions and the allocator take beyond the count. */
const BUFFER_SHARE = 0.75;

/** Opens the file read-only, without access to other files but temporary ones in the folder, with the settings locked. */
export async function openDuckdb(
  path: string,
  limits: EmbeddedLimits,
  folder: string | null,
): Promise<Engine> {
  const { memoryBytes, temporaryBytes, threads } = limits;
  return translateErrors(limits, async () => {
    const instance = await DuckDBInstance.create(path, {
      // By itself it would write beside the user's file. Must come before the access to files is closed.
      temp_directory: folder ?? '',
      max_temp_directory_size: `${temporaryBytes}B`,
      memory_limit: `${bufferBytes(memoryBytes)}B`,
      threads: String(threads),
      access_mode: 'READ_ONLY',
      enable_external_access: 'false',
    });
    await pinSettings(instance);
    return new DuckdbEngine(instance, limits);
  });
}

function bufferBytes(memoryBytes: number): number {
  const most = Math.min(memoryBytes - OUTSIDE_BUFFERS, Math.floor(memoryBytes * BUFFER_SHARE));
  return Math.max(LEAST_BUFFERS, most);
}

/** Not as options of the file: those of an extension are not known to it yet. Nothing can be set afterwards. */
async function pinSettings(instance: DuckDBInstance): Promise<void> {
  const connection = await instance.connect();
  try {
    const settings = [...SESSION_SETTINGS.duckdb, { name: 'lock_configuration', value: 'true' }];
    await connection.run(settings.map(({ name, value }) => `SET GLOBAL ${name} = '${value}';`).join(' '));
  } finally {
    connection.closeSync();
  }
}

class DuckdbEngine implements Engine {
  readonly #instance: DuckDBInstance;
  readonly #limits: EmbeddedLimits;
  #running: DuckDBConnection | null = null;
  /** Read once: the file cannot change while it is open here. */
  readonly #readMacros = once(() => this.#asked(readMacros));

  constructor(instance: DuckDBInstance, limits: EmbeddedLimits) {
    this.#instance = instance;
    this.#limits = limits;
  }

  query(sql: string, limits: QueryLimits): Promise<QueryResult> {
    return this.#pinned(async (connection) => {
      const started = performance.now();
      const statement = await prepareReading(connection, sql);
      const result = await statement.stream();
      const collector = new RowCollector(limits);
      for (let isOpen = true; isOpen; ) {
        const chunk = await result.fetchChunk();
        if (chunk === null || chunk.rowCount === 0) break;
        // One row at a time: two thousand rows of large texts would be more than the limits let pass.
        for (let at = 0; isOpen && at < chunk.rowCount; at += 1)
          isOpen = collector.add(chunk.getRowValues(at).map(toCell));
      }
      return collector.toResult(result.columnNames(), performance.now() - started);
    });
  }

  explain(sql: string): Promise<Plan> {
    return this.#pinned(async (connection) => {
      await prepareReading(connection, sql);
      // To prepare only binds; EXPLAIN also folds constants and so finds casts that must fail.
      if (/^\s*explain\b/i.test(sql)) {
        await connection.run(sql);
        return {};
      }
      const reader = await connection.runAndReadAll(`EXPLAIN (FORMAT json) ${sql}`);
      return readPlan(String(reader.getRowsJson()[0]?.[1]));
    });
  }

  version(): Promise<string> {
    return this.#asked(async (connection) => {
      const reader = await connection.runAndReadAll('SELECT version()');
      return String(reader.getRowsJson()[0]?.[0]).replace(/^v/, '');
    });
  }

  readSchema(): Promise<DatabaseSchema> {
    return this.#asked((connection) =>
      readDuckdbSchema(async (sql) => {
        const reader = await connection.runAndReadAll(sql);
        return reader.getRowsJson();
      }),
    );
  }

  readOwnCode(): Promise<OwnCode> {
    return translateErrors(this.#limits, async () => (await this.#readMacros()).names.map(toFunction));
  }

  interrupt(): void {
    this.#running?.interrupt();
  }

  close(): void {
    this.#instance.closeSync();
  }

  /** A connection for a statement of somebody's: the engine's own functions come before macros of their names. */
  #pinned<T>(run: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    return this.#connected(async (connection) => {
      const { path } = await this.#readMacros();
      if (path !== undefined) await connection.run(`SET search_path = ${quoteText(path, 'duckdb')}`);
      return run(connection);
    });
  }

  /** A connection for what is asked of the file itself: nothing that its owner made answers. */
  #asked<T>(run: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    return translateErrors(this.#limits, async () => {
      const connection = await this.#instance.connect();
      try {
        await connection.run(`SET search_path = '${ENGINE_PATH}'`);
        return await run(connection);
      } finally {
        connection.closeSync();
      }
    });
  }

  /** A fresh connection for each task: what one leaves behind (a broken transaction) cannot reach the next. */
  #connected<T>(run: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    return translateErrors(this.#limits, async () => {
      const connection = await this.#instance.connect();
      this.#running = connection;
      try {
        return await run(connection);
      } finally {
        this.#running = null;
        connection.closeSync();
      }
    });
  }
}

function toFunction(name: string): OwnThing {
  return { kind: 'function', name };
}

/** The topmost operator that has an estimate speaks for the result. */
function readPlan(text: string): Plan {
  const found = /"Estimated Cardinality":\s*"?~?(\d+)/.exec(text)?.[1];
  return found === undefined ? {} : { rows: Number(found) };
}

async function prepareReading(connection: DuckDBConnection, sql: string): Promise<DuckDBPreparedStatement> {
  // The driver answers an empty text with an error that says nothing.
  if (outlineStatement(sql).firstWord === '') {
    throw new EngineError('database.query-failed', 'the SQL text holds no statement');
  }
  const extracted = await connection.extractStatements(sql);
  if (extracted.count !== 1) {
    throw new EngineError('database.not-read-only', 'the SQL text holds more than one statement');
  }
  const statement = await extracted.prepare(0);
  if (!READING.has(statement.statementType)) {
    const type = StatementType[statement.statementType];
    throw new EngineError('database.not-read-only', `a statement of type ${type} is not a reading one`);
  }
  return statement;
}

function toCell(value: DuckDBValue): Cell {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value;
  }
  if (value instanceof DuckDBDecimalValue) return toDecimalCell(value.toString());
  if (value instanceof DuckDBBlobValue) return new Uint8Array(value.bytes);
  // Printed in UTC: the driver's own text depends on the zone of the machine.
  if (value instanceof DuckDBTimestampTZValue) return `${new DuckDBTimestampValue(value.micros)}+00`;
  return value.toString();
}

async function translateErrors<T>(limits: EmbeddedLimits, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof EngineError) throw error;
    const message = error instanceof Error ? error.message : String(error);
    if (/Could not set lock|Conflicting lock/i.test(message)) {
      throw new EngineError('database.locked', 'another program has the file open for writing');
    }
    // In its words it names settings and folders; the caller knows the limit.
    if (/Out of Memory Error|std::bad_alloc/i.test(message))
      throw new EngineError('database.out-of-memory', memoryMessage(limits));
    if (/Corrupt database file|Could not read enough bytes|Failed to deserialize/i.test(message)) {
      throw new EngineError('database.corrupt', message);
    }
    if (/not a valid DuckDB database/i.test(message)) {
      throw new EngineError('database.not-a-database', message);
    }
    if (/attached in read-only mode/i.test(message)) throw new EngineError('database.not-read-only', message);
    throw new EngineError('database.query-failed', message);
  }
}
