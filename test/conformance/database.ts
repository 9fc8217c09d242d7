/** What every engine must do. The next engine joins by writing one `DatabaseFixture`. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, type Database, type DatabaseSchema } from '../../src/database/index.ts';
import { CandorError } from '../../src/errors.ts';
import type { Cell } from '../../src/sql/dialects/cell.ts';
import type { DialectName } from '../../src/sql/dialects/dialect.ts';
import { codeOf } from '../fixtures/code-of.ts';

/**
 * An engine as the suite sees it. `setup` must make a table that is reached as `customers`, with three rows. The SQL
 * that the suite brings itself is plain: `SELECT`, `UNION ALL`, common tables.
 */
export interface DatabaseFixture {
  readonly dialect: DialectName;
  /** Makes a fresh database with these statements; without statements one without tables. */
  make(statements: readonly string[]): Promise<MadeDatabase>;
  readonly setup: readonly string[];
  /** What `readSchema` must say of it, but for `estimatedRows` and `dataStamp`. */
  readonly schema: DatabaseSchema;
  /** Expressions and what they must come back as. */
  readonly values: readonly { readonly sql: string; readonly cell: Cell }[];
  /** A text of three bytes that do not fit the limit of two, and what is left. */
  readonly bytes?: { readonly sql: string; readonly cut: Uint8Array };
  /** Statements that the engine's own session must refuse, our guard being off; each leaves `state()` as it was. */
  readonly writes: readonly string[];
  /** For engines whose sessions have settings: one statement must not change those of the next one. */
  readonly settings?: SettingsFixture;
  /** A statement that runs for minutes; planning it must not run it. */
  readonly endless: string;
  /** The whole numbers 1 to `count`, where the engine does not read a recursive common table. */
  numbers?(count: number): string;
}

export interface MadeDatabase {
  readonly url: string;
  /** What `Database` must call itself. */
  readonly name: string;
  readonly shownUrl: string;
  /** Changes the database as its owner does. */
  run(statements: readonly string[]): Promise<void>;
  /** Text that changes with every change of rows, tables or files. */
  state(): Promise<string>;
  /** For `{place}` in the writes. */
  readonly places?: Readonly<Record<string, string>>;
  drop(): Promise<void>;
}

export interface SettingsFixture {
  /** Lists all settings that matter, in one row. */
  readonly sql: string;
  /** Statements that try to change them; it does not matter whether they succeed. */
  readonly attempts: readonly string[];
}

const LIMITS = { rows: 1000, bytes: 1_000_000, timeoutMs: 20_000 };

export function behavesLikeDatabase(name: string, fixture: DatabaseFixture): void {
  const numbers = (count: number): string =>
    fixture.numbers?.(count) ??
    `WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < ${count}) SELECT x FROM n`;

  describe(`${name} behaves like a database`, () => {
    let made: MadeDatabase;
    let database: Database;

    beforeAll(async () => {
      made = await fixture.make(fixture.setup);
      database = await connect(made.url);
    });
    afterAll(async () => {
      await database?.close();
      await made?.drop();
    });
    const works = async (): Promise<void> =>
      expect((await database.query('SELECT 7', LIMITS)).rows).toEqual([[7]]);

    describe('introspection', () => {
      it('names itself', () => {
        expect(database.name).toBe(made.name);
        expect(database.url).toBe(made.shownUrl);
        expect(database.dialect).toBe(fixture.dialect);
      });
      it('reads tables, views, columns, types, keys and comments', async () => {
        expect(withoutEstimates(await database.readSchema())).toEqual(fixture.schema);
      });
      it('reaches a table behind the names of the place that it says the table stands in', async () => {
        const { tables, home = {} } = await database.readSchema();
        const table = tables.find(({ name, kind, qualifier }) => {
          return kind === 'table' && qualifier === undefined && name.toLowerCase() === 'customers';
        });
        const places = [table?.catalog ?? home.catalog, table?.schema ?? home.schema];
        const quote = fixture.dialect === 'mysql' ? '`' : '"';
        const path = places.filter((name) => name !== undefined);
        for (const names of [path, path.slice(-1)]) {
          const written = [...names, table?.name].map((name) => `${quote}${name}${quote}`).join('.');
          const sql = `SELECT COUNT(*) FROM ${written}`;
          expect((await database.query(sql, LIMITS)).rows.length).toBe(1);
        }
      });
      it('says who serves and how it is held to reading', async () => {
        const { product, readOnlyBy } = await database.describe();
        expect(product).toMatch(/^\w+ \d/);
        expect(readOnlyBy).not.toBe('');
      });
      it('has no tables where there are none', async () => {
        const bare = await fixture.make([]);
        const opened = await connect(bare.url);
        expect(await opened.readSchema()).toMatchObject({ tables: [], foreignKeys: [] });
        await opened.close();
        await bare.drop();
      });
      it('changes its stamp with the schema', async () => {
        const other = await fixture.make(fixture.setup);
        const opened = await connect(other.url);
        const before = await opened.stamp();
        expect(await opened.stamp()).toBe(before);
        await opened.close();
        await other.run(['CREATE TABLE one_more (a INTEGER)']);
        const again = await connect(other.url);
        expect(await again.stamp()).not.toBe(before);
        expect((await again.readSchema()).tables.map((table) => table.name)).toContain('one_more');
        await again.close();
        await other.drop();
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
        const result = await database.query('SELECT 1 AS a FROM customers WHERE 1 = 0', LIMITS);
        expect(result).toMatchObject({ columns: ['a'], rows: [], truncatedBy: null });
      });
    });

    describe('limits', () => {
      it.each([
        ['keeps as many rows as allowed and says so', 50, 'rows'],
        ['does not call a result cut that just fits', 10, null],
      ])('%s', async (_, count, truncatedBy) => {
        const result = await database.query(numbers(count), { ...LIMITS, rows: 10 });
        expect(result.rows).toHaveLength(10);
        expect(result.truncatedBy).toBe(truncatedBy);
        await works();
      });
      it('keeps to its rows where the statement has a limit of its own', async () => {
        const result = await database.query(`${numbers(50)} ORDER BY x LIMIT 40`, { ...LIMITS, rows: 10 });
        expect(result.rows.map(([x]) => x)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
        expect(result.truncatedBy).toBe('rows');
        await works();
      });
      it('does not limit what is counted inside', async () => {
        const sql = `WITH m AS (${numbers(50)}) SELECT COUNT(*) FROM m`;
        const result = await database.query(sql, { ...LIMITS, rows: 10 });
        expect(result).toMatchObject({ rows: [[50]], truncatedBy: null });
      });
      it('keeps as many bytes as allowed and says so', async () => {
        const sql = `WITH m AS (${numbers(100)}) SELECT '${'x'.repeat(100)}' FROM m`;
        const result = await database.query(sql, { ...LIMITS, bytes: 1000 });
        expect(result.rows).toHaveLength(10);
        expect(result.truncatedBy).toBe('bytes');
        await works();
      });
      it('cuts long texts and counts them', async () => {
        const sql = `SELECT 'abcdef', 'abc', 'ab🚗', 12345`;
        const result = await database.query(sql, { ...LIMITS, cellSize: 3 });
        expect(result).toMatchObject({ rows: [['abc', 'abc', 'ab', 12345]], cutCells: 2, truncatedBy: null });
      });
      it.skipIf(fixture.bytes === undefined)('cuts long bytes', async () => {
        const { sql, cut } = fixture.bytes ?? { sql: '', cut: new Uint8Array() };
        const result = await database.query(`SELECT ${sql}`, { ...LIMITS, cellSize: 2 });
        expect(result).toMatchObject({ rows: [[cut]], cutCells: 1 });
      });
      it('stops a query at its time limit, and the next one works', async () => {
        const limits = { ...LIMITS, timeoutMs: 300 };
        expect(await codeOf(database.query(fixture.endless, limits))).toBe('database.timeout');
        await works();
      });
      it('stops a query that is cancelled, and the next one works', async () => {
        const controller = new AbortController();
        setTimeout(() => controller.abort(), 200);
        const running = database.query(fixture.endless, LIMITS, controller.signal);
        expect(await codeOf(running)).toBe('database.cancelled');
        await works();
      });
      it('does not begin a query that is cancelled already', async () => {
        const cancelled = database.query('SELECT 1', LIMITS, AbortSignal.abort());
        expect(await codeOf(cancelled)).toBe('database.cancelled');
      });
      it('runs many queries at once', async () => {
        const all = Array.from({ length: 12 }, (_, index) => index);
        const results = await Promise.all(all.map((n) => database.query(`SELECT ${n}`, LIMITS)));
        expect(results.map((result) => result.rows)).toEqual(all.map((n) => [[n]]));
      });
    });

    describe('planning', () => {
      it.each(['SELECT 1', 'EXPLAIN SELECT 1', fixture.endless])('plans without running: %s', async (sql) => {
        await database.explain(sql);
      });
      it.each(['SELECT * FROM nowhere', 'SELEC 1', '', '  -- nothing', 'SELECT no_function(1)'])(
        'reports in the words of the engine: %j',
        async (sql) => {
          expect(await codeOf(database.explain(sql))).toBe('database.query-failed');
          expect(await codeOf(database.query(sql, LIMITS))).toBe('database.query-failed');
        },
      );
      it('names itself and the SQL in a failure', async () => {
        const sql = 'SELECT * FROM nowhere';
        const error = await database.query(sql, LIMITS).catch((caught: unknown) => caught);
        expect(error).toMatchObject({ message: expect.stringContaining(made.name) });
        expect(error).toMatchObject({ data: { sql, url: made.shownUrl } });
      });
    });

    describe('reading only', () => {
      it.each([
        ...fixture.writes,
        'SELECT 1; SELECT 2',
        'SELECT 1; DROP TABLE customers',
        'COMMIT; DROP TABLE customers',
      ])('refuses: %j', async (sql) => {
        const places = Object.entries(made.places ?? {});
        const statement = places.reduce((text, [place, path]) => text.replaceAll(`{${place}}`, path), sql);
        const before = await made.state();
        await expect(database.query(statement, LIMITS)).rejects.toThrow(CandorError);
        expect(await made.state()).toBe(before);
        expect((await database.query('SELECT COUNT(*) FROM customers', LIMITS)).rows).toEqual([[3]]);
      });
      it('does not plan a statement that writes into doing it', async () => {
        const before = await made.state();
        await database.explain('DELETE FROM customers').catch(() => undefined);
        expect(await made.state()).toBe(before);
      });
      it.each(fixture.settings?.attempts ?? [])('begins anew after: %s', async (sql) => {
        const settings = fixture.settings?.sql ?? '';
        const before = { rows: (await database.query(settings, LIMITS)).rows, state: await made.state() };
        await database.query(sql, LIMITS).catch(() => undefined);
        const after = { rows: (await database.query(settings, LIMITS)).rows, state: await made.state() };
        expect(after).toEqual(before);
        await expect(database.query('DELETE FROM customers', LIMITS)).rejects.toThrow(CandorError);
        await works();
      });
    });

    it('refuses to work after it was closed', async () => {
      const opened = await connect(made.url);
      await opened.query('SELECT 1', LIMITS);
      await opened.close();
      expect(await codeOf(opened.query('SELECT 1', LIMITS))).toBe('database.cancelled');
    });
    it('stops its query when it is closed', async () => {
      const opened = await connect(made.url);
      await opened.query('SELECT 1', LIMITS);
      const running = codeOf(opened.query(fixture.endless, LIMITS));
      await new Promise((resolve) => setTimeout(resolve, 100));
      await opened.close();
      expect(await running).toBe('database.cancelled');
    });
  });
}

/** The engine's own statistics move on their own. */
function withoutEstimates(schema: DatabaseSchema): DatabaseSchema {
  const tables = schema.tables.map(({ estimatedRows: _, dataStamp: __, ...table }) => table);
  const { home: _, ownNames: __, ...rest } = schema;
  return { ...rest, tables };
}
