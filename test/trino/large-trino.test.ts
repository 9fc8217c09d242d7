/** What large users need of Trino, on a real server: many catalogs, people's own rights, limits, cancels, profiles. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { whyNoTrino } from '../../scripts/trino.ts';
import { outlineCatalog, profileTable } from '../../src/catalog/index.ts';
import { readConfig } from '../../src/config/index.ts';
import { connect, type Database } from '../../src/database/index.ts';
import { openProject } from '../../src/session/open-project.ts';
import { openSession } from '../../src/session/project/open-session.ts';
import type { Session } from '../../src/session/project/session.ts';
import { hasOpenssl } from '../conformance/tls-certificates.ts';
import { TrinoFixture } from '../conformance/trino-fixture.ts';
import { candorProgram } from '../fixtures/candor-program.ts';
import { codeOf } from '../fixtures/code-of.ts';
import { type LargeInstallation, makeLargeInstallation, SERVICE } from './large-installation.ts';

const LIMITS = { rows: 100, bytes: 1_000_000, timeoutMs: 60_000 };
const ENDLESS = 'SELECT count(*) FROM lineitem AS a CROSS JOIN lineitem AS b CROSS JOIN lineitem AS c';
const missing = (await whyNoTrino()) ?? (hasOpenssl() ? null : 'there is no openssl');
const trino = new TrinoFixture();
let made: LargeInstallation;
let folder: string;

describe.skipIf(missing !== null)(`a large Trino${missing === null ? '' : `, skipped: ${missing}`}`, () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'candor-large-'));
    made = await makeLargeInstallation();
    await trino.start(made.options);
    for (const sql of [
      'CREATE SCHEMA memory.sales',
      'CREATE SCHEMA memory.hr',
      "CREATE TABLE memory.sales.orders (id bigint, amount decimal(10,2) COMMENT 'In euros') COMMENT 'One row an order'",
      'INSERT INTO memory.sales.orders VALUES (1, 9.5), (2, 7)',
      "CREATE VIEW memory.sales.large COMMENT 'From eight euros' AS SELECT * FROM memory.sales.orders WHERE amount > 8",
      'CREATE TABLE memory.hr.people (name varchar)',
      "INSERT INTO memory.hr.people VALUES 'Zoë'",
      'CREATE TABLE memory.hr.secret (name varchar)',
      'CREATE SCHEMA lake.gold',
      `CREATE TABLE lake.gold.orders WITH (partitioning = ARRAY['month(orderdate)', 'bucket(custkey, 2)'])
       AS SELECT * FROM tpch.tiny.orders WHERE orderdate < DATE '1992-03-01'`,
    ])
      await trino.run(sql);
  }, 200_000);
  afterAll(async () => {
    await trino.stop();
    await made?.remove();
    rmSync(folder, { recursive: true, force: true });
  }, 30_000);

  describe('with many catalogs', () => {
    it('reads those that can be read, and says which cannot', async () => {
      const database = await connect(trino.server.url, { tables: { exclude: ['tpch.sf*', '*.system'] } });
      const { tables, leftOut } = await database.readSchema();
      expect(leftOut).toEqual([
        { name: 'the catalog down', because: expect.stringContaining('Connection refused') },
      ]);
      const named = new Map(
        tables.map((table) => [[...(table.qualifier ?? []), table.name].join('.'), table]),
      );
      expect([...named.keys()].filter((name) => !name.startsWith('tpch.'))).toEqual([
        'lake.gold.orders',
        'memory.hr.people',
        'memory.hr.secret',
        'memory.sales.large',
        'memory.sales.orders',
      ]);
      expect([...named.keys()].filter((name) => name.startsWith('tpch.'))).toHaveLength(8);
      expect(named.get('lake.gold.orders')).toMatchObject({
        partitionKey: ['custkey', 'orderdate'],
        estimatedRows: expect.any(Number),
      });
      expect(named.get('memory.sales.large')).toMatchObject({ kind: 'view', comment: 'From eight euros' });
      expect(named.get('memory.sales.orders')).toMatchObject({
        comment: 'One row an order',
        columns: [{ name: 'id' }, { name: 'amount', comment: 'In euros' }],
      });
      const stamp = await database.stamp();
      expect(await database.stamp()).toBe(stamp);
      expect((await outlineCatalog(database)).leftOut).toEqual(leftOut);
      await trino.run('CREATE TABLE memory.sales.new (a integer)');
      expect(await database.stamp()).not.toBe(stamp);
      await trino.run('DROP TABLE memory.sales.new');
      await database.close();
    });

    it('asks nothing of a catalog that is not in the scope', async () => {
      const database = await connect(trino.server.url, { tables: { include: ['memory.sales.o*'] } });
      const { tables, leftOut } = await database.readSchema();
      expect([tables.map(({ name }) => name), leftOut]).toEqual([['orders'], undefined]);
      await database.close();
    });

    it('fails with the reason where nothing at all can be read', async () => {
      const database = await connect(`${trino.server.url}/down`);
      await expect(database.readSchema()).rejects.toThrow('Connection refused');
      await database.close();
    });
  });

  describe('with people of their own rights', () => {
    const url = () =>
      `trino://${SERVICE.name}:${encodeURIComponent(SERVICE.password)}@localhost:${made.httpsPort}/memory?ssl=true&ca_file=${made.caFile}`;
    let session: Session;
    const notices: string[] = [];
    beforeAll(async () => {
      writeFileSync(
        join(folder, 'candor.yml'),
        `database: ${JSON.stringify(url())}\nimpersonate: true\ntables: { include: [sales, hr] }\n`,
      );
      const config = await readConfig({ cwd: folder, env: {} });
      session = await openSession(config, { onProgress: ({ message }) => message && notices.push(message) });
    }, 60_000);
    afterAll(async () => {
      if (session !== undefined) await session.close();
    });

    it('shows each what the engine shows them', async () => {
      const ids = async (name: string) => {
        const { catalog } = await session.forUser(name, { properties: {} });
        return catalog.tables.map(({ id }) => id);
      };
      const all = ['hr.people', 'hr.secret', 'sales.large', 'sales.orders'];
      expect(session.catalog.tables.map(({ id }) => id)).toEqual(all);
      expect(await ids('ann')).toEqual(all);
      expect(await ids('ben')).toEqual(['sales.large', 'sales.orders']);
      expect(await codeOf(ids('eve'))).toBe('database.access-denied');
    });

    it('reads what the account of the URL may read, and says what it may not', () => {
      expect(notices).toEqual([expect.stringMatching(/^the table secret has no profile: .*Access Denied/)]);
      const found = session.catalog.tables.map(({ name, rowCount, skippedBecause }) => [
        name,
        rowCount,
        skippedBecause,
      ]);
      expect(found).toContainEqual(['orders', 2, undefined]);
      expect(found).toContainEqual(['secret', 0, 'read-error']);
    });

    it('runs their queries as them, with the login of the service', async () => {
      const ann = session.databaseFor({ properties: {}, user: 'ann' });
      const ben = session.databaseFor({ properties: {}, user: 'ben' });
      const hidden = "SELECT name FROM hr.people WHERE name <> 'seen by the engine'";
      expect((await ann.query(hidden, LIMITS)).rows).toEqual([['Zoë']]);
      expect((await ben.query('SELECT id FROM sales.orders ORDER BY 1', LIMITS)).rows).toEqual([[1], [2]]);
      expect(await codeOf(ben.query(hidden, LIMITS))).toBe('database.access-denied');
      expect(await codeOf(ben.explain(hidden))).toBe('database.access-denied');
      const group = session.databaseFor({ properties: { engineUser: 'ann' }, user: 'ben' });
      expect((await group.query(hidden, LIMITS)).rows).toEqual([['Zoë']]);
      const ran = await trino.run(
        `SELECT DISTINCT "user", source FROM system.runtime.queries WHERE query = '${hidden.replaceAll("'", "''")}' ORDER BY 1`,
      );
      expect(ran).toEqual([
        ['ann', 'candor'],
        ['ben', 'candor'],
      ]);
    });

    it('runs nothing for nobody, nor for whom the service may not act', async () => {
      const sql = 'SELECT id FROM sales.orders';
      expect(await codeOf(session.database.query(sql, LIMITS))).toBe('database.access-denied');
      const eve = session.databaseFor({ properties: {}, user: 'eve' });
      expect(await codeOf(eve.query(sql, LIMITS))).toBe('database.access-denied');
      // Without a login nobody is believed to be the service.
      const wrong = url().replace(encodeURIComponent(SERVICE.password), 'wrong');
      expect(await codeOf(connect(wrong))).toBe('database.access-denied');
    });
  });

  describe('with people of their own rights, over a lake', () => {
    let lake: Session;
    beforeAll(async () => {
      const below = join(folder, 'over-a-lake');
      mkdirSync(below);
      const url = `trino://${SERVICE.name}:${encodeURIComponent(SERVICE.password)}@localhost:${made.httpsPort}/memory?ssl=true&ca_file=${made.caFile}`;
      writeFileSync(
        join(below, 'candor.yml'),
        `database: ${JSON.stringify(url)}\ncatalog: lake\nimpersonate: true\nsearch: { embedding: none }\ntables: { include: [sales, hr] }\n`,
      );
      lake = await openProject(await readConfig({ cwd: below, env: {} }));
    }, 60_000);
    afterAll(async () => {
      if (lake !== undefined) await lake.close();
    });

    it('shows and reads each what the engine shows them, as them', async () => {
      const [ann, ben] = [
        await lake.forUser('ann', { properties: {} }),
        await lake.forUser('ben', { properties: {} }),
      ];
      expect(await ann.lake?.tablesFor('people')).toContain('hr.people');
      expect(await ben.lake?.tablesFor('people and orders')).not.toContain('hr.people');
      const hidden = "SELECT name FROM hr.people WHERE name <> 'seen over a lake'";
      const part = await ann.lake?.within(['hr.people', 'sales.orders']);
      expect(part?.catalog.tables.map(({ id }) => id)).toEqual(['hr.people', 'sales.orders']);
      expect((await part?.database.query(hidden, LIMITS))?.rows).toEqual([['Zoë']]);
      const bens = await ben.lake?.within(['sales.orders']);
      expect((await bens?.database.query('SELECT id FROM sales.orders ORDER BY 1', LIMITS))?.rows).toEqual([
        [1],
        [2],
      ]);
      const asBen = lake.databaseFor({ properties: {}, user: 'ben' });
      expect(await codeOf(asBen.query(hidden, LIMITS))).toBe('database.access-denied');
      expect(await codeOf(lake.database.query(hidden, LIMITS))).toBe('database.access-denied');
      const ran = await trino.run(
        `SELECT DISTINCT "user" FROM system.runtime.queries WHERE query = '${hidden.replaceAll("'", "''")}' ORDER BY 1`,
      );
      expect(ran).toEqual([['ann'], ['ben']]);
    });
  });

  describe('within limits', () => {
    it('names the place of what is wrong, in the statement as it was written', async () => {
      const database = await connect(`${trino.server.url}/memory/sales`);
      const wrong = 'SELECT id,\n  amout FROM orders';
      for (const fail of [() => database.query(wrong, LIMITS), () => database.explain(wrong)])
        await expect(fail()).rejects.toMatchObject({
          code: 'database.query-failed',
          message: expect.stringContaining("line 2:3: Column 'amout' cannot be resolved"),
          data: { engineCode: 'COLUMN_NOT_FOUND', line: 2, column: 3 },
        });
      // Which EXPLAIN (TYPE VALIDATE) lets pass.
      const unplannable =
        'SELECT id FROM orders AS o WHERE amount = (SELECT p.amount FROM orders AS p WHERE p.id < o.id ORDER BY 1 LIMIT 2)';
      await expect(database.explain(unplannable)).rejects.toThrow('correlated subquery is not supported');
      await database.close();
    });

    it('stops a query that reads more bytes than it may', async () => {
      const database = await connect(`${trino.server.url}/lake/gold`);
      const sql = `SELECT count(DISTINCT a.comment || b.comment || c.comment) FROM orders AS a CROSS JOIN orders AS b
        CROSS JOIN orders AS c`;
      const query = database.query(sql, { ...LIMITS, scanBytes: 1_000 });
      expect(await codeOf(query)).toBe('database.too-expensive');
      await database.close();
    });
  });

  describe('when somebody goes', () => {
    const states = async (mark: string) => {
      const rows = await trino.run(
        `SELECT state, error_code FROM system.runtime.queries WHERE query LIKE '%${mark}%' AND query NOT LIKE '%runtime%'`,
      );
      return rows.map(([state, code]) => `${state} ${code ?? ''}`.trim());
    };
    const start = (mark: string): ChildProcess =>
      spawn(
        process.execPath,
        [
          ...candorProgram(),
          'sql',
          '--database',
          `${trino.server.url}/tpch/tiny`,
          `${ENDLESS} WHERE 'x' <> '${mark}'`,
        ],
        { stdio: 'ignore', cwd: folder.slice(0, folder.lastIndexOf('/')) },
      );
    const untilRunning = (mark: string) =>
      vi.waitUntil(async () => (await states(mark)).some((state) => state === 'RUNNING'), {
        timeout: 60_000,
        interval: 300,
      });
    const untilEnded = (mark: string, timeout: number) =>
      vi.waitUntil(async () => (await states(mark)).every((state) => /^(FINISHED|FAILED)/.test(state)), {
        timeout,
        interval: 300,
      });

    it('ends the query on the server at Ctrl-C', async () => {
      const program = start('ctrl-c');
      await untilRunning('ctrl-c');
      program.kill('SIGINT');
      await once(program, 'exit');
      await untilEnded('ctrl-c', 5_000);
      expect(await states('ctrl-c')).toContain('FAILED USER_CANCELED');
    }, 90_000);

    it('is found out by the server when the process is killed', async () => {
      const program = start('killed');
      await untilRunning('killed');
      program.kill('SIGKILL');
      await untilEnded('killed', 20_000);
      expect(await states('killed')).toContain('FAILED ABANDONED_QUERY');
    }, 90_000);
  });

  it('profiles a table of few files in a bounded number of passes', async () => {
    const whole = await connect(`${trino.server.url}/tpch/tiny`, { tables: { include: ['lineitem'] } });
    const [table] = (await outlineCatalog(whole)).tables;
    if (table === undefined) throw new Error('there is no lineitem');
    const statements: string[] = [];
    const heard: Database = {
      ...{ dialect: whole.dialect, name: whole.name, url: whole.url },
      query: (sql, ...rest) => {
        statements.push(sql);
        return whole.query(sql, ...rest);
      },
      stamp: () => whole.stamp(),
      readSchema: () => whole.readSchema(),
      readOwnCode: () => whole.readOwnCode(),
      explain: (sql) => whole.explain(sql),
      describe: () => whole.describe(),
      close: () => whole.close(),
    };
    // 60,175 rows in as many splits as there are cores: TABLESAMPLE SYSTEM would draw all of them or none.
    const found = await profileTable(heard, table);
    await whole.close();
    const profileOf = (name: string) => found.table.columns.find((column) => column.name === name)?.profile;
    const quantity = profileOf('quantity');
    expect(quantity).toMatchObject({ sampledBy: 'random rows', distinctCount: 50, countedRows: 60_175 });
    expect(quantity?.scannedRows).toBeGreaterThan(4_000);
    expect(quantity?.scannedRows).toBeLessThan(6_000);
    const quartiles = quantity?.statistics?.quartiles?.map(Number) ?? [];
    expect(quartiles).toHaveLength(3);
    for (const [index, wanted] of [13, 25, 38].entries())
      expect(Math.abs((quartiles[index] ?? 0) - wanted)).toBeLessThanOrEqual(3);
    // By a sketch of all rows; there are 15,000.
    const orders = profileOf('orderkey')?.distinctEstimate ?? 0;
    expect(orders).toBeGreaterThan(13_500);
    expect(orders).toBeLessThan(16_500);
    expect(profileOf('shipmode')?.statistics?.topValues).toHaveLength(7);
    expect(found.values.find(({ columnId }) => columnId.endsWith('.shipmode'))?.values).toHaveLength(7);
    // Rows, summary, the sample of all 16 columns, whole texts of five columns with few values, whole numbers with few.
    expect(statements.length).toBeLessThanOrEqual(9);
    expect(statements.filter((sql) => sql.includes('HISTOGRAM'))).toHaveLength(1);
  }, 60_000);
});
