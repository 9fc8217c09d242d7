import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect } from '../database/index.ts';
import { makeMotors } from './make-motors.ts';
import { generateMotors } from './motors/generate-motors.ts';
import { MOTORS_TABLES } from './motors/tables.ts';

const LIMITS = { rows: 10, bytes: 100_000, timeoutMs: 10_000 };
/** By another process: a lock does not stand in the way of the one that holds it. */
const WRITE = `
  const { DatabaseSync } = require('@photostructure/sqlite');
  new DatabaseSync(process.argv[1], { timeout: 0 }).exec('CREATE TABLE probe (a)');
`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'candor-motors-'));
});
afterAll(() => rm(folder, { recursive: true }));

function hashOfRows(options: { seed: number; scale: number }): string {
  const hash = createHash('sha256');
  for (const row of generateMotors(options)) hash.update(JSON.stringify(row));
  return hash.digest('hex');
}

/** Sum and extremes over every table, from the engine. */
async function describeDatabase(url: string): Promise<unknown> {
  const database = await connect(url);
  try {
    const figures: unknown[] = [];
    for (const table of MOTORS_TABLES) {
      const last = table.columns.at(-1)?.name;
      const sql = `SELECT COUNT(*), COUNT(${last}), CAST(MIN(${table.primaryKey}) AS VARCHAR), CAST(MAX(${table.primaryKey}) AS VARCHAR) FROM ${table.name}`;
      figures.push([table.name, ...((await database.query(sql, LIMITS)).rows[0] ?? [])]);
    }
    return figures;
  } finally {
    await database.close();
  }
}

describe('makeMotors', () => {
  it('makes the same database in both engines', async () => {
    const [sqlite, duckdb] = [join(folder, 'a.db'), join(folder, 'a.duckdb')];
    const made = await makeMotors(sqlite, { engine: 'sqlite', scale: 0.03 });
    const other = await makeMotors(duckdb, { engine: 'duckdb', scale: 0.03 });
    expect(other.rows).toEqual(made.rows);
    expect(await describeDatabase(`duckdb:${duckdb}`)).toEqual(await describeDatabase(`sqlite:${sqlite}`));
    expect(await readdir(folder)).toEqual(['a.db', 'a.duckdb']);
  });

  it('leaves no lock on the file: another program writes into it at once', async () => {
    const path = join(folder, 'unlocked.db');
    await makeMotors(path, { engine: 'sqlite', scale: 0.01 });
    const other = spawnSync(process.execPath, ['-e', WRITE, path], { encoding: 'utf8' });
    expect(other.stderr).toBe('');
    await rm(path);
  });

  it('gives the same rows for the same seed, others for another', () => {
    const first = hashOfRows({ seed: 1, scale: 0.01 });
    expect(hashOfRows({ seed: 1, scale: 0.01 })).toBe(first);
    expect(hashOfRows({ seed: 2, scale: 0.01 })).not.toBe(first);
  });

  it('gives every row the columns of its table and a key of its own', () => {
    const keys = new Map(MOTORS_TABLES.map((table) => [table.name, new Set<unknown>()]));
    for (const { table, values } of generateMotors({ seed: 3, scale: 0.02 })) {
      const spec = MOTORS_TABLES.find(({ name }) => name === table);
      const wrong = spec?.columns.filter(
        (column, index) => values[index] === undefined || (values[index] === null && !column.isNullable),
      );
      if (wrong?.length !== 0)
        expect.fail(`${table}: ${JSON.stringify(values)} misses ${JSON.stringify(wrong)}`);
      expect(values.length).toBe(spec?.columns.length);
      const seen = keys.get(table);
      if (seen?.has(values[0])) expect.fail(`${table} has key ${String(values[0])} twice`);
      seen?.add(values[0]);
    }
    expect([...keys.values()].every((seen) => seen.size > 0)).toBe(true);
  });

  it('reports progress up to the end', async () => {
    const seen: number[] = [];
    await makeMotors(join(folder, 'b.db'), {
      engine: 'sqlite',
      scale: 0.05,
      onProgress: ({ done, total }) => seen.push(done / total),
    });
    expect(seen.length).toBeGreaterThan(1);
    expect(seen.toSorted((a, b) => a - b)).toEqual(seen);
    expect(seen.at(-1)).toBe(1);
  });

  it.each(['sqlite', 'duckdb'] as const)(
    'leaves what was there when %s is stopped halfway',
    async (engine) => {
      const place = join(folder, `stopped-${engine}`);
      const path = join(place, 'c.db');
      const controller = new AbortController();
      const making = makeMotors(path, {
        engine,
        onProgress: () => controller.abort(),
        signal: controller.signal,
      });
      await expect(making).rejects.toThrow(/abort/);
      expect(await readdir(place)).toEqual([]);
      await writeFile(path, 'kept');
      await expect(makeMotors(path, { engine, signal: AbortSignal.abort() })).rejects.toThrow(/abort/);
      expect(await readFile(path, 'utf8')).toBe('kept');
      expect(await readdir(place)).toEqual(['c.db']);
    },
  );

  it.each([0, -1, 1.5, Number.NaN])('refuses scale %d', async (scale) => {
    await expect(makeMotors(join(folder, 'd.db'), { engine: 'sqlite', scale })).rejects.toThrow(RangeError);
  });
});
