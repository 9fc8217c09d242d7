/**
 * Row filters and masks hold for any query: drawn by chance, each is run on the database of two tenants behind the
 * guard and on one that holds nothing but what the first tenant may see. `bench/access-policy.ts` runs many more.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KindCounter } from '../../bench/access-policy/count-kinds.ts';
import { describeWithServer } from '../servers/server-of-run.ts';
import { startMariadb } from '../servers/start-mariadb.ts';
import { startPostgres } from '../servers/start-postgres.ts';
import { makeTenantDatabases } from './make-tenant-databases.ts';
import { writeRandomQuery } from './queries/write-query.ts';
import type { Traits } from './queries/writing.ts';
import { readReadingAttacks, runReadingAttack, tryReadingAttack } from './reading-attacks.ts';
import { readCorpus } from './run-attacks.ts';
import { openLakeWorlds } from './tenant-project.ts';
import {
  compareWorlds,
  makeTenantFiles,
  openWorlds,
  type TenantPlaces,
  type TenantWorlds,
} from './tenant-worlds.ts';

const FIRST_SEED = 1_000_000;

describe('SQLite', () => behavesLikeOwnDatabase('sqlite', 800, () => makeTenantFiles('sqlite')));
describe('a lake over SQLite', () =>
  behavesLikeOwnDatabase('sqlite', 300, () => makeTenantFiles('sqlite'), openLakeWorlds));
describe('DuckDB', () => behavesLikeOwnDatabase('duckdb', 500, () => makeTenantFiles('duckdb')));
describeWithServer('postgres', 'PostgreSQL', () =>
  behavesLikeOwnDatabase('postgres', 150, async () => makeTenantDatabases(await startPostgres())),
);
describeWithServer('postgres', 'a lake over PostgreSQL', () =>
  behavesLikeOwnDatabase(
    'postgres',
    150,
    async () => makeTenantDatabases(await startPostgres()),
    openLakeWorlds,
  ),
);
describeWithServer('mariadb', 'MariaDB', () =>
  behavesLikeOwnDatabase('mysql', 200, async () => makeTenantDatabases(await startMariadb())),
);

function behavesLikeOwnDatabase(
  dialect: Traits['dialect'],
  count: number,
  makePlaces: () => Promise<TenantPlaces>,
  open = openWorlds,
): void {
  let worlds: TenantWorlds;
  beforeAll(async () => {
    worlds = await open(dialect, await makePlaces());
  }, 120_000);
  afterAll(() => worlds.close());

  it(`gives for ${count} queries what a database of this tenant alone gives`, async () => {
    const seen = { same: 0, full: 0, refused: 0, 'no-query': 0 };
    const reading = new KindCounter(dialect, worlds.tables);
    const wrong: string[] = [];
    for (let index = 0; index < count; index += 1) {
      const sql = writeRandomQuery(FIRST_SEED + index, dialect, worlds.tables);
      const verdict = await compareWorlds(worlds, sql);
      if (verdict.kind === 'different' || verdict.kind === 'leaked') {
        wrong.push(`${verdict.kind}: ${verdict.why}\n${sql}`);
        continue;
      }
      // What names a table that shows rows of others is refused, or trusted: it is counted apart.
      if (reading.add(sql, verdict)) continue;
      seen[verdict.kind] += 1;
      if (verdict.kind === 'same' && verdict.rows > 0) seen.full += 1;
    }
    expect(wrong).toEqual([]);
    // Queries that nobody can run, or that the guard refuses, prove nothing; neither do empty results alone.
    const others = seen.same + seen.refused + seen['no-query'];
    expect(others).toBeGreaterThan(count * 0.6);
    expect(seen.same).toBeGreaterThan(others * 0.85);
    expect(seen.full).toBeGreaterThan(others * 0.3);
    expect(seen.refused).toBeLessThan(others * 0.05);
    const kinds = worlds.tables.flatMap(({ made }) => made?.kind ?? []);
    expect(new Set(reading.rows().map(({ kind }) => kind))).toEqual(new Set(kinds));
    for (const row of reading.rows())
      expect(row.kind.startsWith('trusted') ? row.same : row.refused).toBeGreaterThan(0);
  }, 240_000);

  it.each(readCorpus(`restricted-${dialect}`))('refuses nothing of %s', async (sql) => {
    const verdict = await compareWorlds(worlds, sql);
    expect(verdict).toMatchObject({ kind: 'same' });
    expect(verdict).not.toMatchObject({ rows: 0 });
  });

  it.each(readCorpus(`tricks-${dialect}`))('is not to be tricked by %s', async (sql) => {
    const verdict = await compareWorlds(worlds, sql);
    expect(['same', 'refused', 'no-query'], JSON.stringify(verdict)).toContain(verdict.kind);
  });

  it.each(readReadingAttacks(dialect))('refuses by the $kind: $sql', async ({ sql }) => {
    expect(await runReadingAttack(worlds.shared, sql)).toBeUndefined();
  });
}

describe.each(['trino', 'snowflake', 'bigquery'] as const)('%s', (dialect) => {
  it.each(readReadingAttacks(dialect))('refuses by the $kind: $sql', ({ sql }) => {
    expect(tryReadingAttack(dialect, sql)).toBeUndefined();
  });

  it('lets through what names tables of their own rows', () => {
    expect(tryReadingAttack(dialect, 'SELECT name, email FROM customers')).toBe('passed');
  });
});
