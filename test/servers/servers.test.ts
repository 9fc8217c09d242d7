import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findServer } from './find-server.ts';
import { describeWithServer, mariadbServer, postgresServer } from './server-of-run.ts';
import { runMariadb, startMariadb } from './start-mariadb.ts';
import { runPostgres, startPostgres } from './start-postgres.ts';

const KINDS = [
  { kind: 'postgres', shared: postgresServer, start: startPostgres, run: runPostgres },
  { kind: 'mariadb', shared: mariadbServer, start: startMariadb, run: runMariadb },
] as const;

for (const { kind, shared, start, run } of KINDS) {
  describeWithServer(kind, `${kind} for tests`, () => {
    it('is one for all who ask', async () => {
      const [one, two] = await Promise.all([shared(), shared()]);
      expect(one.processId()).toBe(two.processId());
      expect(() => process.kill(one.processId(), 0)).not.toThrow();
    });
    it('gives fresh databases that the reader can read and cannot write', async () => {
      const server = await shared();
      const [first, second] = await Promise.all([
        server.createDatabase('shop'),
        server.createDatabase('shop'),
      ]);
      expect(first.name).toMatch(/^shop_/);
      expect(first.name).not.toBe(second.name);
      await first.run('CREATE TABLE t (a INT); INSERT INTO t VALUES (7)');
      expect(await run(first.url, 'SELECT a FROM t')).toEqual([{ a: 7 }]);
      await expect(run(first.url, 'DELETE FROM t')).rejects.toThrow(/denied/);
      await expect(run(second.url, 'SELECT a FROM t')).rejects.toThrow(/exist/);
      await first.drop();
      await second.drop();
      await expect(run(first.url, 'SELECT 1')).rejects.toThrow();
    });
    it('runs again after a power cut, and leaves nothing behind', async () => {
      const own = await start();
      const before = own.processId();
      await own.kill();
      await expect(run(own.adminUrl, 'SELECT 1')).rejects.toThrow();
      await own.restart();
      expect(own.processId()).not.toBe(before);
      expect(await run(own.adminUrl, 'SELECT 1 AS a')).toEqual([{ a: 1 }]);
      await own.stop();
      expect(existsSync(own.folder)).toBe(false);
    });
  });
}

describe('a server that is not installed', () => {
  it.each(['postgres', 'mariadb'] as const)('%s: the reason says what to run', (kind) => {
    expect(findServer(kind, [])).toEqual({ missing: expect.stringContaining('scripts/install-servers.sh') });
  });
});
