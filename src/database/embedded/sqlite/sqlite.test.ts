import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect } from '../../connect/connect.ts';

const LIMITS = { rows: 10, bytes: 10_000, timeoutMs: 10_000 };
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'candor-sqlite-'));
});
afterAll(async () => {
  await chmod(folder, 0o755);
  await rm(folder, { recursive: true, force: true });
});

function makeWalFile(): { path: string; writer: DatabaseSyncInstance } {
  const path = join(folder, 'wal.db');
  const writer = new DatabaseSync(path);
  writer.exec('PRAGMA journal_mode = WAL; CREATE TABLE IF NOT EXISTS t (a); INSERT INTO t VALUES (1)');
  return { path, writer };
}

it('reads beside a writer in WAL mode, and its stamp tells of rows still in the log', async () => {
  const { path, writer } = makeWalFile();
  const database = await connect(path);
  const before = await database.stamp();
  expect((await database.query('SELECT COUNT(*) FROM t', LIMITS)).rows).toEqual([[1]]);
  writer.exec('INSERT INTO t VALUES (2)');
  expect((await database.query('SELECT COUNT(*) FROM t', LIMITS)).rows).toEqual([[2]]);
  expect(await database.stamp()).not.toBe(before);
  await database.close();
  writer.close();
});

/** The superuser may write everywhere. */
it.skipIf(process.getuid?.() === 0)(
  'reads a file in WAL mode from a folder without write access',
  async () => {
    const { path, writer } = makeWalFile();
    writer.close();
    await chmod(folder, 0o555);
    const database = await connect(path);
    const result = await database.query('SELECT COUNT(*) FROM t', LIMITS);
    expect(result.rows[0]?.[0]).toBeGreaterThan(0);
    await database.close();
    expect(await readdir(folder)).toEqual(['wal.db']);
  },
);

it('takes no malformed value for a damaged file', async () => {
  const { path, writer } = makeWalFile();
  writer.close();
  const database = await connect(path);
  await expect(database.query("SELECT JSON_EXTRACT('{', '$.a') FROM t", LIMITS)).rejects.toMatchObject({
    code: 'database.query-failed',
  });
  await database.close();
});
