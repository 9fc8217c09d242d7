/**
 * The corpus of attacks on the real engines. With the guard nothing reaches an engine, also for an account that may do
 * everything; without it the engine's own session still lets nothing change, nothing be read outside the database, and
 * nobody be called. `bench/guard.ts` prints the figures.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, type Database, guarded } from '../../src/database/index.ts';
import { CandorError } from '../../src/errors.ts';
import { describeWithServer } from '../servers/server-of-run.ts';
import { startMariadb } from '../servers/start-mariadb.ts';
import { startPostgres } from '../servers/start-postgres.ts';
import { type AttackWorld, openFileWorld, openServerWorld } from './attack-world.ts';
import { readCorpus, runAttacks } from './run-attacks.ts';

describe('SQLite', () => withstands('sqlite', () => openFileWorld('sqlite')));
describe('DuckDB', () => withstands('duckdb', () => openFileWorld('duckdb')));
describeWithServer('postgres', 'PostgreSQL', () =>
  withstands('postgres', async () => openServerWorld(await startPostgres())),
);
describeWithServer('mariadb', 'MariaDB', () =>
  withstands('mysql', async () => openServerWorld(await startMariadb())),
);

/** What an attack does to an engine that stops it; a dead engine is not among them. */
const ENDS = new Set(['database.timeout', 'database.query-failed']);

function withstands(dialect: AttackWorld['dialect'], open: () => Promise<AttackWorld>): void {
  const attacks = readCorpus(`attacks-${dialect}`);
  const guardOnly = ['disguised', 'probes'].flatMap((corpus) => readCorpus(`${corpus}-${dialect}`));
  const accounts = dialect === 'sqlite' || dialect === 'duckdb' ? ['file'] : ['reader', 'superuser'];
  let world: AttackWorld;
  beforeAll(async () => {
    world = await open();
  });
  afterAll(() => world.close());

  it.each(accounts)('stands behind the guard, also as %s', async (account) => {
    const all = [...attacks, ...guardOnly];
    const report = await runAttacks(world, { account, hasGuard: true, attacks: all, timeoutMs: 1_000 });
    expect(report).toEqual({
      attacks: all.length,
      refused: all.length,
      stopped: 0,
      ran: [],
      read: [],
      changed: [],
      connections: 0,
    });
  });

  it('lets nothing change, be read or be called when the guard is off', async () => {
    const [account = ''] = accounts;
    const report = await runAttacks(world, { account, hasGuard: false, attacks, timeoutMs: 250 });
    const { changed, read, connections, stopped } = report;
    expect({ changed, read, connections }).toEqual({ changed: [], read: [], connections: 0 });
    // The attacks would do something if they could: the session stops most, the others only look.
    expect(stopped).toBeGreaterThan(attacks.length / 2);
  }, 180_000);

  describe('queries without end or measure', () => {
    let database: Database;
    beforeAll(async () => {
      database = guarded(await connect(world.urls[accounts[0] ?? ''] ?? ''), { kind: 'own-queries' });
    });
    afterAll(() => database.close());

    it.each(readCorpus(`costly-${dialect}`))('end by a limit, and the next one runs: %s', async (sql) => {
      const limits = { rows: 100, bytes: 1_000_000, timeoutMs: 400, cellSize: 1_000 };
      const size = await database.query(sql, limits).then(
        ({ rows }) => JSON.stringify(rows, (_, cell) => (typeof cell === 'bigint' ? `${cell}` : cell)).length,
        (error: unknown) => {
          expect(ENDS).toContain(error instanceof CandorError ? error.code : error);
          return 0;
        },
      );
      expect(size).toBeLessThan(200_000);
      const next = await database.query('SELECT COUNT(*) FROM t', { ...limits, timeoutMs: 30_000 });
      expect(next.rows).toEqual([[3]]);
    });
  });
}
