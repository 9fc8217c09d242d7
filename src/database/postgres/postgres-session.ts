/** One connection to a PostgreSQL server; every text runs in a read-only transaction that is rolled back. */
import type { Client } from 'pg';
import type { OwnCode } from '../../sql/index.ts';
import type { DatabaseSchema, Plan, QueryLimits, QueryResult, ServerDescription } from '../database.ts';
import { RowCollector } from '../row-collector.ts';
import { type ServerSession, StaleSession } from '../server/server-session.ts';
import type { SettledSettings } from '../session-settings/index.ts';
import { type BackendKey, sendCancelRequest } from './cancel-request.ts';
import { capMessages } from './cap-messages.ts';
import { describePostgres } from './describe-postgres.ts';
import type { PostgresConfig } from './postgres-config.ts';
import { postgresFailure } from './postgres-failure.ts';
import { moneyNotices, WarningCount } from './postgres-notices.ts';
import { readPostgresOwnCode } from './postgres-own-code.ts';
import { settlePostgres } from './postgres-pins.ts';
import { readPostgresSchema } from './postgres-schema.ts';
import { stampPostgres } from './postgres-stamp.ts';
import {
  type CursorClass,
  describeOnly,
  inReadingTransaction,
  type PostgresColumn,
  type ReadCatalogRows,
  readStatement,
  type TransactionSettings,
} from './reading-transaction.ts';

export interface PostgresDriver {
  readonly Client: new (config: PostgresConfig['client']) => Client;
  readonly Cursor: CursorClass;
}

/** To compile a long statement over small catalogs takes seconds, to run it milliseconds. */
const CATALOG_PINS: TransactionSettings['pins'] = [{ name: 'jit', value: 'off' }];

/** Connects and makes the session a reading one. Throws CandorError. */
export async function openPostgresSession(
  driver: PostgresDriver,
  config: PostgresConfig,
): Promise<PostgresSession> {
  const client = new driver.Client(config.client);
  capMessages(client.connection);
  let key: BackendKey | undefined;
  client.connection.on('backendKeyData', (message: { processID: number; secretKey: number }) => {
    key = { processId: message.processID, secretKey: message.secretKey };
  });
  // Without a listener a connection that ends while idle would end the program.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SET default_transaction_read_only = on');
    return new PostgresSession(client, { driver, config, key, ...(await settlePostgres(client)) });
  } catch (error) {
    client.connection.stream.destroy();
    const failure = postgresFailure(error, 'connecting');
    if (config.mayDropTls && /does not support SSL/i.test(failure.message)) {
      return openPostgresSession(driver, {
        ...config,
        mayDropTls: false,
        client: { ...config.client, ssl: false },
      });
    }
    throw failure;
  }
}

interface SessionParts {
  readonly driver: PostgresDriver;
  readonly config: PostgresConfig;
  readonly key: BackendKey | undefined;
  readonly searchPath: string;
  readonly settled: SettledSettings;
}

export class PostgresSession implements ServerSession {
  readonly #client: Client;
  readonly #parts: SessionParts;
  readonly #warnings: WarningCount;
  #isUsable = true;
  #hasEnded = false;

  constructor(client: Client, parts: SessionParts) {
    this.#client = client;
    this.#parts = parts;
    this.#warnings = new WarningCount(client);
    const lose = (): void => {
      this.#isUsable = false;
    };
    client.on('error', lose);
    client.on('end', () => {
      this.#hasEnded = true;
      lose();
    });
  }

  get isUsable(): boolean {
    return this.#isUsable;
  }

  query(sql: string, limits: QueryLimits): Promise<QueryResult> {
    return this.#reading(limits.timeoutMs, async () => {
      const started = performance.now();
      const collector = new RowCollector(limits);
      let columns: readonly PostgresColumn[] = [];
      this.#warnings.reset();
      await readStatement(this.#client, this.#parts.driver.Cursor, {
        sql,
        onColumns: (described) => {
          columns = described;
        },
        onRow: (row) => collector.add(row),
      });
      const notices = [...this.#parts.settled.notices, ...moneyNotices(columns), ...this.#warnings.notices()];
      const names = columns.map(({ name }) => name);
      return collector.toResult(names, performance.now() - started, notices);
    });
  }

  explain(sql: string, timeoutMs: number): Promise<Plan> {
    return this.#reading(timeoutMs, async () => {
      const { Cursor } = this.#parts.driver;
      // Reads the text on its own first: after `EXPLAIN (…) ` it could begin with words that belong to EXPLAIN.
      await describeOnly(this.#client, Cursor, sql);
      if (/^\s*explain\b/i.test(sql)) return {};
      let plan: Plan = {};
      await readStatement(this.#client, Cursor, {
        sql: `EXPLAIN (FORMAT JSON) ${sql}`,
        onRow: ([text]) => {
          plan = readPlan(String(text));
          return true;
        },
      });
      return plan;
    });
  }

  readSchema(timeoutMs: number): Promise<DatabaseSchema> {
    return this.#reading(timeoutMs, () => readPostgresSchema(this.#readRows));
  }

  stamp(timeoutMs: number): Promise<string> {
    return this.#reading(timeoutMs, () => stampPostgres(this.#readRows));
  }

  readOwnCode(timeoutMs: number): Promise<OwnCode> {
    return this.#reading(timeoutMs, () => readPostgresOwnCode(this.#readRows), CATALOG_PINS);
  }

  describe(timeoutMs: number): Promise<ServerDescription> {
    return this.#reading(timeoutMs, () => describePostgres(this.#readRows));
  }

  async cancel(): Promise<void> {
    const { key, config } = this.#parts;
    if (key !== undefined) await sendCancelRequest(config.url, key);
  }

  hold(isHeld: boolean): void {
    const { stream } = this.#client.connection;
    if ('ref' in stream && 'unref' in stream) {
      const change = isHeld ? stream.ref : stream.unref;
      if (typeof change === 'function') change.call(stream);
    }
  }

  async end(): Promise<void> {
    this.#isUsable = false;
    this.hold(true);
    // The server may be gone already.
    await this.#client.end().catch(() => undefined);
  }

  destroy(): void {
    this.#isUsable = false;
    this.#client.connection.stream.destroy();
  }

  readonly #readRows: ReadCatalogRows = (sql, onRow) =>
    readStatement(this.#client, this.#parts.driver.Cursor, {
      sql,
      onRow: (row) => {
        onRow(row);
        return true;
      },
    });

  /**
   * The driver's cursor waits for ever when the connection ends between the last row and the word that the server is
   * ready. Whatever the driver says of the end itself comes first.
   */
  #unlessLost<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const lost = new Error('Connection terminated unexpectedly');
      const lose = (): void => void setImmediate(() => settle(() => reject(lost)));
      const settle = (run: () => void): void => {
        this.#client.off('end', lose);
        run();
      };
      this.#client.once('end', lose);
      if (this.#hasEnded) lose();
      work.then(
        (result) => settle(() => resolve(result)),
        (error: unknown) => settle(() => reject(error)),
      );
    });
  }

  /** Afterwards the session is where it began, or not usable any more. */
  async #reading<T>(
    timeoutMs: number,
    work: () => Promise<T>,
    more: TransactionSettings['pins'] = [],
  ): Promise<T> {
    let isBegun = false;
    try {
      const { searchPath, settled } = this.#parts;
      const settings = { timeoutMs, searchPath, pins: [...settled.pins, ...more] };
      const transaction = inReadingTransaction(this.#client, settings, work, () => {
        isBegun = true;
      });
      return await this.#unlessLost(transaction);
    } catch (error) {
      const failure = postgresFailure(error, 'running');
      if (!isBegun && failure.code === 'database.connection-lost') {
        this.#isUsable = false;
        throw new StaleSession(failure);
      }
      if (failure.code === 'database.connection-lost' || !isBegun) this.#isUsable = false;
      throw failure;
    } finally {
      if (this.#client.getTransactionStatus() !== 'I') this.#isUsable = false;
    }
  }
}

/** `EXPLAIN (FORMAT JSON)` answers with a list of one plan. */
function readPlan(text: string): Plan {
  const parsed: unknown = JSON.parse(text);
  const plan = Array.isArray(parsed) ? field(parsed[0], 'Plan') : undefined;
  const rows = field(plan, 'Plan Rows');
  const cost = field(plan, 'Total Cost');
  return {
    ...(typeof rows === 'number' ? { rows } : {}),
    ...(typeof cost === 'number' ? { cost } : {}),
  };
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
