/** What every engine must do. The next engine joins by writing one `DatabaseFixture`. */
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, type Database, type DatabaseSchema } from '../../src/database/index.ts';
import { CandorError, type ErrorCode } from '../../src/errors.ts';
import type { Cell } from '../../src/sql/cell.ts';
import { executorIds, holdFile } from './other-process.ts';

export interface DatabaseFixture {
  readonly scheme: string;
  readonly fileEnding: string;
  /** Writes a file with the given statements; without statements a database without tables. */
  write(path: string, statements: readonly string[]): Promise<void>;
  /** Statements that make the tables of `schema`. */
  readonly setup: readonly string[];
  readonly schema: DatabaseSchema;
  /** Expressions and what they must come back as. */
  readonly values: readonly { readonly sql: string; readonly cell: Cell }[];
  /** Statements that must be refused, each leaving every byte as it was. */
  readonly writes: readonly string[];
  /** A statement that runs for minutes. */
  readonly endless: string;
  /** A program that holds the file named by its first argument so that nobody else can read it. */
  readonly lockScript: string;
  /** First byte of a range whose damage the engine notices when it opens or reads. */
  readonly damageFrom: number;
}

const LIMITS = { rows: 1000, bytes: 1_000_000, timeoutMs: 20_000 };
/** Numbers 1 to n, in SQL that both engines read. */
const numbers = (count: number): string =>
  `WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < ${count}) SELECT x FROM n`;

export function behavesLikeDatabase(name: string, fixture: DatabaseFixture): void {
  describe(`${name} behaves like a database`, () => {
    let folder: string;
    let path: string;
    let database: Database;

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'candor-conformance-'));
      path = join(folder, `shop${fixture.fileEnding}`);
      await fixture.write(path, fixture.setup);
      database = await connect(`${fixture.scheme}:${path}`);
    });
    afterAll(async () => {
      await database?.close();
      await rm(folder, { recursive: true, force: true });
    });

    describe('introspection', () => {
      it('names itself after its file', () => {
        expect(database.name).toBe('shop');
        expect(database.url).toBe(`${fixture.scheme}:${path}`);
        expect(database.dialect).toBe(fixture.scheme);
      });
      it('reads tables, views, columns, types, keys and comments', async () => {
        expect(withoutEstimates(await database.readSchema())).toEqual(fixture.schema);
      });
      it('recognises a bare path by the header of the file', async () => {
        const other = join(folder, 'no-ending');
        await fixture.write(other, ['CREATE TABLE t (a INTEGER)']);
        const opened = await connect('no-ending', { baseDirectory: folder });
        expect(opened.url).toBe(`${fixture.scheme}:${other}`);
        await opened.close();
      });
      it('changes its stamp with the file', async () => {
        const other = join(folder, `stamp${fixture.fileEnding}`);
        await fixture.write(other, ['CREATE TABLE t (a INTEGER)']);
        const opened = await connect(other);
        const before = await opened.stamp();
        expect(await opened.stamp()).toBe(before);
        await opened.close();
        await rm(other);
        await fixture.write(other, ['CREATE TABLE t (a INTEGER)', 'CREATE TABLE u (a INTEGER)']);
        const again = await connect(other);
        expect(await again.stamp()).not.toBe(before);
        await again.close();
      });
    });

    describe('values', () => {
      it.each(fixture.values)('$sql', async ({ sql, cell }) => {
        const result = await database.query(`SELECT ${sql} AS v`, LIMITS);
        expect(result.columns).toEqual(['v']);
        expect(result.rows).toEqual([[cell]]);
        expect(typeof result.rows[0]?.[0]).toBe(typeof cell);
      });
      it('keeps columns of the same name apart', async () => {
        const result = await database.query('SELECT 1 AS a, 2 AS a', LIMITS);
        expect(result).toMatchObject({ columns: ['a', 'a'], rows: [[1, 2]], truncatedBy: null });
      });
      it('names the columns of an empty result', async () => {
        const result = await database.query('SELECT 1 AS a WHERE 1 = 0', LIMITS);
        expect(result).toMatchObject({ columns: ['a'], rows: [], truncatedBy: null });
      });
    });

    describe('limits', () => {
      it('keeps as many rows as allowed and says so', async () => {
        const result = await database.query(numbers(50), { ...LIMITS, rows: 10 });
        expect(result.rows).toHaveLength(10);
        expect(result.truncatedBy).toBe('rows');
      });
      it('does not call a result cut that just fits', async () => {
        const result = await database.query(numbers(10), { ...LIMITS, rows: 10 });
        expect(result.rows).toHaveLength(10);
        expect(result.truncatedBy).toBeNull();
      });
      it('keeps as many bytes as allowed and says so', async () => {
        const sql = `WITH n AS (${numbers(100)}) SELECT '${'x'.repeat(100)}' FROM n`;
        const result = await database.query(sql, { ...LIMITS, bytes: 1000 });
        expect(result.rows).toHaveLength(10);
        expect(result.truncatedBy).toBe('bytes');
      });
      it('stops a query at its time limit, and the next one works', async () => {
        const started = performance.now();
        await expectCode(database.query(fixture.endless, { ...LIMITS, timeoutMs: 300 }), 'database.timeout');
        expect(performance.now() - started).toBeLessThan(3000);
        expect((await database.query('SELECT 7', LIMITS)).rows).toEqual([[7]]);
      });
      it('stops a query that is cancelled, and the next one works', async () => {
        const controller = new AbortController();
        setTimeout(() => controller.abort(), 200);
        const started = performance.now();
        await expectCode(database.query(fixture.endless, LIMITS, controller.signal), 'database.cancelled');
        expect(performance.now() - started).toBeLessThan(3000);
        expect((await database.query('SELECT 7', LIMITS)).rows).toEqual([[7]]);
      });
      it('does not begin a query that is cancelled already', async () => {
        await expectCode(database.query('SELECT 1', LIMITS, AbortSignal.abort()), 'database.cancelled');
      });
      it('runs many queries at once, one after the other', async () => {
        const results = await Promise.all([1, 2, 3, 4].map((n) => database.query(`SELECT ${n}`, LIMITS)));
        expect(results.map((result) => result.rows)).toEqual([[[1]], [[2]], [[3]], [[4]]]);
      });
      it.skipIf(process.platform !== 'linux')('starts a new process when its own was killed', async () => {
        const running = database.query(fixture.endless, LIMITS).catch((error: unknown) => error);
        await new Promise((resolve) => setTimeout(resolve, 100));
        const [executor] = await executorIds(path);
        expect(executor).toBeGreaterThan(0);
        if (executor !== undefined) process.kill(executor, 'SIGKILL');
        expect(await running).toMatchObject({ code: 'database.executor-died' });
        expect((await database.query('SELECT 8', LIMITS)).rows).toEqual([[8]]);
        const [next] = await executorIds(path);
        expect(next).not.toBe(executor);
        // And killed while nothing runs.
        if (next !== undefined) process.kill(next, 'SIGKILL');
        await new Promise((resolve) => setTimeout(resolve, 100));
        expect((await database.query('SELECT 9', LIMITS)).rows).toEqual([[9]]);
      });
    });

    describe('planning', () => {
      it.each(['SELECT 1', 'EXPLAIN SELECT 1', fixture.endless])('plans without running: %s', async (sql) => {
        await database.explain(sql);
      });
      it.each(['SELECT * FROM nowhere', 'SELEC 1', '', '  -- nothing', 'SELECT no_function(1)'])(
        'reports in the words of the engine: %j',
        async (sql) => {
          await expectCode(database.explain(sql), 'database.query-failed');
          await expectCode(database.query(sql, LIMITS), 'database.query-failed');
        },
      );
    });

    describe('reading only', () => {
      it.each([...fixture.writes, 'SELECT 1; SELECT 2', 'SELECT 1; DROP TABLE customers'])(
        'refuses: %s',
        async (sql) => {
          const target = join(folder, 'elsewhere');
          const statement = sql.replaceAll('{elsewhere}', target).replaceAll('{itself}', path);
          const before = await folderState(folder);
          await expect(database.query(statement, LIMITS)).rejects.toThrow(CandorError);
          expect(await folderState(folder)).toEqual(before);
          expect((await database.query('SELECT COUNT(*) FROM customers', LIMITS)).rows).toEqual([[3]]);
        },
      );
    });

    describe('bad files', () => {
      const open = async (url: string): Promise<void> => {
        const opened = await connect(url);
        try {
          await opened.readSchema();
          await opened.query('SELECT * FROM customers', LIMITS);
        } finally {
          await opened.close();
        }
      };
      it('a missing file', () => expectCode(open(join(folder, 'missing.db')), 'database.not-found'));
      it('a missing folder', () =>
        expectCode(open(`${fixture.scheme}:${folder}/no/such/file.db`), 'database.not-found'));
      it('a folder', () => expectCode(open(`${fixture.scheme}:${folder}`), 'database.not-a-database'));
      it('an empty file', async () => {
        const empty = join(folder, 'zero.db');
        await writeFile(empty, '');
        await expectCode(open(`${fixture.scheme}:${empty}`), 'database.not-a-database');
      });
      it('a file of another kind', async () => {
        const text = join(folder, 'notes.db');
        await writeFile(text, 'Not a database, only words. '.repeat(200));
        await expectCode(open(`${fixture.scheme}:${text}`), 'database.not-a-database');
      });
      it('a damaged file', async () => {
        const damaged = join(folder, 'damaged');
        const bytes = await readFile(path);
        bytes.fill(0xaa, fixture.damageFrom);
        await writeFile(damaged, bytes);
        await expectCode(open(damaged), 'database.corrupt');
      });
      it('a file that was cut off', async () => {
        const cut = join(folder, 'cut');
        await writeFile(cut, await readFile(path));
        await truncate(cut, fixture.damageFrom + 100);
        await expectCode(open(cut), 'database.corrupt');
      });
      it('a locked file, until the lock is gone', async () => {
        const locked = join(folder, `locked${fixture.fileEnding}`);
        await fixture.write(locked, fixture.setup);
        const release = await holdFile(fixture.lockScript, locked);
        const opened = await connect(locked);
        await expectCode(opened.readSchema(), 'database.locked');
        await release();
        expect((await opened.query('SELECT COUNT(*) FROM customers', LIMITS)).rows).toEqual([[3]]);
        await opened.close();
      });
      it('an unknown engine, without showing the password', async () => {
        const error = await connect('oracle://scott:tiger@host/db').catch((caught: unknown) => caught);
        expect(error).toMatchObject({ code: 'database.unknown-engine' });
        expect(String(error)).not.toContain('tiger');
      });
      it('a database without tables reads as an empty schema', async () => {
        const bare = join(folder, `bare${fixture.fileEnding}`);
        await fixture.write(bare, []);
        const opened = await connect(bare);
        expect(await opened.readSchema()).toEqual({ tables: [], foreignKeys: [] });
        await opened.close();
      });
    });

    it('refuses to work after it was closed', async () => {
      const opened = await connect(path);
      await opened.query('SELECT 1', LIMITS);
      await opened.close();
      await expectCode(opened.query('SELECT 1', LIMITS), 'database.cancelled');
    });
    it('stops its query when it is closed', async () => {
      const opened = await connect(path);
      await opened.query('SELECT 1', LIMITS);
      const running = opened.query(fixture.endless, LIMITS).catch((error: unknown) => error);
      await new Promise((resolve) => setTimeout(resolve, 100));
      await opened.close();
      expect(await running).toMatchObject({ code: 'database.cancelled' });
    });
  });
}

async function expectCode(promise: Promise<unknown>, code: ErrorCode): Promise<void> {
  const error = await promise.then(
    () => 'no error',
    (caught: unknown) => caught,
  );
  expect(error).toBeInstanceOf(CandorError);
  expect(error).toMatchObject({ code });
}

/** The engine's own statistics move on their own. */
function withoutEstimates(schema: DatabaseSchema): DatabaseSchema {
  const tables = schema.tables.map(({ estimatedRows: _, dataStamp: __, ...table }) => table);
  return { ...schema, tables };
}

/** Names and hashes of every file: a write anywhere in the folder shows. */
async function folderState(folder: string): Promise<Record<string, string>> {
  const state: Record<string, string> = {};
  await mkdir(folder, { recursive: true });
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const bytes = await readFile(join(folder, entry.name));
    state[entry.name] = createHash('sha256').update(bytes).digest('hex');
  }
  return state;
}
