/** What engines over files must do besides what every engine does. */
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, type Database } from '../../src/database/index.ts';
import { codeOf } from '../fixtures/code-of.ts';
import { behavesLikeDatabase, type DatabaseFixture, type MadeDatabase } from './database.ts';
import { executorIds, holdFile, untilReaped } from './other-process.ts';

export interface FileFixture extends Omit<DatabaseFixture, 'dialect' | 'make'> {
  readonly scheme: 'sqlite' | 'duckdb';
  readonly fileEnding: string;
  /** Runs the statements over the file, which need not be there yet. */
  write(path: string, statements: readonly string[]): Promise<void>;
  /** A program that holds the file named by its first argument so that nobody else can read it. */
  readonly lockScript: string;
  /** First byte of a range whose damage the engine notices when it opens or reads. */
  readonly damageFrom: number;
}

const LIMITS = { rows: 1000, bytes: 1_000_000, timeoutMs: 20_000 };

/** The writes may name `{itself}`, the file, and `{elsewhere}`, a path beside it that is not there. */
export function behavesLikeFileDatabase(name: string, fixture: FileFixture): void {
  behavesLikeDatabase(name, {
    ...fixture,
    dialect: fixture.scheme,
    make: (statements) => makeFile(fixture, statements),
  });

  describe(`${name} is read from files`, () => {
    let folder: string;
    let path: string;
    let database: Database;
    const open = async (url: string): Promise<void> => {
      const opened = await connect(url);
      try {
        await opened.readSchema();
        await opened.query('SELECT * FROM customers', LIMITS);
      } finally {
        await opened.close();
      }
    };

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'candor-conformance-'));
      path = join(folder, `shop${fixture.fileEnding}`);
      await fixture.write(path, fixture.setup);
      database = await connect(path);
    });
    afterAll(async () => {
      await database?.close();
      await rm(folder, { recursive: true, force: true });
    });

    it('recognises a bare path by the header of the file', async () => {
      const other = join(folder, 'no-ending');
      await fixture.write(other, ['CREATE TABLE t (a INTEGER)']);
      const opened = await connect('no-ending', { baseDirectory: folder });
      expect(opened.url).toBe(`${fixture.scheme}:${other}`);
      await opened.close();
    });
    it.skipIf(process.platform !== 'linux')('starts a new process when its own was killed', async () => {
      let isOver = false;
      const running = database
        .query(fixture.endless, LIMITS)
        .catch((error: unknown) => error)
        .finally(() => {
          isOver = true;
        });
      const killed: number[] = [];
      // One that is killed before the task has begun hands it on to the next.
      while (!isOver) {
        await new Promise((resolve) => setTimeout(resolve, 100));
        const [executor] = await executorIds(path);
        if (executor === undefined || killed.includes(executor)) continue;
        process.kill(executor, 'SIGKILL');
        killed.push(executor);
      }
      expect(killed.length).toBeGreaterThan(0);
      expect(await running).toMatchObject({ code: 'database.executor-died' });
      expect((await database.query('SELECT 8', LIMITS)).rows).toEqual([[8]]);
      const [next] = await executorIds(path);
      expect(killed).not.toContain(next);
      // And killed while nothing runs.
      if (next !== undefined) {
        process.kill(next, 'SIGKILL');
        await untilReaped(next);
      }
      expect((await database.query('SELECT 9', LIMITS)).rows).toEqual([[9]]);
    });

    it('a missing file', async () =>
      expect(await codeOf(open(join(folder, 'missing.db')))).toBe('database.not-found'));
    it('a missing folder', async () =>
      expect(await codeOf(open(`${fixture.scheme}:${folder}/no/such/file.db`))).toBe('database.not-found'));
    it('a folder', async () =>
      expect(await codeOf(open(`${fixture.scheme}:${folder}`))).toBe('database.not-a-database'));
    it('an empty file', async () => {
      const empty = join(folder, 'zero.db');
      await writeFile(empty, '');
      expect(await codeOf(open(`${fixture.scheme}:${empty}`))).toBe('database.not-a-database');
    });
    it('a file of another kind', async () => {
      const text = join(folder, 'notes.db');
      await writeFile(text, 'Not a database, only words. '.repeat(200));
      expect(await codeOf(open(`${fixture.scheme}:${text}`))).toBe('database.not-a-database');
    });
    it('a damaged file', async () => {
      const damaged = join(folder, 'damaged');
      const bytes = await readFile(path);
      bytes.fill(0xaa, fixture.damageFrom);
      await writeFile(damaged, bytes);
      expect(await codeOf(open(damaged))).toBe('database.corrupt');
    });
    it('a file that was cut off', async () => {
      const cut = join(folder, 'cut');
      await writeFile(cut, await readFile(path));
      await truncate(cut, fixture.damageFrom + 100);
      expect(await codeOf(open(cut))).toBe('database.corrupt');
    });
    it('a locked file, until the lock is gone', async () => {
      const locked = join(folder, `locked${fixture.fileEnding}`);
      await fixture.write(locked, fixture.setup);
      const release = await holdFile(fixture.lockScript, locked);
      const opened = await connect(locked);
      expect(await codeOf(opened.readSchema())).toBe('database.locked');
      await release();
      expect((await opened.query('SELECT COUNT(*) FROM customers', LIMITS)).rows).toEqual([[3]]);
      await opened.close();
    });
    it('an unknown engine, without showing the password', async () => {
      const error = await connect('oracle://scott:tiger@host/db').catch((caught: unknown) => caught);
      expect(error).toMatchObject({ code: 'database.unknown-engine' });
      expect(String(error)).not.toContain('tiger');
    });
  });
}

async function makeFile(fixture: FileFixture, statements: readonly string[]): Promise<MadeDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'candor-conformance-'));
  const path = join(folder, `shop${fixture.fileEnding}`);
  await fixture.write(path, statements);
  return {
    url: `${fixture.scheme}:${path}`,
    shownUrl: `${fixture.scheme}:${path}`,
    name: 'shop',
    run: (more) => fixture.write(path, more),
    state: () => folderState(folder),
    places: { elsewhere: join(folder, 'elsewhere'), itself: path },
    drop: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Names and hashes of every file: a write anywhere in the folder shows. */
async function folderState(folder: string): Promise<string> {
  const names = (await readdir(folder)).sort();
  const hashes = names.map(async (name) => {
    const bytes = await readFile(join(folder, name));
    return `${name} ${createHash('sha256').update(bytes).digest('hex')}`;
  });
  return (await Promise.all(hashes)).join('\n');
}
