/** One connection to a PostgreSQL server; every text runs in a read-only transaction that is rolled back. */
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Client } from 'pg';
import { CandorError } from '../../errors.ts';
import type { Notice } from '../../results/index.ts';
import type { OwnCode } from '../../sql/guard/index.ts';
import type {
  DatabaseSchema,
  Plan,
  QueryLimits,
  QueryResult,
  ServerDescription,
} from '../interface/database.ts';
import { RowCollector } from '../rows/row-collector.ts';
import { warningNotices } from '../rows/warning-notices.ts';
import { type ServerSession, StaleSession } from '../server/session-pool.ts';
import type { PinnedSettings } from '../session-settings/index.ts';
import type { PostgresConfig } from './postgres-config.ts';
import { postgresFailure } from './postgres-failure.ts';
import { readPostgresOwnCode } from './postgres-own-code.ts';
import { readPostgresPins } from './postgres-pins.ts';
import { READABLE_TABLES, readPostgresSchema } from './postgres-schema.ts';
import {
  type CursorClass,
  describeOnly,
  inReadingTransaction,
  type PostgresColumn,
  type ReadCatalogRows,
  readStatement,
  type TransactionSettings,
} from './reading-transaction.ts';

// What PostgreSQL has to say about rows, without its own words: they may quote values.

/** `money` and its array. */
const MONEY: ReadonlySet<number> = new Set([790, 791]);

function moneyNotices(columns: readonly PostgresColumn[]): readonly Notice[] {
  if (!columns.some(({ dataTypeID }) => MONEY.has(dataTypeID))) return [];
  return [
    {
      code: 'money-locale',
      text: 'Amounts of type money are written as the server’s lc_monetary says, which decides their sign and their digits after the point.',
    },
  ];
}

/** Counts the warnings of a session from one statement to the next. */
export class WarningCount {
  #count = 0;

  constructor(client: Client) {
    client.on('notice', ({ severity }) => {
      if (severity === 'WARNING') this.#count += 1;
    });
  }

  reset(): void {
    this.#count = 0;
  }

  notices(): readonly Notice[] {
    return warningNotices(this.#count);
  }
}

/** The driver gathers a message whole before anybody may cap it, and one beyond half a gigabyte ends the program. */
const LARGEST_MESSAGE = 256 * 1024 * 1024;
/** One byte for the kind, four for the length, which counts itself. */
const HEADER_LENGTH = 5;
const KIND_LENGTH = 1;

/** Ends a connection of the driver as soon as the server announces a message (a row, mostly) that is larger. */
export function capMessages(connection: object, largest: number = LARGEST_MESSAGE): void {
  // Called by the driver with the stream that is read, which is another one after TLS has begun.
  const attach: unknown = Reflect.get(connection, 'attachListeners');
  if (typeof attach !== 'function')
    throw new CandorError('internal.bug', 'the driver has no attachListeners');
  Reflect.set(connection, 'attachListeners', (stream: Duplex): void => {
    stream.on('data', measureMessages(stream, largest));
    Reflect.apply(attach, connection, [stream]);
  });
}

function measureMessages(stream: Duplex, largest: number): (chunk: Buffer) => void {
  let header: Buffer = Buffer.alloc(0);
  let bodyLeft = 0;
  return (chunk) => {
    let at = 0;
    while (at < chunk.length) {
      const skipped = Math.min(bodyLeft, chunk.length - at);
      bodyLeft -= skipped;
      at += skipped;
      const part = chunk.subarray(at, at + HEADER_LENGTH - header.length);
      header = header.length === 0 ? part : Buffer.concat([header, part]);
      at += part.length;
      if (header.length < HEADER_LENGTH) return;
      const length = header.readUInt32BE(KIND_LENGTH);
      if (length > largest) {
        stream.destroy(new CandorError('database.query-failed', 'the server sends a row that is too large'));
        return;
      }
      bodyLeft = length + KIND_LENGTH - HEADER_LENGTH;
      header = header.subarray(HEADER_LENGTH);
    }
  };
}

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
    return new PostgresSession(client, { driver, config, key, ...(await readPostgresPins(client)) });
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
  readonly pinned: PinnedSettings;
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
      const notices = [...this.#parts.pinned.notices, ...moneyNotices(columns), ...this.#warnings.notices()];
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
      const { searchPath, pinned } = this.#parts;
      const settings = { timeoutMs, searchPath, pins: [...pinned.pins, ...more] };
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

const CANCEL_CODE = 80_877_102;
const TIMEOUT_MS = 2_000;

interface BackendKey {
  readonly processId: number;
  readonly secretKey: number;
}

/**
 * Sends PostgreSQL's cancel request: a connection of its own that holds nothing but the key of the one to stop. It
 * needs no free slot on the server. Without TLS, as libpq sent it up to version 16: the key is of use to nobody else
 * for longer than our connection lives. Resolves when the server has taken it.
 */
function sendCancelRequest(
  { host, port }: { readonly host: string; readonly port: number },
  key: BackendKey,
): Promise<void> {
  const packet = Buffer.alloc(16);
  packet.writeInt32BE(packet.length, 0);
  packet.writeInt32BE(CANCEL_CODE, 4);
  packet.writeInt32BE(key.processId, 8);
  packet.writeInt32BE(key.secretKey, 12);
  return new Promise((resolve, reject) => {
    const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('the cancel request was not taken')));
    socket.once('error', reject);
    // The server closes the connection once it has acted.
    socket.once('close', () => resolve());
    socket.once('connect', () => socket.write(packet));
    socket.resume();
  });
}

/**
 * Sums of hashes over what `readPostgresSchema` reads, so that no order and no memory for the whole is needed. The
 * definition of a view counts by the version of its rule.
 */
const STAMP = `
  WITH t AS MATERIALIZED (${READABLE_TABLES}),
  parts AS (
    SELECT hashtextextended(concat_ws('|', 't', t.oid, t.nspname, t.relname, t.relkind, t.is_whole, t.owns_rows,
      pg_table_is_visible(t.oid)), 0) AS hash FROM t
    UNION ALL
    SELECT hashtextextended(concat_ws('|', 'c', a.attrelid, a.attnum, a.attname, a.atttypid, a.atttypmod,
      a.attnotnull, a.attacl), 0)
    FROM t JOIN pg_catalog.pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
    UNION ALL
    SELECT hashtextextended(concat_ws('|', 'k', k.oid, k.conrelid, k.contype, k.conkey, k.confrelid, k.confkey), 0)
    FROM t JOIN pg_catalog.pg_constraint k ON k.conrelid = t.oid AND k.contype IN ('p', 'f')
    UNION ALL
    SELECT hashtextextended(concat_ws('|', 'd', d.objoid, d.objsubid, d.description), 0)
    FROM t JOIN pg_catalog.pg_description d
      ON d.classoid = 'pg_catalog.pg_class'::regclass AND d.objoid = t.oid
    UNION ALL
    SELECT hashtextextended(concat_ws('|', 'v', r.ev_class, r.oid, r.xmin), 0)
    FROM t JOIN pg_catalog.pg_rewrite r ON r.ev_class = t.oid)
  SELECT count(*) || '-' || coalesce(sum(hash), 0) FROM parts`;

/** Changes with the schema that the user can read: tables, columns, types, keys, comments, rights, views. */
async function stampPostgres(read: ReadCatalogRows): Promise<string> {
  let stamp = '';
  await read(STAMP, ([text]) => {
    stamp = String(text);
  });
  return stamp;
}

const READ_ONLY_BY =
  'a READ ONLY transaction for each statement, rolled back; one statement in the extended protocol; default_transaction_read_only';

const ACCOUNT = `
  SELECT current_setting('server_version'), current_user,
    (SELECT rolsuper FROM pg_catalog.pg_roles WHERE rolname = current_user),
    has_database_privilege(current_database(), 'CREATE')`;

/** Memberships that reach beyond the data: files and programs of the server, other sessions, all tables. */
const ROLES = `
  SELECT rolname FROM pg_catalog.pg_roles
  WHERE rolname IN ('pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program',
    'pg_write_all_data', 'pg_signal_backend', 'pg_maintain', 'pg_checkpoint', 'pg_create_subscription')
    AND pg_has_role(current_user, oid, 'MEMBER')
  ORDER BY rolname`;

const SCHEMAS = `
  SELECT nspname FROM pg_catalog.pg_namespace
  WHERE nspname !~ '^pg_' AND nspname <> 'information_schema' AND has_schema_privilege(oid, 'CREATE')
  ORDER BY nspname`;

/** How many tables each right reaches; a name or two says where to look. */
const TABLES = `
  SELECT p.right_name, count(*), min(n.nspname || '.' || c.relname)
  FROM pg_catalog.pg_class c
  JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  CROSS JOIN unnest(ARRAY['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE']) AS p(right_name)
  WHERE c.relkind IN ('r', 'p', 'f', 'v') AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
    AND c.relpersistence <> 't' AND has_table_privilege(c.oid, p.right_name)
  GROUP BY p.right_name ORDER BY p.right_name`;

/** The server's version, the account, and the rights it has beyond reading. */
async function describePostgres(read: ReadCatalogRows): Promise<ServerDescription> {
  let product = 'PostgreSQL';
  let user = '';
  const excessRights: string[] = [];
  await read(ACCOUNT, ([version, name, isSuper, mayCreate]) => {
    product = `PostgreSQL ${String(version).replace(/ .*/, '')}`;
    user = String(name);
    if (isSuper === true) excessRights.push('superuser: may do everything, also to files of the server');
    if (mayCreate === true) excessRights.push('CREATE in the database: may add schemas');
  });
  await read(ROLES, ([role]) => excessRights.push(`member of ${role}`));
  await read(SCHEMAS, ([schema]) => excessRights.push(`CREATE in the schema ${schema}`));
  await read(TABLES, ([right, count, example]) => {
    excessRights.push(`${right} on ${count} ${count === 1 ? 'table' : 'tables'} (${example})`);
  });
  return { product, user, readOnlyBy: READ_ONLY_BY, excessRights };
}
