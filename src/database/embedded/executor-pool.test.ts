import { copyFileSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { DuckDBInstance } from '@duckdb/node-api';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { executorIds } from '../../../test/conformance/other-process.ts';
import { codeOf } from '../../../test/fixtures/code-of.ts';
import { type EmbeddedSettings, embeddedLimits } from './engine/embedded-settings.ts';
import type { EngineName } from './engine/engine.ts';
import { ExecutorPool } from './executor-pool.ts';
import { calledBy } from './executor-process.ts';
import type { TaskResult } from './executor-protocol.ts';

const ENGINES: readonly EngineName[] = ['sqlite', 'duckdb'];
const ENDLESS =
  'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 1e12) SELECT COUNT(*) FROM n';
const TIMEOUT_MS = 30_000;
const MIB = 1024 * 1024;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'candor-pool-'));
  const sqlite = new DatabaseSync(join(folder, 'a.sqlite'));
  sqlite.exec('CREATE TABLE t (a); INSERT INTO t VALUES (1)');
  sqlite.close();
  const instance = await DuckDBInstance.create(join(folder, 'a.duckdb'));
  const connection = await instance.connect();
  await connection.run('CREATE TABLE t AS SELECT 1 AS a; CHECKPOINT');
  connection.closeSync();
  instance.closeSync();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Opened {
  readonly pool: ExecutorPool;
  readonly path: string;
  query(sql: string, options?: { timeoutMs?: number; signal?: AbortSignal }): Promise<TaskResult>;
}

function open(engine: EngineName, settings: EmbeddedSettings, path = join(folder, `a.${engine}`)): Opened {
  const limits = embeddedLimits({ threads: 1, ...settings });
  const pool = new ExecutorPool({ engine, path, limits, endIdleAfterMs: 200 });
  return {
    ...{ pool, path },
    query: (sql, { timeoutMs = TIMEOUT_MS, signal } = {}) =>
      pool.run(
        { kind: 'query', sql, limits: { rows: 10, bytes: 10_000, timeoutMs } },
        { timeoutMs, ...(signal && { signal }) },
      ),
  };
}

describe.each(ENGINES)('processes of one file, %s', (engine) => {
  it('a short query does not wait behind long ones, and the idle processes end', async () => {
    const { pool, path, query } = open(engine, { processes: 3 });
    const stop = new AbortController();
    const long = [1, 2].map(() => codeOf(query(ENDLESS, { signal: stop.signal })));
    expect(await query('SELECT a FROM t')).toMatchObject({ rows: [[1]] });
    expect(await executorIds(path)).toHaveLength(3);
    stop.abort();
    expect(await Promise.all(long)).toEqual(['database.cancelled', 'database.cancelled']);
    expect(await query('SELECT a FROM t')).toMatchObject({ rows: [[1]] });
    await expect.poll(() => executorIds(path), { timeout: 10_000 }).toHaveLength(1);
    await pool.close();
    expect(await executorIds(path)).toEqual([]);
  });

  it('one that dies fails its own query alone; those that run and wait go on', async () => {
    const { pool, path, query } = open(engine, { processes: 2 });
    const doomed = codeOf(query(ENDLESS));
    await expect.poll(() => query('SELECT a FROM t'), { timeout: 20_000 }).toMatchObject({ rows: [[1]] });
    const [first] = await executorIds(path);
    const stop = new AbortController();
    const other = codeOf(query(ENDLESS, { signal: stop.signal }));
    const waiting = [1, 2, 3].map(() => query('SELECT a FROM t'));
    await wait(50);
    process.kill(first ?? 0, 'SIGKILL');
    expect(await doomed).toBe('database.executor-died');
    for (const result of await Promise.all(waiting)) expect(result).toMatchObject({ rows: [[1]] });
    stop.abort();
    expect(await other).toBe('database.cancelled');
    await pool.close();
  });

  it('the query of one caller finds a process, however many queries another has', async () => {
    const { pool, query } = open(engine, { processes: 2 });
    const stop = new AbortController();
    const greedy = calledBy('greedy', () =>
      Array.from({ length: 5 }, () => codeOf(query(ENDLESS, { signal: stop.signal }))),
    );
    await wait(1_000);
    const limits = { timeoutMs: TIMEOUT_MS };
    expect(await calledBy('modest', () => query('SELECT a FROM t', limits))).toMatchObject({ rows: [[1]] });
    stop.abort();
    expect(new Set(await Promise.all(greedy))).toEqual(new Set(['database.cancelled']));
    await pool.close();
  });

  it('a wait ends at its limit, by a cancel, and with the pool', async () => {
    const { pool, query } = open(engine, { processes: 1 });
    const running = codeOf(query(ENDLESS));
    await wait(100);
    const stop = new AbortController();
    const cancelled = codeOf(query('SELECT 1', { signal: stop.signal }));
    stop.abort();
    expect(await cancelled).toBe('database.cancelled');
    expect(await codeOf(query('SELECT 1', { timeoutMs: 50 }))).toBe('database.timeout');
    const waiting = codeOf(query('SELECT 1'));
    await pool.close();
    expect([await running, await waiting]).toEqual(['database.cancelled', 'database.cancelled']);
  });

  it('sorts on the disk where temporary files are allowed, within their limit, and leaves none', async () => {
    const numbers = (count: number): string =>
      engine === 'duckdb'
        ? `SELECT range AS x, repeat('x', 400) || range AS s FROM range(${count})`
        : `WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < ${count}) SELECT x, printf('%0400d', -x) AS s FROM n`;
    const sorted = (count: number): string => `SELECT length(s) FROM (${numbers(count)}) ORDER BY s DESC, x`;
    const { pool, query } = open(engine, { memoryBytes: 512 * MIB, temporaryBytes: 512 * MIB });
    expect(await query(sorted(500_000))).toMatchObject({ truncatedBy: 'rows' });
    // To fill half a gigabyte takes a busy machine a while.
    expect(await codeOf(query(sorted(20_000_000), { timeoutMs: 100_000 }))).toBe('database.out-of-memory');
    await pool.close();
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith(`candor-duckdb-${process.pid}-`))).toEqual(
      [],
    );
  }, 150_000);

  it('reads a file that was put in the place of the old one', async () => {
    const path = join(folder, `replaced.${engine}`);
    copyFileSync(join(folder, `a.${engine}`), path);
    const { pool, query } = open(engine, {}, path);
    expect(await query('SELECT a FROM t')).toMatchObject({ rows: [[1]] });
    const [first] = await executorIds(path);
    copyFileSync(join(folder, `a.${engine}`), `${path}.new`);
    renameSync(`${path}.new`, path);
    expect(await query('SELECT a FROM t')).toMatchObject({ rows: [[1]] });
    expect(await executorIds(path)).not.toContain(first);
    await pool.close();
  });
});
