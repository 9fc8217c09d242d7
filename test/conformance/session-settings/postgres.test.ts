/** Whatever somebody has set as a default for our account, rows are those of a clean server. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, type QueryResult } from '../../../src/database/index.ts';
import { readPostgresPins } from '../../../src/database/postgres/postgres-pins.ts';
import { SESSION_SETTINGS } from '../../../src/database/session-settings/index.ts';
import { codeOf } from '../../fixtures/code-of.ts';
import { describeWithServer, postgresServer } from '../../servers/server-of-run.ts';
import { READER } from '../../servers/started-server.ts';
import type { TestDatabase } from '../../servers/test-server.ts';
import { POSTGRES_CASES, POSTGRES_TABLES } from './postgres-cases.ts';

const LIMITS = { rows: 100, bytes: 100_000, timeoutMs: 20_000 };

describeWithServer('postgres', 'defaults of a PostgreSQL server', () => {
  let made: TestDatabase;
  beforeAll(async () => {
    made = await (await postgresServer()).createDatabase('settings');
    await made.run(POSTGRES_TABLES);
  });
  afterAll(() => made?.drop());

  const ours = async (sql: string): Promise<QueryResult> => {
    const database = await connect(made.url);
    try {
      return await database.query(sql, LIMITS);
    } finally {
      await database.close();
    }
  };
  /** As any other program reads it, with the defaults of the account; an error is told by its words. */
  const plain = async (sql: string): Promise<unknown> => {
    const client = new pg.Client({ connectionString: made.url, types: { getTypeParser: () => String } });
    await client.connect();
    try {
      return (await client.query({ text: sql, rowMode: 'array' })).rows;
    } catch (error) {
      return String(error);
    } finally {
      await client.end();
    }
  };
  const alter = (change: string) =>
    made.run(`ALTER ROLE ${READER.user} IN DATABASE "${made.name}" ${change}`);

  it('has a case for every setting that is pinned', () => {
    const pinned = SESSION_SETTINGS.postgres.filter(({ hold }) => hold === 'pinned');
    expect(POSTGRES_CASES.map(({ setting }) => setting)).toEqual(pinned.map(({ name }) => name));
  });

  it.each(POSTGRES_CASES)('$setting = $hostile', async ({ setting, hostile, sql, isNotFelt }) => {
    const clean = { ours: await ours(sql), plain: await plain(sql) };
    await alter(`SET ${setting} = ${hostile}`);
    try {
      if (!isNotFelt) expect(await plain(sql)).not.toEqual(clean.plain);
      const { rows, notices } = await ours(sql);
      expect({ rows, notices }).toEqual({ rows: clean.ours.rows, notices: undefined });
    } finally {
      await alter('RESET ALL');
    }
  });

  it('says that damaged pages are left out, which no session may set', async () => {
    await alter('SET zero_damaged_pages = on');
    try {
      expect((await ours('SELECT 1')).notices).toMatchObject([
        { code: 'setting-differs', text: expect.stringContaining('zero_damaged_pages') },
      ]);
    } finally {
      await alter('RESET ALL');
    }
  });

  it('tells of warnings without the words of the engine', async () => {
    const { rows, notices } = await ours('SELECT warn()');
    expect(rows).toEqual([[1]]);
    expect(notices).toEqual([
      { code: 'engine-warning', text: 'The engine warned once while it ran the statement.' },
    ]);
  });

  it('says what decides how money is written', async () => {
    expect((await ours('SELECT 12.5::money')).notices).toMatchObject([{ code: 'money-locale' }]);
  });

  describe('a server that does not take a setting', () => {
    const settle = async (isRequired: boolean) => {
      const client = new pg.Client({ connectionString: made.url });
      await client.connect();
      try {
        const superuserOnly = { name: 'zero_damaged_pages', value: 'off', changes: 'rows' };
        return await readPostgresPins(client, [
          ...SESSION_SETTINGS.postgres.filter(({ hold }) => hold === 'pinned'),
          { ...superuserOnly, hold: 'pinned', ...(isRequired && { isRequired: true }) },
        ]);
      } finally {
        await client.end();
      }
    };
    it('is said with each answer, and the others are pinned', async () => {
      const { pinned } = await settle(false);
      expect(pinned.pins.map(({ name }) => name)).toEqual(POSTGRES_CASES.map(({ setting }) => setting));
      expect(pinned.notices).toEqual([
        {
          code: 'setting-not-pinned',
          text: 'The server does not take the setting zero_damaged_pages; its own value may change rows (rows).',
        },
      ]);
    });
    it('is not used where the setting decides how a statement is read', async () => {
      expect(await codeOf(settle(true))).toBe('database.setting-refused');
    });
  });
});
