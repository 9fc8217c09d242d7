/** A database worth attacking, and all that an attack could change, read or reach, as one text to compare. */
import { createHash } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { DatabaseSync } from '@photostructure/sqlite';
import type { DialectName } from '../../src/sql/dialects/dialect.ts';
import type { StartedServer } from '../servers/started-server.ts';
import { type TestDatabase, toTestServer } from '../servers/test-server.ts';

/** Stands in the file that attacks try to read, and nowhere in the database. */
export const CANARY = 'canary-4711';

export interface AttackWorld {
  readonly dialect: Extract<DialectName, 'sqlite' | 'duckdb' | 'postgres' | 'mysql'>;
  /** Accounts by name; files have one. */
  readonly urls: Readonly<Record<string, string>>;
  /** The attack with the files and hosts it names put where they can be watched. */
  aim(sql: string): string;
  /** Everything that may not change: rows, sequences, accounts, settings, locks, files. */
  state(): Promise<string>;
  /** Connections that anybody made to the address that attacks name. */
  connections(): number;
  close(): Promise<void>;
}

interface Surroundings {
  /** Anybody may write here, servers too. */
  readonly folder: string;
  readonly trap: Server;
  readonly aim: (sql: string) => string;
  readonly connections: () => number;
}

async function createSurroundings(): Promise<Surroundings> {
  const folder = mkdtempSync(join(tmpdir(), 'candor-attack-'));
  chmodSync(folder, 0o777);
  const canary = join(folder, 'passwd');
  writeFileSync(canary, `${CANARY}\n`);
  chmodSync(canary, 0o644);
  let connections = 0;
  const trap = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve));
  const address = trap.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const hex = Buffer.from(canary).toString('hex').toUpperCase();
  const aim = (sql: string): string =>
    sql
      .replaceAll('/etc/passwd', canary)
      .replaceAll('2F6574632F706173737764', hex)
      .replaceAll('example.org', `127.0.0.1:${port}`)
      .replace(/(?<=['"])\/tmp\//g, `${folder}/`);
  return { folder, trap, aim, connections: () => connections };
}

/** Names and contents of the files of a folder and those below it. */
function filesOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const path = join(folder, name);
      if (!statSync(path).isFile()) return `${name}/`;
      return `${name} ${createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 16)}`;
    });
}

const TABLES = [
  'CREATE TABLE t (id INTEGER, a VARCHAR(50), b INTEGER, d DATE)',
  "INSERT INTO t VALUES (1, 'one', 10, '2024-01-01'), (2, 'two', 20, '2024-02-01'), (3, NULL, NULL, NULL)",
  'CREATE TABLE u (id INTEGER, a VARCHAR(50))',
  "INSERT INTO u VALUES (1, 'one')",
];

export async function openFileWorld(dialect: 'sqlite' | 'duckdb'): Promise<AttackWorld> {
  const around = await createSurroundings();
  const path = join(around.folder, 'shop.db');
  if (dialect === 'sqlite') {
    const database = new DatabaseSync(path);
    for (const sql of TABLES) database.exec(sql);
    database.close();
  } else {
    const instance = await DuckDBInstance.create(path);
    const connection = await instance.connect();
    for (const sql of [...TABLES, 'CREATE SEQUENCE s']) await connection.run(sql);
    connection.closeSync();
    instance.closeSync();
  }
  return {
    dialect,
    urls: { file: `${dialect}:${path}` },
    aim: around.aim,
    state: async () => filesOf(around.folder).join('\n'),
    connections: around.connections,
    close: async () => {
      around.trap.close();
      rmSync(around.folder, { recursive: true });
    },
  };
}

/** On a private server: an attack that gets through may do it harm. */
export async function openServerWorld(started: StartedServer): Promise<AttackWorld> {
  const around = await createSurroundings();
  const database = await toTestServer(started).createDatabase('attack');
  await database.run([...TABLES, 'CREATE SEQUENCE s'].join(';\n'));
  const readState = started.kind === 'postgres' ? postgresState : mariadbState;
  return {
    dialect: started.kind === 'postgres' ? 'postgres' : 'mysql',
    urls: { reader: database.url, superuser: database.adminUrl },
    aim: around.aim,
    state: async () => [...(await readState(database)), ...filesOf(around.folder)].join('\n'),
    connections: around.connections,
    close: async () => {
      around.trap.close();
      await started.stop();
      rmSync(around.folder, { recursive: true });
    },
  };
}

const TEXT_OF = (table: string): string =>
  `(SELECT coalesce(md5(string_agg(x::text, ',' ORDER BY x::text)), '') FROM ${table} AS x)`;

/** Rows, relations, functions, accounts, settings, large objects, slots, and the locks of other sessions. */
async function postgresState(database: TestDatabase): Promise<readonly string[]> {
  const [row = {}] = await database.run(`SELECT
    ${TEXT_OF('t')} AS t, ${TEXT_OF('u')} AS u, (SELECT last_value::text || is_called FROM s) AS s,
    (SELECT string_agg(relname::text || relkind::text, ',' ORDER BY relname, oid) FROM pg_class WHERE relnamespace <> ALL
      (ARRAY['pg_catalog'::regnamespace, 'information_schema'::regnamespace, 'pg_toast'::regnamespace])) AS relations,
    (SELECT count(*) FROM pg_proc) AS functions, (SELECT count(*) FROM pg_trigger) AS triggers,
    (SELECT count(*) FROM pg_rewrite) AS rules, (SELECT count(*) FROM pg_description) AS comments,
    (SELECT string_agg(extname, ',') FROM pg_extension) AS extensions,
    ${TEXT_OF('pg_authid')} AS accounts, ${TEXT_OF('pg_auth_members')} AS members,
    ${TEXT_OF('pg_db_role_setting')} AS role_settings, ${TEXT_OF('pg_largeobject_metadata')} AS large_objects,
    ${TEXT_OF('pg_foreign_server')} AS servers, ${TEXT_OF('pg_event_trigger')} AS event_triggers,
    ${TEXT_OF('pg_publication')} AS publications, ${TEXT_OF('pg_subscription')} AS subscriptions,
    (SELECT string_agg(datname, ',' ORDER BY datname) FROM pg_database) AS databases,
    (SELECT count(*) FROM pg_replication_slots) AS slots, (SELECT count(*) FROM pg_prepared_xacts) AS prepared,
    (SELECT md5(string_agg(name || reset_val, ',' ORDER BY name)) FROM pg_settings) AS settings,
    (SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid)
      WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()) AS locks`);
  return Object.entries(row).map(([name, value]) => `${name} ${value}`);
}

const VOLATILE_VARIABLES = `'timestamp', 'rand_seed1', 'rand_seed2', 'pseudo_thread_id', 'last_insert_id', 'error_count',
  'warning_count', 'insert_id', 'identity', 'last_gtid'`;

/** Rows, tables, routines, accounts, global settings, and whether anybody holds a lock. */
async function mariadbState(database: TestDatabase): Promise<readonly string[]> {
  const texts: string[] = [];
  const add = async (name: string, sql: string): Promise<void> => {
    texts.push(
      `${name} ${JSON.stringify(await database.run(sql), (_, value) => (typeof value === 'bigint' ? `${value}` : value))}`,
    );
  };
  await add(
    'rows',
    'CHECKSUM TABLE t, u, mysql.global_priv, mysql.db, mysql.proc, mysql.event, mysql.servers EXTENDED',
  );
  await add('sequence', 'SELECT * FROM s');
  await add(
    'tables',
    `SELECT table_schema, table_name, table_type FROM information_schema.tables
    WHERE table_schema NOT IN ('information_schema', 'performance_schema') ORDER BY 1, 2`,
  );
  await add(
    'variables',
    `SELECT MD5(GROUP_CONCAT(variable_name, '=', global_value ORDER BY variable_name)) AS hash
    FROM information_schema.system_variables WHERE LOWER(variable_name) NOT IN (${VOLATILE_VARIABLES})
      AND global_value IS NOT NULL`,
  );
  await add('plugins', 'SELECT COUNT(*) AS plugins FROM information_schema.plugins');
  await add('user lock', "SELECT IS_FREE_LOCK('x') AS is_free");
  // Waits for no session: one that still holds the table makes it fail.
  await add(
    'table lock',
    'SET SESSION lock_wait_timeout = 1; LOCK TABLES t WRITE, u WRITE; UNLOCK TABLES; SELECT 1 AS free',
  );
  return texts;
}
