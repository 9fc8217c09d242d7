/** What a day in operation brings: a full disk, a server that dies, a schema that changes behind our back. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask } from '../../src/answering/index.ts';
import { readConfig } from '../../src/config/index.ts';
import { openSession } from '../../src/session/project/open-session.ts';
import { candorProgram } from '../fixtures/candor-program.ts';
import { describeWithServer, mariadbServer, postgresServer } from '../servers/server-of-run.ts';
import { startPostgres } from '../servers/start-postgres.ts';
import { toTestServer } from '../servers/test-server.ts';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');
const NO_RECORD = { record: false } as const;
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'candor-faults-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const configOf = (database: string) => readConfig({ cwd: folder, database, env: {} });

describe.skipIf(process.platform === 'win32')('a disk that is full while the database is read', () => {
  it('is an error that says where, leaves no half state, and the next run ends the work', () => {
    const file = join(folder, 'words.db');
    const database = new DatabaseSync(file);
    database.exec('CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT)');
    database.exec(`WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 20000)
      INSERT INTO words SELECT x, 'a word that is number ' || x FROM n`);
    database.close();
    // A limit on the size of files fails like a full disk, at the byte where it is reached.
    const onboard = (limit: string) =>
      spawnSync(
        'bash',
        [
          '-c',
          `trap '' XFSZ; ulimit -f ${limit}; exec "$@"`,
          'bash',
          process.execPath,
          ...[...candorProgram(), 'onboard', '--quiet', '--project', folder],
        ],
        { cwd: ROOT, encoding: 'utf8' },
      );
    const init = spawnSync(
      process.execPath,
      [...candorProgram(), 'init', '--project', folder, `sqlite:${file}`],
      { cwd: ROOT, encoding: 'utf8' },
    );
    expect(init.status, init.stderr).toBe(0);
    const full = onboard('64');
    expect(full.status, full.stderr).toBe(3);
    expect(full.stderr).toContain('catalog.not-writable');
    expect(() => readFileSync(join(folder, '.candor', 'manifest.json'))).toThrow('ENOENT');
    const again = onboard('unlimited');
    expect(again.status, again.stderr).toBe(0);
    expect(again.stdout).toMatch(/rows +20000\n/);
    rmSync(join(folder, 'candor.yml'));
  });
});

const SETUP = `CREATE TABLE customers (id integer PRIMARY KEY, city varchar(40));
INSERT INTO customers VALUES (1, 'Lyon'), (2, 'Paris'), (3, 'Lyon')`;
const QUESTION = 'how many customers are in Lyon?';

for (const [name, serverOf] of [
  ['postgres', postgresServer],
  ['mariadb', mariadbServer],
] as const) {
  describeWithServer(name, `a schema that changes on ${name}`, () => {
    it('fails for an open session with the reason, and is read anew by the next', async () => {
      const database = await (await serverOf()).createDatabase('moving');
      await database.run(SETUP);
      const config = await configOf(database.url);
      const session = await openSession(config);
      expect(await ask(QUESTION, session, NO_RECORD)).toMatchObject({ kind: 'answered', rows: [[2]] });
      await database.run('ALTER TABLE customers RENAME COLUMN city TO town');
      // The engine's own word on the plan is the last check before an answer.
      expect(await ask(QUESTION, session, NO_RECORD)).toMatchObject({
        kind: 'abstain',
        reason: expect.stringContaining('city'),
      });
      await session.close();
      const fresh = await openSession(config);
      expect(fresh.catalog.tables[0]?.columns.map((column) => column.name)).toEqual(['id', 'town']);
      expect(await ask(QUESTION, fresh, NO_RECORD)).toMatchObject({ kind: 'answered', rows: [[2]] });
      await fresh.close();
      await database.drop();
    });
  });
}

describeWithServer('postgres', 'a server that dies while it is profiled', () => {
  it('is an error that can be retried, and the next run goes on with the tables left', async () => {
    const own = await startPostgres();
    try {
      const database = await toTestServer(own).createDatabase('dying');
      const tables = Array.from({ length: 30 }, (_, index) => `t${index}`);
      for (const table of tables) {
        await database.run(
          `CREATE TABLE ${table} AS SELECT x AS id, 'value ' || x % 50 AS word FROM generate_series(1, 2000) AS x`,
        );
      }
      const config = await configOf(database.url);
      const killed: Promise<void>[] = [];
      const profiledFirst = new Set<string>();
      const error = await openSession(config, {
        onProgress: ({ stage, done, table }) => {
          if (stage !== 'profiles' || table === undefined) return;
          profiledFirst.add(table);
          if (done >= 10 && killed.length === 0) killed.push(own.kill());
        },
      }).catch((caught: unknown) => caught);
      await Promise.all(killed);
      expect(error).toMatchObject({
        code: expect.stringMatching(/^database\.(?:connection-lost|unreachable)$/),
      });
      await own.restart();
      const notices: string[] = [];
      const session = await openSession(config, {
        onProgress: ({ stage, message }) => {
          if (stage === 'notice' && message !== undefined) notices.push(message);
        },
      });
      expect(session.catalog.tables.map(({ rowCount }) => rowCount)).toEqual(tables.map(() => 2000));
      expect(await ask('how many t3?', session, NO_RECORD)).toMatchObject({
        kind: 'answered',
        rows: [[2000]],
      });
      await session.close();
    } finally {
      await own.stop();
    }
  });
});
