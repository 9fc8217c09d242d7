/** State of ours in a PostgreSQL database that several installations share, in a schema of its own. */
import type { Pool, PoolClient, PoolConfig } from 'pg';
import { loadDriver } from '../../database/index.ts';
import { type PostgresConfig, postgresFailure, readPostgresConfig } from '../../database/postgres/index.ts';
import { CandorError } from '../../errors.ts';
import { type ListenerSettings, openPostgresListener, type PostgresListener } from './postgres-listener.ts';

export type SharedRow = Readonly<Record<string, unknown>>;
export type RunSql = (sql: string, values?: readonly unknown[]) => Promise<readonly SharedRow[]>;

export interface SharedState {
  /** Runs one statement on any connection. */
  readonly run: RunSql;
  /** Work on one connection, which may keep temporary tables; they are dropped afterwards. */
  session<Result>(work: (run: RunSql) => Promise<Result>): Promise<Result>;
  /** A further connection that hears what other programs say. Close it first. Throws as connecting does. */
  listen(settings: ListenerSettings): Promise<PostgresListener>;
  close(): Promise<void>;
}

export interface SharedStateOptions {
  /** What the tables are for: each part has versions of its own. */
  readonly part: string;
  /** SQL that makes version 1, then what makes version 2 of it, and so on. The schema is `candor`. */
  readonly migrations: readonly string[];
}

/** No statement of ours takes as long on a server that works. */
const STATEMENT_TIMEOUT_MS = 120_000;
/** Any number that other programs do not take for their locks: "candor" on a telephone. */
const MIGRATION_LOCK = 226_367;

/**
 * Connects to PostgreSQL (13 or newer) and brings the tables to the newest version; two programs that start at once
 * wait for each other. Throws as connecting to a database does, and `store.unusable`.
 */
export async function openSharedState(url: string, options: SharedStateOptions): Promise<SharedState> {
  const state = new PostgresState(...(await openPools(url)));
  try {
    await state.session((run) => migrate(run, options));
    return state;
  } catch (error) {
    await state.close();
    throw error;
  }
}

/** Connections to PostgreSQL, the first of them open already. Throws as connecting to a database does. */
export async function openPool(url: string): Promise<Pool> {
  const [pool] = await openPools(url);
  return pool;
}

/** The same, and what makes further ones of other settings. */
async function openPools(url: string): Promise<[Pool, MakePool]> {
  const { Pool: PoolClass } = await loadDriver('PostgreSQL', 'npm install pg@8.23.1', async () => {
    const { default: pg } = await import('pg');
    return pg;
  });
  return connect(PoolClass, readPostgresConfig(url, '.'));
}

/** Runs work as one transaction of a session: all of it is kept, or nothing. */
export async function inTransaction<Result>(run: RunSql, work: () => Promise<Result>): Promise<Result> {
  await run('BEGIN');
  try {
    const result = await work();
    await run('COMMIT');
    return result;
  } catch (error) {
    // The connection may be gone, and with it the transaction.
    await run('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

type MakePool = (more: PoolConfig) => Pool;

async function connect(PoolClass: typeof Pool, config: PostgresConfig): Promise<[Pool, MakePool]> {
  const make: MakePool = (more) => {
    const pool = new PoolClass({ ...config.client, max: config.poolSize, ...more });
    // Without a listener a connection that ends while idle would end the program.
    pool.on('error', () => undefined);
    return pool;
  };
  const pool = make({ statement_timeout: STATEMENT_TIMEOUT_MS, allowExitOnIdle: true });
  try {
    (await pool.connect()).release();
    return [pool, make];
  } catch (error) {
    await pool.end();
    const failure = postgresFailure(error, 'connecting');
    if (!config.mayDropTls || !/does not support SSL/i.test(failure.message)) throw failure;
    return connect(PoolClass, { ...config, mayDropTls: false, client: { ...config.client, ssl: false } });
  }
}

class PostgresState implements SharedState {
  readonly #pool: Pool;
  readonly #makePool: MakePool;

  constructor(pool: Pool, makePool: MakePool) {
    this.#pool = pool;
    this.#makePool = makePool;
  }

  readonly run: RunSql = (sql, values) => runOn(this.#pool, sql, values);

  async session<Result>(work: (run: RunSql) => Promise<Result>): Promise<Result> {
    const client = await this.#pool.connect().catch((error: unknown) => {
      throw postgresFailure(error, 'connecting');
    });
    let isLost = false;
    const lose = (): void => {
      isLost = true;
    };
    client.on('error', lose);
    try {
      return await work((sql, values) => runOn(client, sql, values));
    } finally {
      await client.query('DISCARD TEMP').catch(lose);
      client.off('error', lose);
      client.release(isLost);
    }
  }

  async listen(settings: ListenerSettings): Promise<PostgresListener> {
    const own = this.#makePool({ max: 1 });
    try {
      return await openPostgresListener(own, settings);
    } catch (error) {
      await own.end();
      throw postgresFailure(error, 'connecting');
    }
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }
}

async function runOn(
  client: Pool | PoolClient,
  sql: string,
  values: readonly unknown[] = [],
): Promise<readonly SharedRow[]> {
  try {
    const { rows }: { rows: SharedRow[] } = await client.query(sql, [...values]);
    return rows;
  } catch (error) {
    throw postgresFailure(error, 'running');
  }
}

async function migrate(run: RunSql, { part, migrations }: SharedStateOptions): Promise<void> {
  await inTransaction(run, async () => {
    await run('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await run('CREATE SCHEMA IF NOT EXISTS candor');
    await run('CREATE TABLE IF NOT EXISTS candor.versions (part text PRIMARY KEY, version int NOT NULL)');
    const [row] = await run('SELECT version FROM candor.versions WHERE part = $1', [part]);
    const version = Number(row?.version ?? 0);
    if (version > migrations.length)
      throw new CandorError(
        'store.unusable',
        `the schema candor was written by a newer Candor (version ${version} of ${part}).`,
      );
    for (const step of migrations.slice(version)) await runScript(run, step);
    await run(
      `INSERT INTO candor.versions VALUES ($1, $2)
       ON CONFLICT (part) DO UPDATE SET version = excluded.version`,
      [part, migrations.length],
    );
  });
}

/** With values, even none, a server takes one statement at a time. */
async function runScript(run: RunSql, script: string): Promise<void> {
  for (const statement of script.split(/;\s*$/m)) if (statement.trim() !== '') await run(statement);
}
