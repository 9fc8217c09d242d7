/** Derived data published by one and pulled by another, over a real PostgreSQL. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  openBundleState,
  openStateFile,
  publishDerived,
  pullDerived,
  type SharedState,
} from '../../src/store/index.ts';
import { describeWithServer, postgresServer } from '../servers/server-of-run.ts';
import type { TestDatabase } from '../servers/test-server.ts';

const MB = 1024 * 1024;

describeWithServer('postgres', 'derived data of an installation', () => {
  let database: TestDatabase;
  let state: SharedState;
  const folder = mkdtempSync(join(tmpdir(), 'candor-bundle-'));
  const [from, to] = [join(folder, 'from'), join(folder, 'to')];
  const big = randomBytes(6 * MB);
  const publish = () => publishDerived(state, 'w', from);
  const pull = () => pullDerived(state, 'w', to);

  beforeAll(async () => {
    database = await (await postgresServer()).createDatabase('bundle');
    state = await openBundleState(database.adminUrl);
    await mkdir(join(from, 'deep'), { recursive: true });
    writeFileSync(join(from, 'big.bin'), big);
    writeFileSync(join(from, 'deep', 'small.json'), '{"a":1}');
    writeFileSync(join(from, 'empty.json'), '');
    for (const name of ['server.db', 'x.lock', 'y.unfinished']) writeFileSync(join(from, name), 'own');
  }, 60_000);
  afterAll(async () => {
    await state.close();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is nothing before it is published, then the same bytes, without what is a server’s own', async () => {
    expect(await pull()).toBeUndefined();
    const published = await publish();
    expect(published).toMatchObject({ isNew: true, files: 3, bytes: 6 * MB + 7, sentBytes: 6 * MB + 7 });
    const pulled = await pull();
    expect(pulled).toMatchObject({ isNew: true, generation: published.generation });
    expect((await readdir(pulled?.folder ?? '', { recursive: true })).sort()).toEqual([
      'big.bin',
      'deep',
      'deep/small.json',
      'empty.json',
    ]);
    expect(readFileSync(join(pulled?.folder ?? '', 'big.bin')).equals(big)).toBe(true);
    expect(await publish()).toMatchObject({ isNew: false, sentBytes: 0 });
    expect(await pull()).toMatchObject({ isNew: false, fetchedBytes: 0 });
  });

  it('is sent and fetched where it has changed alone, also behind something inserted', async () => {
    const changed = Buffer.concat([big.subarray(0, 3 * MB), Buffer.from('more'), big.subarray(3 * MB)]);
    writeFileSync(join(from, 'big.bin'), changed);
    const { sentBytes } = await publish();
    expect(sentBytes).toBeGreaterThan(0);
    expect(sentBytes).toBeLessThan(4 * MB);
    const pulled = await pull();
    expect(pulled?.fetchedBytes).toBe(sentBytes);
    expect(readFileSync(join(pulled?.folder ?? '', 'big.bin')).equals(changed)).toBe(true);
  });

  it('is whole although a copy here was changed or half written', async () => {
    const { folder: copy = '' } = (await pull()) ?? {};
    writeFileSync(join(copy, 'deep', 'small.json'), '{"b":2}');
    await mkdir(join(to, '999.unfinished'));
    writeFileSync(join(from, 'new.json'), '[]');
    await publish();
    const { folder: next = '' } = (await pull()) ?? {};
    expect(readFileSync(join(next, 'deep', 'small.json'), 'utf8')).toBe('{"a":1}');
    expect(readFileSync(join(next, 'new.json'), 'utf8')).toBe('[]');
  });

  it('has what was written to a SQLite file a moment ago', async () => {
    const file = await openStateFile(join(from, 'usage.sqlite'), {
      migrations: ['CREATE TABLE things (name TEXT) STRICT'],
    });
    file.exec("INSERT INTO things VALUES ('car')");
    await publish();
    const { folder: copy = '' } = (await pull()) ?? {};
    const read = await openStateFile(join(copy, 'usage.sqlite'), {
      migrations: ['CREATE TABLE things (name TEXT) STRICT'],
    });
    expect(read.prepare('SELECT * FROM things').all()).toEqual([{ name: 'car' }]);
    read.close();
    file.close();
  });

  it('is seen by nobody before it is whole, and old generations go, but for what is being pulled', async () => {
    const count = async (table: string) =>
      Number((await state.run(`SELECT count(*) AS n FROM candor.bundle_${table}`))[0]?.n);
    const half = () => state.run("SELECT hash FROM candor.bundle_chunks WHERE hash = 'half'");
    const before = await pull();
    // As a publisher that ended after it had sent parts.
    await state.run("INSERT INTO candor.bundle_chunks VALUES ('half', 'x', now() - interval '2 days')");
    expect((await pull())?.generation).toBe(before?.generation);
    expect(await half()).toHaveLength(1);
    await state.session(async (run) => {
      const [oldest] = await run('SELECT min(id) AS id FROM candor.bundle_generations');
      await run('SELECT pg_advisory_lock_shared(226369, $1)', [oldest?.id]);
      for (const text of ['1', '2']) {
        writeFileSync(join(from, 'new.json'), text);
        await publish();
      }
      expect(await count('generations')).toBe(3);
      await run('SELECT pg_advisory_unlock_shared(226369, $1)', [oldest?.id]);
    });
    writeFileSync(join(from, 'big.bin'), 'small');
    writeFileSync(join(from, 'new.json'), '3');
    await publish();
    writeFileSync(join(from, 'new.json'), '4');
    await publish();
    expect(await count('generations')).toBe(2);
    expect(await count('chunks')).toBeLessThan(10);
    expect(await half()).toEqual([]);
    await pull();
    expect((await readdir(to)).length).toBeLessThan(6);
  });
});
