/** Statements that pass the guard and want more memory than there may be: each fails alone, by name. */
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { DuckDBInstance } from '@duckdb/node-api';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, type Database, guarded } from '../../src/database/index.ts';
import { executorIds } from '../conformance/other-process.ts';
import { codeOf } from '../fixtures/code-of.ts';
import { readMemoryBombs } from './read-memory-bombs.ts';

const MIB = 1024 * 1024;
const MEMORY_MIB = 256;
/** What an engine may fill between two looks, on a machine that runs other tests beside. */
const TOLERANCE_MIB = 128;
const LIMITS = { rows: 10, bytes: 100_000, timeoutMs: 60_000 };
/** Over within seconds at this limit; the bench runs all. */
const QUICK = {
  sqlite: ['json_array(', 'replace(replace(', 's || s', 'COUNT(DISTINCT', 'ORDER BY s', 'ntile'],
  duckdb: ['list_distinct', 'len(range(', 'repeat(', 'len(list(', 'mode(', 'GROUP BY k'],
} as const;

describe.each(['sqlite', 'duckdb'] as const)('memory bombs on %s', (engine) => {
  let folder: string;
  let path: string;
  let database: Database;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'candor-memory-'));
    path = join(folder, `a.${engine}`);
    await (engine === 'sqlite' ? makeSqlite(path) : makeDuckdb(path));
    const url = `${engine}:${path}`;
    const embedded = { memoryBytes: MEMORY_MIB * MIB, processes: 3, threads: 2 };
    database = guarded(await connect(url, { embedded }), { kind: 'own-queries' });
  });
  afterAll(async () => {
    await database?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const all = readMemoryBombs(engine);

  it('there are twenty, each another one', () => expect(new Set(all).size).toBe(20));

  it('two at once fail by name, and a small query beside them does not', async () => {
    const bombs = QUICK[engine].map((words) => all.find((sql) => sql.includes(words)) ?? words);
    const watched = watchMemory(path);
    for (let at = 0; at < bombs.length; at += 2) {
      const codes = bombs.slice(at, at + 2).map((sql) => codeOf(database.query(sql, LIMITS)));
      const small = await database.query('SELECT a FROM t', LIMITS);
      expect(small.rows).toEqual([[1]]);
      expect(await Promise.all(codes)).toEqual(['database.out-of-memory', 'database.out-of-memory']);
    }
    const most = await watched.stop();
    if (existsSync('/proc/self/status')) expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThan(MEMORY_MIB + TOLERANCE_MIB);
  }, 120_000);

  it('says how much it was, and what to do', async () => {
    const [first = ''] = all.filter((sql) =>
      sql.includes(engine === 'duckdb' ? 'list_distinct' : 'ORDER BY s'),
    );
    const failed = await database.query(first, LIMITS).catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: 'database.out-of-memory', kind: 'caller' });
    expect(String(failed)).toContain(`needed more than ${MEMORY_MIB} MB of memory`);
    expect(failed).toMatchObject({ next: expect.stringContaining('embedded.memoryBytes') });
  });
});

/** The largest process of the file, in MiB, until it is stopped; 0 where the system does not tell. */
function watchMemory(path: string): { stop(): Promise<number> } {
  let most = 0;
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      for (const id of await executorIds(path).catch(() => [])) {
        const status = readIfThere(`/proc/${id}/status`);
        most = Math.max(most, Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024);
      }
      await wait(5);
    }
    return most;
  })();
  return {
    stop: () => {
      isOver = true;
      return watching;
    },
  };
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

async function makeSqlite(path: string): Promise<void> {
  const database = new DatabaseSync(`${path}.made`);
  database.exec('CREATE TABLE t (a); INSERT INTO t VALUES (1)');
  database.close();
  copyFileSync(`${path}.made`, path);
}

async function makeDuckdb(path: string): Promise<void> {
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  await connection.run('CREATE TABLE t AS SELECT 1 AS a; CHECKPOINT');
  connection.closeSync();
  instance.closeSync();
}
