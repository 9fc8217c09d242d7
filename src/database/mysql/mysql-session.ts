/** One connection to MySQL or MariaDB; every text runs in a read-only transaction and leaves a reset session. */
import type { Connection, ConnectionOptions } from 'mysql2';
import type { OwnCode, OwnThing } from '../../sql/guard/index.ts';
import type {
  DatabaseSchema,
  Plan,
  QueryLimits,
  QueryResult,
  ServerDescription,
} from '../interface/database.ts';
import { RowCollector } from '../rows/row-collector.ts';
import { type ServerSession, StaleSession } from '../server/session-pool.ts';
import {
  MYSQL_ISOLATION,
  type MysqlProduct,
  mysqlSettings,
  type PinnedSettings,
  pinSettings,
  type SessionSetting,
} from '../session-settings/index.ts';
import type { MysqlConfig } from './mysql-config.ts';
import { MysqlConnection, type ReadCatalogRows } from './mysql-connection.ts';
import { mysqlFailure, readWarnings } from './mysql-messages.ts';
import { readMysqlSchema } from './mysql-schema.ts';

/** The one setting of the table that no session may set. */
const WATCHED = 'ft_boolean_syntax';

export type CreateConnection = (options: ConnectionOptions) => Connection;

interface SessionParts {
  readonly create: CreateConnection;
  readonly config: MysqlConfig;
  readonly product: MysqlProduct;
  readonly pinned: PinnedSettings;
  /** The server's own number of this connection, also behind a proxy. */
  readonly id: string;
}

/** Connects and asks who the server is. Throws CandorError. */
export async function openMysqlSession(create: CreateConnection, config: MysqlConfig): Promise<MysqlSession> {
  try {
    const connection = await connectTo(create, config);
    let product: MysqlProduct = { isMariadb: false, version: '' };
    let id = '';
    let watchedValue = '';
    await connection.read({
      sql: `SELECT VERSION(), CONNECTION_ID(), @@${WATCHED}`,
      onRow: ([version, number, value]) => {
        product = { version: String(version), isMariadb: /mariadb/i.test(String(version)) };
        id = String(number);
        watchedValue = String(value);
        return true;
      },
    });
    const pinned = await pinSettings({
      settings: mysqlSettings(product),
      take: (settings) => takes(connection, settings),
      read: (name) => (name === WATCHED ? watchedValue : undefined),
    });
    return new MysqlSession(connection, { create, config, product, pinned, id });
  } catch (error) {
    const failure = mysqlFailure(error, 'connecting');
    if (config.mayDropTls && failure.data.networkCode === 'HANDSHAKE_NO_SSL_SUPPORT') {
      const { ssl: _, ...plain } = config.connection;
      return openMysqlSession(create, { ...config, mayDropTls: false, connection: plain });
    }
    throw failure;
  }
}

/** Throws what is no refusal: a connection that is lost. */
async function takes(connection: MysqlConnection, settings: readonly SessionSetting[]): Promise<boolean> {
  try {
    await connection.run(setSettings(settings));
    return true;
  } catch (error) {
    const failure = mysqlFailure(error, 'connecting');
    if (failure.data.sqlState === undefined) throw failure;
    return false;
  }
}

async function connectTo(create: CreateConnection, config: MysqlConfig): Promise<MysqlConnection> {
  const connection = new MysqlConnection(create({ ...config.connection }));
  try {
    await connection.connect();
  } catch (error) {
    connection.destroy();
    throw error;
  }
  return connection;
}

export class MysqlSession implements ServerSession {
  readonly #connection: MysqlConnection;
  readonly #parts: SessionParts;
  #isUsable = true;

  constructor(connection: MysqlConnection, parts: SessionParts) {
    this.#connection = connection;
    this.#parts = parts;
  }

  get isUsable(): boolean {
    return this.#isUsable && this.#connection.isOpen;
  }

  query(sql: string, limits: QueryLimits): Promise<QueryResult> {
    return this.#reading({ timeoutMs: limits.timeoutMs, rows: limits.rows }, async () => {
      const started = performance.now();
      const collector = new RowCollector(limits);
      let columns: readonly string[] = [];
      const warnings = await this.#connection.read({
        sql,
        onColumns: (names) => {
          columns = names;
        },
        onRow: (row) => collector.add(row),
      });
      const said = warnings === 0 || !this.isUsable ? [] : await this.#connection.readWarnings();
      const notices = [...this.#parts.pinned.notices, ...readWarnings(said)];
      return collector.toResult(columns, performance.now() - started, notices);
    });
  }

  explain(sql: string, timeoutMs: number): Promise<Plan> {
    return this.#reading({ timeoutMs }, async () => {
      // Prepared on its own first, so that a writing text is refused and EXPLAIN is not given its options.
      await this.#connection.prepare(sql);
      return /^\s*(?:explain|describe|desc|analyze)\b/i.test(sql) ? {} : explainMysql(sql, this.#readRows);
    });
  }

  readSchema(timeoutMs: number): Promise<DatabaseSchema> {
    return this.#reading({ timeoutMs }, () => readMysqlSchema(this.#readRows));
  }

  stamp(timeoutMs: number): Promise<string> {
    return this.#reading({ timeoutMs }, () => stampMysql(this.#readRows));
  }

  readOwnCode(timeoutMs: number): Promise<OwnCode> {
    return this.#reading({ timeoutMs }, () => readMysqlOwnCode(this.#readRows));
  }

  describe(timeoutMs: number): Promise<ServerDescription> {
    return this.#reading({ timeoutMs }, () => describeMysql(this.#parts.product, this.#readRows));
  }

  async cancel(): Promise<void> {
    const { create, config, id } = this.#parts;
    const connection = await connectTo(create, config);
    try {
      await connection.run(`KILL QUERY ${id}`);
    } finally {
      connection.destroy();
    }
  }

  hold(isHeld: boolean): void {
    this.#connection.hold(isHeld);
  }

  async end(): Promise<void> {
    this.#isUsable = false;
    await this.#connection.end();
  }

  destroy(): void {
    this.#isUsable = false;
    this.#connection.destroy();
  }

  readonly #readRows: ReadCatalogRows = async (sql, onRow) => {
    await this.#connection.read({
      sql,
      onRow: (row) => {
        onRow(row);
        return true;
      },
    });
  };

  /** Afterwards the session is as new, or not usable any more. */
  async #reading<T>(limits: PinLimits, work: () => Promise<T>): Promise<T> {
    await this.#begin(limits);
    let result: T;
    try {
      result = await work();
    } catch (error) {
      await this.#reset();
      throw mysqlFailure(error, 'running');
    }
    await this.#reset();
    return result;
  }

  async #begin(limits: PinLimits): Promise<void> {
    try {
      const { product, pinned } = this.#parts;
      await this.#connection.run(`${setSettings(pinned.pins)}, ${limitSettings(product.isMariadb, limits)}`);
      const isolation = `${MYSQL_ISOLATION.name} ${MYSQL_ISOLATION.value}`;
      await this.#connection.run(`SET SESSION TRANSACTION ${isolation}, READ ONLY`);
      await this.#connection.run('START TRANSACTION READ ONLY');
    } catch (error) {
      this.#isUsable = false;
      const failure = mysqlFailure(error, 'running');
      throw failure.code === 'database.connection-lost' ? new StaleSession(failure) : failure;
    }
  }

  async #reset(): Promise<void> {
    if (!this.isUsable) return;
    try {
      await this.#connection.reset();
    } catch {
      // The result is whole already; the session is not used again.
      this.#isUsable = false;
    }
  }
}

/** 60 bits of a hash as a number: sums of them need neither order nor memory. */
const HASH = (...parts: string[]): string =>
  `CAST(CONV(LEFT(MD5(CONCAT_WS('|', ${parts.join(', ')})), 15), 16, 10) AS UNSIGNED)`;

const STAMP = `
  SELECT COUNT(*), COALESCE(SUM(hash), 0) FROM (
    SELECT ${HASH("'t'", 'TABLE_NAME', 'TABLE_TYPE', "COALESCE(ENGINE, '')", "COALESCE(IF(TABLE_TYPE = 'VIEW', '', TABLE_COMMENT), '')")} AS hash
    FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()
    UNION ALL
    SELECT ${HASH("'c'", 'TABLE_NAME', 'ORDINAL_POSITION', 'COLUMN_NAME', 'COLUMN_TYPE', 'IS_NULLABLE', 'COLUMN_COMMENT', 'PRIVILEGES')}
    FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE()
    UNION ALL
    SELECT ${HASH("'k'", 'TABLE_NAME', 'CONSTRAINT_NAME', 'ORDINAL_POSITION', 'COLUMN_NAME', "COALESCE(REFERENCED_TABLE_NAME, '')", "COALESCE(REFERENCED_COLUMN_NAME, '')")}
    FROM information_schema.KEY_COLUMN_USAGE WHERE TABLE_SCHEMA = DATABASE()
    UNION ALL
    SELECT ${HASH("'v'", 'TABLE_NAME', 'VIEW_DEFINITION')}
    FROM information_schema.VIEWS WHERE TABLE_SCHEMA = DATABASE()) parts`;

/** Changes with the schema that the user can read: tables, columns, types, keys, comments, rights, views. */
async function stampMysql(read: ReadCatalogRows): Promise<string> {
  let stamp = '';
  await read(STAMP, ([count, sum]) => {
    stamp = `${count}-${sum}`;
  });
  return stamp;
}

/** What a session is set to before each statement, so that no server default and no earlier query has a say. */
interface PinLimits {
  readonly timeoutMs: number;
  /** Rows wanted at most; the server stops by itself one row later. */
  readonly rows?: number;
}

const NO_LIMIT = '18446744073709551615';

/** The encoding comes first: it decides the collation, which is one of the settings. */
function setSettings(settings: readonly SessionSetting[]): string {
  return ['SET NAMES utf8mb4', ...settings.map(({ name, value }) => `SESSION ${name} = ${value}`)].join(', ');
}

/** The limits of one statement, as settings of the session. */
function limitSettings(isMariadb: boolean, { timeoutMs, rows }: PinLimits): string {
  // In whole seconds, and shorter than the limit of the query: waiting for a lock is told from a slow query.
  const seconds = Math.max(1, Math.floor((timeoutMs * 0.9) / 1000));
  const settings = [
    `lock_wait_timeout = ${seconds}`,
    `innodb_lock_wait_timeout = ${seconds}`,
    `sql_select_limit = ${rows === undefined ? NO_LIMIT : rows + 1}`,
    // One counts in seconds, the other in milliseconds; the other keeps statistics of tables for a day.
    ...(isMariadb
      ? [`max_statement_time = ${Math.max(0.001, timeoutMs / 1000)}`]
      : [`max_execution_time = ${Math.max(1, Math.ceil(timeoutMs))}`, 'information_schema_stats_expiry = 0']),
  ];
  return settings.map((setting) => `SESSION ${setting}`).join(', ');
}

/** Bare names mean functions of the connected database alone; those that this account may not run are not shown. */
const STORED = `
  SELECT LOWER(ROUTINE_NAME) FROM information_schema.ROUTINES
  WHERE ROUTINE_SCHEMA = DATABASE() AND ROUTINE_TYPE <> 'PROCEDURE'`;

/** Functions of libraries that the server loads: every database has them. */
const LOADED = 'SELECT LOWER(name) FROM mysql.func';

/**
 * Functions that a bare name may mean though the engine has none of that name, or has one that a space before the
 * bracket hides: `COUNT (x)` is a stored function where there is one.
 */
async function readMysqlOwnCode(read: ReadCatalogRows): Promise<OwnCode> {
  const found: OwnThing[] = [];
  const add = (sql: string): Promise<void> =>
    read(sql, ([name]) => {
      found.push({ kind: 'function', name: String(name) });
    });
  await add(STORED);
  try {
    await add(LOADED);
  } catch (error) {
    // Only an administrator loads a library, and most accounts may not see which: that is said in the guide.
    if (!isNoRight(error)) throw error;
  }
  return found;
}

/** The server's own numbers: no right to the table, to its database, to its column. */
const NO_RIGHT: ReadonlySet<unknown> = new Set([1142, 1044, 1143]);

function isNoRight(error: unknown): boolean {
  return error instanceof Error && 'errno' in error && NO_RIGHT.has(error.errno);
}

const READ_ONLY_BY =
  'a READ ONLY transaction and session for each statement, reset afterwards; one prepared statement; LOCAL INFILE off';

/** What a reader needs, and what reveals no more than names. */
const HARMLESS: ReadonlySet<string> = new Set([
  'SELECT',
  'USAGE',
  'SHOW VIEW',
  'SHOW DATABASES',
  'SHOW_ROUTINE',
]);

/** The server's version, the account, and the rights it has beyond reading. */
async function describeMysql(product: MysqlProduct, read: ReadCatalogRows): Promise<ServerDescription> {
  let user = '';
  await read('SELECT CURRENT_USER()', ([name]) => {
    user = String(name);
  });
  const excessRights: string[] = [];
  await read('SHOW GRANTS', ([text]) => excessRights.push(...excessOf(String(text))));
  const version = /^[\d.]+/.exec(product.version)?.[0] ?? product.version;
  const title = product.isMariadb ? 'MariaDB' : 'MySQL';
  return { product: `${title} ${version}`, user, readOnlyBy: READ_ONLY_BY, excessRights };
}

/** ``GRANT SELECT, INSERT (`a`) ON `shop`.* TO …``; lines of roles and proxies name no object. */
function excessOf(grant: string): readonly string[] {
  const match = /^GRANT (.+?) ON (\S+) TO /.exec(grant.replace(/ \([^)]*\)/g, ''));
  const [, rights = '', object = ''] = match ?? [];
  return rights
    .split(',')
    .map((right) => right.trim())
    .filter((right) => right !== '' && !HARMLESS.has(right))
    .map((right) => `${right} on ${object.replaceAll('`', '')}`);
}

/**
 * MySQL says its cost in the plan, MariaDB 10.11 in a variable of the session, and only of a query without derived
 * tables. Rows follow from what is read of each table.
 */
async function explainMysql(sql: string, read: ReadCatalogRows): Promise<Plan> {
  let text = '';
  await read(`EXPLAIN FORMAT=JSON ${sql}`, ([json]) => {
    text = String(json);
  });
  const block = field(JSON.parse(text), 'query_block');
  let cost = Number(field(field(block, 'cost_info'), 'query_cost') ?? field(block, 'cost') ?? 0);
  if (cost === 0) {
    await read("SHOW SESSION STATUS LIKE 'Last_query_cost'", ([, value]) => {
      cost = Number(value);
    });
  }
  const rows = joinedRows(block);
  return {
    ...(rows === undefined ? {} : { rows }),
    ...(cost > 0 ? { cost } : {}),
  };
}

/** Goes through sorting down to the tables of the outermost SELECT. */
function joinedRows(block: unknown): number | undefined {
  if (typeof block !== 'object' || block === null) return undefined;
  const own = tableRows(block);
  if (own !== undefined) return own;
  const loop = field(block, 'nested_loop');
  if (Array.isArray(loop)) {
    let rows = 1;
    for (const entry of loop) rows *= joinedRows(entry) ?? 1;
    return rows;
  }
  for (const step of STEPS) {
    const found = joinedRows(field(block, step));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Steps that change no number of rows; after grouping, DISTINCT or windows the engines do not say how many remain. */
const STEPS = ['ordering_operation', 'filesort', 'read_sorted_file', 'block-nl-join'];

/** MySQL: rows examined for each row before, and the share that is kept; MariaDB: the same two, other names. */
function tableRows(block: unknown): number | undefined {
  const table = field(block, 'table');
  const rows = field(table, 'rows_examined_per_scan') ?? field(table, 'rows');
  if (typeof rows !== 'number') return undefined;
  const share = Number(field(table, 'filtered') ?? 100);
  return Math.max(1, Math.round((rows * share) / 100));
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
