/** Whatever the server's defaults are, rows are those of a clean server, or what is wrong with them is said. */
import { createConnection } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, type QueryResult } from '../../../src/database/index.ts';
import { mysqlSettings } from '../../../src/database/session-settings/index.ts';
import { CandorError } from '../../../src/errors.ts';
import { describeWithServer } from '../../servers/server-of-run.ts';
import { startMariadb } from '../../servers/start-mariadb.ts';
import type { StartedServer } from '../../servers/started-server.ts';
import { type TestDatabase, type TestServer, toTestServer } from '../../servers/test-server.ts';
import { MARIADB_CASES, MARIADB_TABLES } from './mariadb-cases.ts';

const LIMITS = { rows: 100, bytes: 100_000, timeoutMs: 20_000 };

describeWithServer('mariadb', 'defaults of a MariaDB server', () => {
  let started: StartedServer;
  let server: TestServer;
  let made: TestDatabase;
  beforeAll(async () => {
    started = await startMariadb();
    server = toTestServer(started);
    made = await server.createDatabase('settings');
    await made.run(MARIADB_TABLES);
  }, 60_000);
  afterAll(() => started?.stop());

  const ours = async (sql: string): Promise<QueryResult> => {
    const database = await connect(made.url);
    try {
      return await database.query(sql, LIMITS);
    } finally {
      await database.close();
    }
  };
  const outcome = async (sql: string): Promise<unknown> => {
    try {
      const { rows, notices } = await ours(sql);
      return { rows, notices };
    } catch (error) {
      return error instanceof CandorError ? error.code : error;
    }
  };
  /** As any other program reads it, with the defaults of the server; an error is told by its words. */
  const plain = async (sql: string): Promise<unknown> => {
    const connection = await createConnection({ uri: made.url, dateStrings: true, rowsAsArray: true });
    try {
      return (await connection.query(sql))[0];
    } catch (error) {
      return String(error);
    } finally {
      await connection.end();
    }
  };

  it('has a case for every setting that is pinned', async () => {
    const [version] = Object.values((await server.run('SELECT VERSION()'))[0] ?? {});
    const pinned = mysqlSettings({ isMariadb: true, version: String(version) });
    const names = pinned.filter(({ hold }) => hold === 'pinned').map(({ name }) => name);
    expect([...new Set(MARIADB_CASES.map(({ setting }) => setting))]).toEqual([...names, 'ISOLATION LEVEL']);
  });

  it.each(MARIADB_CASES)('$setting = $hostile', async ({ setting, hostile, sql, isNotFelt, ...how }) => {
    const clean = { ours: await outcome(sql), plain: await plain(sql) };
    await server.run(`SET GLOBAL ${how.change ?? `${setting} = ${hostile}`}`);
    try {
      if (!isNotFelt) expect(await plain(sql)).not.toEqual(clean.plain);
      expect(await outcome(sql)).toEqual(clean.ours);
    } finally {
      await server.run(`SET GLOBAL ${how.back ?? `${setting} = DEFAULT`}`);
    }
  });

  it('says that the signs of a full-text search mean something else, which no session may set', async () => {
    await server.run(`SET GLOBAL ft_boolean_syntax = ' |-><()~*:""&^'`);
    try {
      expect((await ours('SELECT 1')).notices).toMatchObject([
        { code: 'setting-differs', text: expect.stringContaining('ft_boolean_syntax') },
      ]);
    } finally {
      await server.run('SET GLOBAL ft_boolean_syntax = DEFAULT');
    }
  });

  describe('warnings', () => {
    it.each([
      ['SELECT GROUP_CONCAT(REPEAT(body, 600000)) FROM made', ['value-cut']],
      [`SELECT REPEAT('a', 1e9)`, ['value-cut']],
      [`SELECT '12abc' + 1`, ['value-misread']],
      [`SELECT '12abc' + 1, '13abc' + 1, 1 / 0`, ['value-misread', 'division-by-zero']],
      [`SELECT STR_TO_DATE('x', '%Y')`, ['value-misread']],
      [`SELECT CAST(1e30 AS DECIMAL(5, 2))`, ['value-misread']],
      [`SELECT CHAR(255 USING utf8mb4)`, ['value-misread']],
      [`SELECT JSON_EXTRACT('{', '$.a')`, ['engine-warning']],
      ['SELECT 1 / 2', undefined],
      ['SELECT CAST(-1 AS UNSIGNED)', undefined],
    ])('%s', async (sql, codes) => {
      const { notices } = await ours(sql);
      expect(notices?.map(({ code }) => code)).toEqual(codes);
      expect(JSON.stringify(notices ?? [])).not.toMatch(/12abc|13abc/);
    });
    it('counts them', async () => {
      expect((await ours(`SELECT '12abc' + 1, '13abc' + 1`)).notices).toEqual([
        {
          code: 'value-misread',
          text: 'A text was read as the number or date that it begins with, else as 0 or NULL (2 times, or more).',
        },
      ]);
    });
    it.each([
      'WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT COUNT(*) FROM n',
      'SELECT a.seq FROM seq_1_to_1000 a, seq_1_to_1000 b LIMIT ROWS EXAMINED 5',
    ])('is an error where rows are missing: %s', async (sql) => {
      await expect(ours(sql)).rejects.toMatchObject({ code: 'database.rows-cut' });
    });
  });
});
