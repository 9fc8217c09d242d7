/** The engines in our own process have no server's defaults, but those of the machine and of their libraries. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadSqliteDriver } from '../../../src/database/embedded/index.ts';
import { connect, type Database } from '../../../src/database/index.ts';
import { SESSION_SETTINGS } from '../../../src/database/session-settings/index.ts';
import type { HostileCase } from './hostile-case.ts';

const LIMITS = { rows: 100, bytes: 100_000, timeoutMs: 20_000 };
const folder = mkdtempSync(join(tmpdir(), 'candor-settings-'));
afterAll(() => rmSync(folder, { recursive: true }));

const MOMENT = `'2024-01-01 23:00:00+00'::timestamptz`;

const DUCKDB_CASES: readonly HostileCase[] = [
  { setting: 'TimeZone', hostile: 'Asia/Tokyo', sql: `SELECT CAST(${MOMENT} AS DATE) AS v` },
  { setting: 'Calendar', hostile: 'buddhist', sql: `SELECT year(${MOMENT}) AS v` },
  { setting: 'default_collation', hostile: 'NOCASE', sql: `SELECT 'a' = 'A' AS v` },
  { setting: 'default_order', hostile: 'DESC', sql: 'SELECT a AS v FROM t ORDER BY a' },
  { setting: 'default_null_order', hostile: 'NULLS_FIRST', sql: 'SELECT a AS v FROM t ORDER BY a' },
  { setting: 'order_by_non_integer_literal', hostile: 'true', sql: `SELECT a AS v FROM t ORDER BY 'a'` },
  {
    setting: 'preserve_insertion_order',
    hostile: 'false',
    sql: `SELECT current_setting('preserve_insertion_order') AS v`,
  },
  { setting: 'integer_division', hostile: 'true', sql: 'SELECT 7 / 2 AS v' },
  { setting: 'ieee_floating_point_ops', hostile: 'false', sql: 'SELECT 1 / 0 AS v' },
  { setting: 'old_implicit_casting', hostile: 'true', sql: `SELECT substring(42, 1, 1) AS v` },
  {
    setting: 'scalar_subquery_error_on_multiple_rows',
    hostile: 'false',
    sql: 'SELECT (SELECT a FROM t) IS NULL AS v',
  },
  { setting: 'disable_timestamptz_casts', hostile: 'true', sql: `SELECT CAST(${MOMENT} AS TIMESTAMP) AS v` },
  {
    setting: 'lambda_syntax',
    hostile: 'DISABLE_SINGLE_ARROW',
    sql: 'SELECT list_transform([1], x -> x + 1)[1] AS v',
  },
];

describe('settings of DuckDB', () => {
  const path = join(folder, 'shop.duckdb');
  let opened: Database;
  beforeAll(async () => {
    const instance = await DuckDBInstance.create(path);
    const connection = await instance.connect();
    await connection.run('CREATE TABLE t (a INTEGER); INSERT INTO t VALUES (1), (NULL), (2)');
    connection.closeSync();
    instance.closeSync();
    opened = await connect(`duckdb:${path}`);
  });
  afterAll(() => opened?.close());
  /** As any other program reads the file, with one setting changed; an error is told by its words. */
  const plain = async (change: string, sql: string): Promise<unknown> => {
    const instance = await DuckDBInstance.create(path, { access_mode: 'READ_ONLY' });
    const connection = await instance.connect();
    try {
      await connection.run(`SET GLOBAL TimeZone = 'UTC'; ${change}`);
      return (await connection.runAndReadAll(sql)).getRowsJson().map((row) => row.map(String));
    } catch (error) {
      return String(error).replace(/^\w+: /, '');
    } finally {
      connection.closeSync();
      instance.closeSync();
    }
  };
  const ours = async (sql: string, database = opened): Promise<unknown> => {
    try {
      return (await database.query(sql, LIMITS)).rows.map((row) => row.map(String));
    } catch (error) {
      return String(error).replace(/^[^:]*: [^:]*: /, '');
    }
  };

  it('has a case for every setting', () => {
    const names = SESSION_SETTINGS.duckdb.map(({ name }) => name);
    expect(DUCKDB_CASES.map(({ setting }) => setting)).toEqual(names);
  });
  it.each(DUCKDB_CASES)(
    '$setting = $hostile changes rows, but not ours',
    async ({ setting, hostile, sql }) => {
      const clean = await plain('', sql);
      expect(await plain(`SET GLOBAL ${setting} = '${hostile}'`, sql)).not.toEqual(clean);
      expect(await ours(sql)).toEqual(clean);
    },
  );
  it.each([
    ['TZ', 'Asia/Tokyo', `SELECT CAST(${MOMENT} AS DATE)`, '2024-01-01'],
    ['LC_ALL', 'th_TH.UTF-8', `SELECT year(${MOMENT})`, '2024'],
  ])('takes nothing from %s=%s of the machine', async (variable, value, sql, due) => {
    const before = process.env[variable];
    process.env[variable] = value;
    const there = await connect(`duckdb:${path}`);
    try {
      expect(await ours(sql, there)).toEqual([[due]]);
    } finally {
      await there.close();
      if (before === undefined) delete process.env[variable];
      else process.env[variable] = before;
    }
  });
});

const SQLITE_CASES: readonly HostileCase[] = [
  { setting: 'case_sensitive_like', hostile: 'ON', sql: `SELECT 'A' LIKE 'a' AS v` },
  { setting: 'reverse_unordered_selects', hostile: 'ON', sql: 'SELECT a AS v FROM t' },
  { setting: 'short_column_names', hostile: 'OFF', sql: 'SELECT t.a FROM t WHERE a = 1' },
  { setting: 'full_column_names', hostile: 'ON', sql: 'SELECT t.a FROM t, t AS u WHERE t.a = 1 AND u.a = 1' },
  { setting: 'cell_size_check', hostile: 'OFF', sql: 'SELECT * FROM pragma_cell_size_check' },
  {
    setting: 'ignore_check_constraints',
    hostile: 'ON',
    sql: 'SELECT * FROM pragma_ignore_check_constraints',
  },
];

describe('settings of SQLite', () => {
  const path = join(folder, 'shop.db');
  let database: Database;
  beforeAll(async () => {
    const { DatabaseSync } = await loadSqliteDriver();
    const file = new DatabaseSync(path);
    file.exec('CREATE TABLE t (a INTEGER); INSERT INTO t VALUES (1), (2)');
    file.close();
    database = await connect(`sqlite:${path}`);
  });
  afterAll(() => database?.close());
  const plain = async (pragmas: string, sql: string): Promise<unknown> => {
    const { DatabaseSync } = await loadSqliteDriver();
    const file = new DatabaseSync(path, { readOnly: true });
    try {
      file.exec(pragmas);
      const statement = file.prepare(sql);
      statement.setReturnArrays(true);
      return { columns: statement.columns().map(({ name }) => name), rows: statement.all() };
    } finally {
      file.close();
    }
  };

  it('has a case for every setting', () => {
    const names = SESSION_SETTINGS.sqlite.map(({ name }) => name);
    expect(SQLITE_CASES.map(({ setting }) => setting)).toEqual(names);
  });
  it.each(SQLITE_CASES)(
    '$setting = $hostile changes rows, but not ours',
    async ({ setting, hostile, sql }) => {
      const value = SESSION_SETTINGS.sqlite.find(({ name }) => name === setting)?.value ?? '';
      const clean = await plain(`PRAGMA ${setting} = ${value}`, sql);
      expect(await plain(`PRAGMA ${setting} = ${hostile}`, sql)).not.toEqual(clean);
      const { columns, rows } = await database.query(sql, LIMITS);
      expect({ columns, rows }).toEqual(clean);
    },
  );
});
