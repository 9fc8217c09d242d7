/** What a server's own defaults and the rights of the account do to what is read. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, type Database } from '../../src/database/index.ts';
import { codeOf } from '../fixtures/code-of.ts';
import { describeWithServer, mariadbServer, postgresServer } from '../servers/server-of-run.ts';
import { startMariadb } from '../servers/start-mariadb.ts';
import { READER, type StartedServer } from '../servers/started-server.ts';
import { type TestDatabase, toTestServer } from '../servers/test-server.ts';

const LIMITS = { rows: 100, bytes: 100_000, timeoutMs: 20_000 };

describeWithServer('postgres', 'a PostgreSQL session', () => {
  let made: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    made = await (await postgresServer()).createDatabase('shop');
    await made.run(`
      CREATE SCHEMA sales; CREATE SCHEMA closed; REVOKE ALL ON SCHEMA closed FROM ${READER.user};
      CREATE TABLE sales.deals (id int PRIMARY KEY, secret text, amount int);
      CREATE TABLE public.deals (id int REFERENCES sales.deals);
      CREATE TABLE public.hidden (a int); REVOKE ALL ON public.hidden FROM ${READER.user};
      CREATE TABLE closed.inside (a int);
      CREATE TABLE public.partly (id int PRIMARY KEY, secret text, shown text);
      REVOKE ALL ON public.partly FROM ${READER.user}; GRANT SELECT (id, shown) ON public.partly TO ${READER.user};
      CREATE TABLE public.to_hidden (id int PRIMARY KEY); ALTER TABLE public.hidden ADD PRIMARY KEY (a);
      ALTER TABLE public.to_hidden ADD FOREIGN KEY (id) REFERENCES public.hidden;
      CREATE TABLE public.parts (day date, n int) PARTITION BY RANGE (day);
      CREATE TABLE public.parts_2024 PARTITION OF public.parts FOR VALUES FROM ('2024-01-01') TO ('2025-01-01');
      CREATE TABLE public.parts_2025 PARTITION OF public.parts FOR VALUES FROM ('2025-01-01') TO ('2026-01-01');
      INSERT INTO public.parts SELECT DATE '2024-06-01' + i, i FROM generate_series(1, 400) i;
      GRANT INSERT, UPDATE ON public.deals TO ${READER.user}; GRANT CREATE ON SCHEMA sales TO ${READER.user};
      ANALYZE;
      ALTER DATABASE ${made.name} SET standard_conforming_strings = off;
      ALTER DATABASE ${made.name} SET search_path = sales, public;
      ALTER DATABASE ${made.name} SET TimeZone = 'Asia/Kolkata';
      ALTER DATABASE ${made.name} SET DateStyle = 'German, DMY';
      ALTER DATABASE ${made.name} SET IntervalStyle = 'iso_8601';
      ALTER DATABASE ${made.name} SET bytea_output = 'escape';
      ALTER DATABASE ${made.name} SET extra_float_digits = -10;
      ALTER DATABASE ${made.name} SET default_transaction_read_only = off`);
    database = await connect(made.url);
  });
  afterAll(async () => {
    await database?.close();
    await made?.drop();
  });

  it('reads texts and prints values as it always does', async () => {
    const sql = `SELECT 'a\\', 'b', DATE '2024-02-01', TIMESTAMPTZ '2024-02-01 00:00:00+00', INTERVAL '2 days',
      '\\x41'::bytea, 0.1::float8 + 0.2`;
    expect((await database.query(sql, LIMITS)).rows).toEqual([
      [
        'a\\',
        'b',
        '2024-02-01',
        '2024-02-01 00:00:00+00',
        '2 days',
        new Uint8Array([65]),
        0.30000000000000004,
      ],
    ]);
  });
  it('keeps the path of schemas that the server gives it, between those of the engine', async () => {
    const { rows } = await database.query(`SELECT current_setting('search_path')`, LIMITS);
    expect(rows).toEqual([['pg_catalog, sales, public, pg_temp']]);
    const { tables } = await database.readSchema();
    const places = tables.map(({ schema, name, qualifier }) => [schema, name, qualifier]);
    // `deals` alone is the one in sales; the other needs its schema.
    expect(places).toContainEqual(['sales', 'deals', undefined]);
    expect(places).toContainEqual(['public', 'deals', ['public']]);
  });
  it('shows only what the account may read', async () => {
    const { tables, foreignKeys } = await database.readSchema();
    expect(tables.map(({ name }) => name).sort()).toEqual(['deals', 'deals', 'partly', 'parts', 'to_hidden']);
    const partly = tables.find(({ name }) => name === 'partly');
    expect(partly?.columns.map(({ name }) => name)).toEqual(['id', 'shown']);
    expect(foreignKeys).toEqual([
      { fromTable: 'public.deals', fromColumns: ['id'], toTable: 'deals', toColumns: ['id'] },
    ]);
  });
  it('counts the rows of all partitions', async () => {
    const { tables } = await database.readSchema();
    expect(tables.find(({ name }) => name === 'parts')?.estimatedRows).toBe(400);
  });
  it('names the rights that a reader does not need', async () => {
    const { user, excessRights } = await database.describe();
    expect(user).toBe(READER.user);
    expect(excessRights).toEqual([
      'CREATE in the schema sales',
      'INSERT on 1 table (public.deals)',
      'UPDATE on 1 table (public.deals)',
    ]);
  });
  it('refuses to write where the account may', async () => {
    expect(await codeOf(database.query('INSERT INTO public.deals VALUES (1) RETURNING 1', LIMITS))).toBe(
      'database.not-read-only',
    );
  });
  it('estimates rows and cost', async () => {
    const { rows, cost } = await database.explain('SELECT * FROM parts');
    expect(rows).toBe(400);
    expect(cost).toBeGreaterThan(1);
  });
});

describeWithServer('mariadb', 'a MariaDB session', () => {
  let own: StartedServer;
  let made: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    // Defaults that would change what a text means.
    own = await startMariadb({
      settings: {
        sql_mode: 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES,PIPES_AS_CONCAT,IGNORE_SPACE,HIGH_NOT_PRECEDENCE',
        default_time_zone: '+05:30',
        lc_time_names: 'de_DE',
        character_set_server: 'latin1',
        group_concat_max_len: '4',
        local_infile: 'ON',
      },
    });
    made = await toTestServer(own).createDatabase('shop');
    await made.run(`
      CREATE TABLE deals (id int PRIMARY KEY, at timestamp); INSERT INTO deals VALUES (1, '2024-02-01 05:30:00');
      CREATE TABLE many (n int) AS SELECT seq AS n FROM seq_1_to_5000; ANALYZE TABLE many;
      GRANT INSERT, UPDATE (id) ON ${made.name}.deals TO ${READER.user}; GRANT FILE ON *.* TO ${READER.user}`);
    database = await connect(made.url);
  });
  afterAll(async () => {
    await database?.close();
    await own?.stop();
  });

  it('reads texts and prints values as it always does', async () => {
    const sql = `SELECT "text", 'a\\'b', 1 || 0, MONTHNAME('2024-02-01'), (SELECT at FROM deals), NOT 1 BETWEEN 0 AND 2,
      (SELECT GROUP_CONCAT(n ORDER BY n) FROM many WHERE n < 5), 'Zoë'`;
    expect((await database.query(sql, LIMITS)).rows).toEqual([
      ['text', `a'b`, 1, 'February', '2024-02-01 00:00:00', 0, '1,2,3,4', 'Zoë'],
    ]);
  });
  it('names the rights that a reader does not need', async () => {
    const { product, user, excessRights } = await database.describe();
    expect(product).toMatch(/^MariaDB 1\d\.\d+\.\d+$/);
    expect(user).toBe(`${READER.user}@%`);
    expect(excessRights).toEqual([
      'FILE on *.*',
      `INSERT on ${made.name}.deals`,
      `UPDATE on ${made.name}.deals`,
    ]);
  });
  it('refuses to write where the account may', async () => {
    expect(await codeOf(database.query('INSERT INTO deals VALUES (2, NULL) RETURNING id', LIMITS))).toBe(
      'database.not-read-only',
    );
  });
  it('does not see the databases beside its own', async () => {
    const other = await toTestServer(own).createDatabase('other');
    await other.run('CREATE TABLE elsewhere (a int)');
    const { tables } = await database.readSchema();
    expect(tables.map(({ name }) => name)).toEqual(['deals', 'many']);
  });
  it('estimates rows and cost', async () => {
    const { rows, cost } = await database.explain('SELECT * FROM many');
    expect(rows).toBe(5000);
    expect(cost).toBeGreaterThan(1);
    expect(await database.explain('SELECT n, COUNT(*) FROM many GROUP BY n')).not.toHaveProperty('rows');
  });
  it('ends a result that is much longer than wanted, and goes on', async () => {
    const sql = 'SELECT a.n FROM many a, many b LIMIT 20000000';
    const result = await database.query(sql, { ...LIMITS, rows: 3 });
    expect(result).toMatchObject({ truncatedBy: 'rows' });
    expect(result.rows).toHaveLength(3);
    expect((await database.query('SELECT COUNT(*) FROM many', LIMITS)).rows).toEqual([[5000]]);
  });
});

describeWithServer('mariadb', 'MariaDB by both schemes', () => {
  it('is reached as mysql: and as mariadb:', async () => {
    const { url } = await mariadbServer();
    const target = url.replace('/mysql', '/information_schema').replace('mysql:', 'mariadb:');
    const database = await connect(target);
    expect((await database.query('SELECT 1', LIMITS)).rows).toEqual([[1]]);
    expect(database.url).toMatch(/^mariadb:/);
    await database.close();
  });
});

describe('both', () => {
  it('need no driver to refuse a URL', async () => {
    expect(await codeOf(connect('mysql://u:p@h'))).toBe('database.invalid-url');
    expect(await codeOf(connect('postgres://u:p@h/d?sslmode=maybe'))).toBe('database.invalid-url');
  });
});
