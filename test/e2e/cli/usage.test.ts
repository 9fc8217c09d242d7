import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { whyNoTrino } from '../../../scripts/trino.ts';
import { defineUsageCommand } from '../../../src/cli/commands/project/usage.ts';
import type { Io } from '../../../src/cli/index.ts';
import { TrinoFixture } from '../../conformance/trino-fixture.ts';
import { describeWithServer } from '../../servers/server-of-run.ts';
import { startMariadb } from '../../servers/start-mariadb.ts';
import { startPostgres } from '../../servers/start-postgres.ts';
import { READER, type StartedServer } from '../../servers/started-server.ts';
import { type TestDatabase, toTestServer } from '../../servers/test-server.ts';
import { makeShop } from './make-shop.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'candor-usage-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The command alone, as the program has it. */
async function run(cwd: string, ...argv: readonly string[]) {
  const stdout: string[] = [];
  const stderr: string[] = [];
  const io: Io = {
    stdout: { write: (text) => void stdout.push(text), isTerminal: false },
    stderr: { write: (text) => void stderr.push(text), isTerminal: false },
    cwd,
    env: {},
    program: 'candor',
    signal: new AbortController().signal,
  };
  let code = -1;
  const program = new Command('candor').exitOverride();
  defineUsageCommand(program.command('usage'), {
    io,
    finish: (exitCode) => {
      code = exitCode;
    },
  });
  await program.parseAsync(['node', 'candor', 'usage', ...argv]);
  return { code, stdout: stdout.join(''), stderr: stderr.join('') };
}

const SHOP = `
  CREATE TABLE customers (id INTEGER PRIMARY KEY, name VARCHAR(50), email VARCHAR(50));
  CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER, amount INTEGER);`;
const JOIN =
  'SELECT c.name, SUM(o.amount) FROM orders o\nJOIN customers c ON c.id = o.customer_id\nGROUP BY c.name';

describe('candor usage', () => {
  it('ingests a log, knows it again, and shows what it says', async () => {
    makeShop(join(folder, 'shop.db'));
    const lines = [
      ...Array.from({ length: 3 }, () => ({ sql: JOIN, user: 'anna', at: '2024-05-06' })),
      { sql: 'SELECT city FROM customers', user: 'ben', at: '2024-05-07' },
      { sql: 'SELECT 1 FROM invoices', user: 'ben', at: '2024-05-07' },
    ];
    const log = `${lines.map((line) => JSON.stringify(line)).join('\n')}\n{broken\n`;
    writeFileSync(join(folder, 'log.jsonl'), log.replaceAll('c.name', 'c.city'));
    const place = ['--database', 'sqlite:shop.db'];
    const first = await run(folder, 'ingest', 'log.jsonl', ...place);
    expect(first.code, first.stderr).toBe(0);
    expect(first.stdout).toMatch(/log\.jsonl +json +4 +0 +0 +0 +1 +1\n/);
    expect(first.stderr).toContain('1 row of this run could not be read');
    expect(first.stderr).toContain('no constant of a statement is kept');
    const [, path = ''] = /set aside in (.*)\n/.exec(first.stderr) ?? [];
    const aside = readFileSync(path, 'utf8');
    expect(JSON.parse(aside)).toEqual({ place: expect.stringMatching(/log\.jsonl:6$/), reason: 'not-json' });
    expect((await run(folder, 'ingest', 'log.jsonl', ...place)).stdout).toContain('nothing new');

    const show = (...argv: readonly string[]) =>
      run(folder, 'show', '--as-of', '2024-05-31', ...argv, ...place);
    const tables = await show();
    expect(tables.stdout).toMatch(/customers +1\.58 +2 +4 +2024-05-07\n/);
    expect(tables.stdout).toContain('2 tables from 2024-03-03 to 2024-05-31');
    expect(tables.stdout).toContain('that the catalog does not have: invoices (1)');
    expect((await show('--joins')).stdout).toMatch(/customers\.id +orders\.customer_id +1 +3\n/);
    expect((await show('--users', '--without', 'ben')).stdout).toMatch(
      /anna +2 +6 +customers\n(?:.*\n)*ben is taken for a program/,
    );
    expect((await show('--examples')).stdout).toMatch(/3 +1 +anna +2024-05-06 +SELECT c\.city, SUM/);
    expect((await show('--limit', '1')).stdout).toContain('1 shown: raise --limit');
    expect(JSON.parse((await show('--output', 'json')).stdout)).toMatchObject({
      from: '2024-03-03',
      joins: [{ runs: 3 }],
    });
  });

  it.each([
    [['show'], 'no runs of statements'],
    [['ingest'], 'no log was named'],
    [['ingest', 'nowhere.log'], 'no such file'],
    [['ingest', 'shop.db'], 'looks like none of the logs'],
    [['ingest', '--live'], 'does not remember its statements'],
  ])('%j: %s', async (argv, message) => {
    const own = mkdtempSync(join(folder, 'bad-'));
    makeShop(join(own, 'shop.db'));
    const { code, stderr } = await run(own, ...argv, '--database', 'sqlite:shop.db');
    expect({ isFailure: code === 2 || code === 3, stderr }).toEqual({
      isFailure: true,
      stderr: expect.stringContaining(message),
    });
    expect(existsSync(join(own, 'shop.db'))).toBe(true);
  });
});

describe('candor usage ingest --logs', () => {
  let own: string;
  beforeAll(async () => {
    own = mkdtempSync(join(folder, 'engine-'));
    makeShop(join(own, 'shop.db'));
    const instance = await DuckDBInstance.create(join(own, 'log.duckdb'));
    const connection = await instance.connect();
    await connection.run(`CREATE SCHEMA ops; CREATE TABLE ops.reads AS SELECT * FROM (VALUES
      ('anna', 'main.customers', TIMESTAMP '2024-05-29 23:59:59'), ('anna', 'orders', TIMESTAMP '2024-05-30 08:00:00'),
      ('ben', 'orders', TIMESTAMP '2024-05-30 09:00:00'), ('ben', 'orders', TIMESTAMP '2024-05-30 10:00:00'),
      ('ben', 'invoices', TIMESTAMP '2024-05-30 11:00:00'), ('ben', 'orders', TIMESTAMP '2024-05-31 09:00:00'))
      AS r (who, "table", started)`);
    connection.closeSync();
    instance.closeSync();
    writeFileSync(
      join(own, 'candor.yml'),
      `database: sqlite:shop.db
today: 2024-05-31
connections:
  lake: duckdb:log.duckdb
usage:
  logs:
    - name: reads
      connection: lake
      kind: tables
      table: [ops, reads]
      columns: { user: who, time: started, table: table }
`,
    );
  });

  it('reads the days that are over from the engine, once', async () => {
    const first = await run(own, 'ingest', '--logs');
    expect(first.code, first.stderr).toBe(0);
    expect(first.stdout).toMatch(/reads +grouped +4 +0 +0 +0 +1 +0\n/);
    expect(first.stdout).toContain('reads: 90 new days, 0 days read before');
    const { stdout } = await run(own, 'show', '--output', 'json');
    expect(JSON.parse(stdout)).toMatchObject({
      tables: [
        { tableId: 'orders', runs: 3, users: 2 },
        { tableId: 'customers', runs: 1 },
      ],
    });
    const again = await run(own, 'ingest', '--logs', 'reads', '--output', 'json');
    expect(JSON.parse(again.stdout).days).toEqual([
      { log: 'reads', counts: {}, readDays: 0, knownDays: 90, groups: 0 },
    ]);
    expect((await run(own, 'show', '--output', 'json')).stdout).toBe(stdout);
  });

  it('says which logs there are', async () => {
    const { code, stderr } = await run(own, 'ingest', '--logs', 'writes');
    expect(code).not.toBe(0);
    expect(stderr).toContain('names no log writes under usage.logs; it names reads');
  });
});

interface Table {
  readonly tableId: string;
  readonly runs: number;
  readonly users: number;
}

/** What `show` says of a database, far in the future so that every day of the log is within. */
async function tablesOf(cwd: string, url: string): Promise<(readonly [string, number, number])[]> {
  const { stdout } = await run(cwd, 'show', '--database', url, '--days', '365', '--output', 'json');
  const { tables }: { readonly tables: readonly Table[] } = JSON.parse(stdout);
  return tables.map(({ tableId, runs, users }) => [tableId, runs, users] as const).sort();
}

describeWithServer('postgres', 'what PostgreSQL writes', () => {
  let started: StartedServer;
  let shop: TestDatabase;
  beforeAll(async () => {
    started = await startPostgres({
      settings: {
        logging_collector: 'on',
        log_destination: 'csvlog,jsonlog',
        log_directory: 'log',
        log_filename: 'server.log',
        log_statement: 'all',
        log_timezone: 'UTC',
        shared_preload_libraries: 'pg_stat_statements',
        compute_query_id: 'on',
      },
    });
    const server = toTestServer(started);
    shop = await server.createDatabase('shop');
    await shop.run(`CREATE EXTENSION pg_stat_statements; ${SHOP}`);
    await shop.run('SELECT pg_stat_statements_reset()');
    await shop.run(JOIN);
    await shop.run(JOIN);
    await shop.run("SELECT name FROM customers WHERE email = 'someone@example.com' AND id > 3");
    await shop.run('SELECT nope FROM orders').catch(() => undefined);
    await shop.run('SELECT id FROM orders WHERE amount > 5 LIMIT 3; SELECT id FROM customers');
    await shop.run(`UPDATE orders SET amount = 1; INSERT INTO orders (id) SELECT id FROM customers`);
    await server.run('SELECT 1');
  }, 60_000);
  afterAll(() => started?.stop());

  /** Statements of the account that the connection uses are Candor's own; so are those with its application name. */
  const expected = [
    ['customers', 5, 1],
    ['orders', 3, 1],
  ] as const;

  it.each(['csv', 'json'])('%s log', async (ending) => {
    const own = mkdtempSync(join(folder, 'postgres-'));
    const logs = join(started.folder, 'data', 'log');
    const [log = ''] = readdirSync(logs).filter((name) => name.endsWith(`.${ending}`));
    const { code, stdout, stderr } = await run(own, 'ingest', join(logs, log), '--database', shop.url);
    expect({ code, stderr: stderr.includes('could not be read') }, stderr).toEqual({
      code: 0,
      stderr: false,
    });
    expect(stdout).toContain(`postgres-${ending}log`);
    expect(await tablesOf(own, shop.url)).toEqual(expected);
    expect(keptText(own)).toContain('email =');
    expect(keptText(own)).not.toContain('someone@example.com');
    // The other log of the same server tells the same runs.
    const [other = ''] = readdirSync(logs).filter((name) =>
      name.endsWith(ending === 'csv' ? '.json' : '.csv'),
    );
    expect((await run(own, 'ingest', join(logs, other), '--database', shop.url)).code).toBe(0);
    expect(await tablesOf(own, shop.url)).toEqual(expected);
  });

  it('pg_stat_statements, live, twice', async () => {
    const own = mkdtempSync(join(folder, 'postgres-'));
    await shop.run(`GRANT pg_read_all_stats TO ${READER.user}`);
    const live = () => run(own, 'ingest', '--live', '--database', shop.url, '--output', 'json');
    const first = await live();
    expect(first.code, first.stderr).toBe(0);
    expect(JSON.parse(first.stdout).live.counts['rejected.not-sql']).toBeUndefined();
    expect(await tablesOf(own, shop.url)).toEqual(expected);
    await live();
    expect(await tablesOf(own, shop.url)).toEqual(expected);
    await shop.run(JOIN);
    await live();
    expect(await tablesOf(own, shop.url)).toEqual([
      ['customers', 6, 1],
      ['orders', 4, 1],
    ]);
  });

  it('says what is missing where the extension is not there', async () => {
    const bare = await toTestServer(started).createDatabase('bare');
    await bare.run('CREATE TABLE t (a INTEGER)');
    const { stderr } = await run(folder, 'ingest', '--live', '--database', bare.url);
    expect(stderr).toContain('the extension pg_stat_statements cannot be read');
  });
});

describeWithServer('mariadb', 'what MariaDB writes', () => {
  let started: StartedServer;
  let shop: TestDatabase;
  beforeAll(async () => {
    started = await startMariadb({
      settings: {
        general_log: 'ON',
        general_log_file: '{folder}/general.log',
        slow_query_log: 'ON',
        slow_query_log_file: '{folder}/slow.log',
        long_query_time: '0',
        log_output: 'FILE',
      },
    });
    const server = toTestServer(started);
    shop = await server.createDatabase('shop');
    const other = await server.createDatabase('other');
    await other.run(SHOP);
    await shop.run(SHOP);
    await shop.run(JOIN);
    await shop.run(`${JOIN};\nSELECT id FROM orders WHERE amount > 5`);
    await other.run('SELECT id FROM orders');
    await other.run(`USE ${shop.name}; SELECT id FROM customers`);
    await server.run(`SELECT id FROM ${shop.name}.customers`);
  }, 60_000);
  afterAll(() => started?.stop());

  it.each(['general', 'slow'])('%s log', async (name) => {
    const own = mkdtempSync(join(folder, 'mariadb-'));
    const log = join(started.folder, `${name}.log`);
    const { code, stdout, stderr } = await run(own, 'ingest', log, '--database', shop.url);
    expect({ code, stderr: stderr.includes('could not be read') }, stderr).toEqual({
      code: 0,
      stderr: false,
    });
    expect(stdout).toContain(`mysql-${name}`);
    expect(await tablesOf(own, shop.url)).toEqual([
      ['customers', 4, 1],
      ['orders', 3, 1],
    ]);
  });
});

const missing = await whyNoTrino();

describe.skipIf(missing !== null)(
  `what Trino remembers${missing === null ? '' : `, skipped: ${missing}`}`,
  () => {
    const trino = new TrinoFixture();
    beforeAll(() => trino.start(), 200_000);
    afterAll(() => trino.stop(), 20_000);

    it('is asked twice and counted once', async () => {
      // A server that answers has not always found itself as a node to run queries on.
      await vi.waitFor(() => trino.run('SELECT count(*) FROM tpch.tiny.nation'), {
        timeout: 60_000,
        interval: 500,
      });
      const made = await trino.make([
        'CREATE TABLE orders (id INTEGER, amount INTEGER)',
        'SELECT id FROM orders WHERE amount > 5',
        'SELECT COUNT(*) FROM orders',
      ]);
      await trino.run('SELECT nope FROM orders', made.name).catch(() => undefined);
      const own = mkdtempSync(join(folder, 'trino-'));
      const live = () => run(own, 'ingest', '--live', '--database', made.url, '--output', 'json');
      const first = await live();
      expect(first.code, first.stderr).toBe(0);
      expect(JSON.parse(first.stdout).live.counts).toMatchObject({ counted: 2 });
      expect(JSON.parse(first.stdout).live.counts.failed).toBeGreaterThan(0);
      expect(await tablesOf(own, made.url)).toEqual([['orders', 2, 1]]);
      await live();
      expect(await tablesOf(own, made.url)).toEqual([['orders', 2, 1]]);
    }, 120_000);
  },
);

/** All that an ingestion leaves behind. */
function keptText(cwd: string): string {
  const entries = readdirSync(join(cwd, '.candor'), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1')).join('\n');
}
