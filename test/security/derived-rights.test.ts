/**
 * Every way of making a database or a session of another hands on every right: the files that do it are listed here, each
 * with what it is tried with on a real engine, and one that is not listed fails.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asPerson } from '../../src/as-person.ts';
import { type Config, readConfig } from '../../src/config/index.ts';
import { type Database, guarded } from '../../src/database/index.ts';
import { readScope } from '../../src/database/scope/table-scope.ts';
import { withinScope } from '../../src/database/scope/within-scope.ts';
import { holdQueries } from '../../src/hold-queries.ts';
import { readSemanticModel } from '../../src/knowledge/index.ts';
import { editSession } from '../../src/lab/synthesis/context/edit-session.ts';
import { withTables } from '../../src/lab/synthesis/context/with-tables.ts';
import { LakeDesk } from '../../src/lake-desk.ts';
import { lakePart } from '../../src/lake-part.ts';
import { openLakeOf, refreshLake } from '../../src/open-lake-session.ts';
import { openSession, type Session, wholeSession } from '../../src/session.ts';
import { sessionForReader } from '../../src/session-for-reader.ts';
import { withinTables } from '../../src/within-tables.ts';
import { codeOf } from '../fixtures/code-of.ts';
import { readSources } from '../repo/read-imports.ts';
import { describeWithServer, postgresServer } from '../servers/server-of-run.ts';
import type { TestDatabase } from '../servers/test-server.ts';
import { type PeopleOfPostgres, peopleOfPostgres } from './people-of-postgres.ts';

const LIMITS = { rows: 100, bytes: 1_000_000, timeoutMs: 30_000 };
const NONE = { properties: {} };

/** Files that make one database of another, with what they do to a queried table, and what they withhold. */
const DECORATORS: Readonly<Record<string, 'passes rights on' | 'stands above them'>> = {
  'src/as-person.ts': 'stands above them',
  'src/database/guard.ts': 'stands above them',
  'src/database/scope/within-scope.ts': 'passes rights on',
  'src/hold-queries.ts': 'stands above them',
  'src/lab/synthesis/context/with-tables.ts': 'passes rights on',
  'src/lake-database.ts': 'stands above them',
  'src/lake-part.ts': 'passes rights on',
};
const DERIVATIONS = [
  'src/hold-queries.ts',
  'src/lab/synthesis/context/edit-session.ts',
  'src/lake-desk.ts',
  'src/server/start-server.ts',
  'src/session-for-reader.ts',
  'src/within-tables.ts',
];
/** Who may say that a session is whole: those who open one, and the one place that makes one of another. */
const WHOLE = ['src/derive-session.ts', 'src/open-lake-session.ts', 'src/session.ts'];

describe('the sources', () => {
  const sources = readSources('src').filter(({ path }) => !path.endsWith('.test.ts'));
  const callersOf = (name: string, home: string): string[] =>
    sources.flatMap(({ path, code }) =>
      path !== home && new RegExp(`\\b${name}\\(`).test(code) ? [path] : [],
    );

  it('make a database of another by `decorate`, where this test knows of it', () => {
    expect(callersOf('decorate', 'src/database/decorate.ts')).toEqual(Object.keys(DECORATORS));
  });

  it('make a session of another by `deriveSession`, where this test knows of it', () => {
    expect(callersOf('deriveSession', 'src/derive-session.ts')).toEqual(DERIVATIONS);
    expect(callersOf('wholeSession', '')).toEqual(WHOLE);
  });

  it('copy no database by hand', () => {
    const copies = sources.flatMap(({ path, code }) => {
      // A copy needs the members that every database has; the engines have them as methods of a class.
      const isCopy = /\bexplain\s*:[^;]*=>/.test(code) && !/\bdecorate\(/.test(code);
      const isSpread = /\.\.\.\(?(?:\w+\.)*(?:database|engine),\s*\n/.test(code);
      return (isCopy || isSpread) && path !== 'src/database/decorate.ts' ? [path] : [];
    });
    expect(copies).toEqual([]);
  });

  it('cast nothing to a session', () => {
    const casts = sources.flatMap(({ path, code }) =>
      /\bas (?:unknown as )?Session\b/.test(code) ? [path] : [],
    );
    expect(casts).toEqual(['src/session.ts']);
  });
});

describeWithServer('postgres', 'rights on a real engine', () => {
  let database: TestDatabase;
  let people: PeopleOfPostgres;
  let folder: string;
  let config: Config;
  let engine: Database;
  let lake: Session;
  let desk: LakeDesk;
  let whole: Session;
  beforeAll(async () => {
    database = await (await postgresServer()).createDatabase('rights');
    await database.run(`
      CREATE TABLE orders (id integer PRIMARY KEY, tenant text, amount numeric);
      INSERT INTO orders VALUES (1, 'a', 5), (2, 'b', 7);
      CREATE TABLE people (id integer PRIMARY KEY, name text);
      INSERT INTO people VALUES (1, 'Zoe');
      CREATE TABLE secret (id integer PRIMARY KEY, word text)`);
    people = await peopleOfPostgres(database, { ann: ['orders', 'people'], ben: ['orders'] });
    ({ engine } = people);
    folder = await mkdtemp(join(tmpdir(), 'candor-rights-'));
    await mkdir(join(folder, 'semantics'));
    await writeFile(
      join(folder, 'candor.yml'),
      `database: ${JSON.stringify(database.url)}\nimpersonate: true\nsearch: { embedding: none }\n`,
    );
    config = await readConfig({ cwd: folder, env: {} });
    whole = await openSession(config, { part: { engine, directory: join(folder, 'whole') } });
    const file = await openLakeOf(config);
    await refreshLake(file, engine, {});
    const named = await file.tables(['orders', 'people', 'secret']);
    const semantics = await readSemanticModel(config.semanticsDirectory);
    desk = await LakeDesk.make({ config, options: {}, engine, lake: file, semantics, pairs: [], named });
    lake = wholeSession({ ...(await desk.within(['orders', 'people'])), lake: desk });
  }, 120_000);
  afterAll(async () => {
    await desk?.close();
    await whole?.base.close();
    await people?.close();
    await database?.drop();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }, 60_000);

  const accountOf = async (asked: Database): Promise<unknown> => {
    const { user } = await asked.describe();
    return user?.slice(0, 3);
  };

  describe('a database made of another', () => {
    const noTables = new Map([['orders', 'SELECT * FROM orders']]);
    const ways: readonly [string, (below: Database) => Database][] = [
      ['src/as-person.ts', (below) => asPerson(below, { ...config, sessionProperties: {} })],
      ['src/database/guard.ts', (below) => guarded(below, { kind: 'own-queries' })],
      [
        'src/database/scope/within-scope.ts',
        (below) => withinScope(below, readScope({ include: ['orders', 'people'] })),
      ],
      ['src/lab/synthesis/context/with-tables.ts', (below) => withTables(below, noTables, whole.catalog)],
      [
        'src/lake-part.ts',
        (below) =>
          lakePart(below, { tables: whole.catalog.tables, foreignKeys: [], derivedDirectory: folder }).engine,
      ],
    ];

    it.each(ways)('%s', async (path, make) => {
      const made = make(engine);
      if (DECORATORS[path] === 'stands above them') {
        expect(made.listTables).toBeUndefined();
        return;
      }
      const ben = made.as?.({ user: 'ben' });
      if (ben === undefined) throw new Error('nobody can be taken for another');
      expect(await accountOf(ben)).toBe('ben');
      expect(await codeOf(ben.query('SELECT * FROM people', LIMITS))).toBe('database.access-denied');
      expect(await codeOf(ben.explain('SELECT * FROM people'))).toBe('database.access-denied');
      expect((await ben.listTables?.())?.includes('people')).toBe(false);
      // What was done to it holds for whoever it is taken for: of both the schema is that of the decorated one.
      const tablesOf = async (asked: Database) => (await asked.readSchema()).tables.map(({ name }) => name);
      expect((await tablesOf(made)).length).toBeGreaterThanOrEqual((await tablesOf(ben)).length);
    });

    it('stays what it was made for whoever it is taken for', async () => {
      const scoped = withinScope(engine, readScope({ exclude: ['orders'] })).as?.({ user: 'ben' });
      expect((await scoped?.readSchema())?.tables).toEqual([]);
    });
  });

  describe('a session made of another', () => {
    const ways: readonly [string, (session: Session) => Promise<Session>][] = [
      ['as it is', async (session) => session],
      ['src/hold-queries.ts', async (session) => holdQueries(session)],
      [
        'src/lab/synthesis/context/edit-session.ts',
        async (session) =>
          editSession(session, engine, [{ kind: 'hide-columns', columns: ['orders.amount'] }]),
      ],
      ['src/session-for-reader.ts', (session) => sessionForReader(session, 'ben', NONE)],
      ['src/within-tables.ts', async (session) => withinTables(session, ['orders'])],
    ];
    const kinds = [
      ['a catalog', () => whole],
      ['a lake', () => lake],
      ['a part of a lake', () => desk.within(['orders', 'people'])],
    ] as const;
    const cases = kinds.flatMap(([kind, of]) => ways.map(([path, make]) => ({ kind, of, path, make })));

    it.each(cases)('of $kind, $path', async ({ of, make }) => {
      const made = await make(await of());
      const isHeld = made.holdsQueries === true;
      const benSees = await made.tablesSeenBy?.({ ...NONE, user: 'ben' });
      expect(benSees).toEqual(['orders']);
      const ben = made.databaseFor({ ...NONE, user: 'ben' });
      const code = isHeld ? 'query.not-approved' : 'database.access-denied';
      expect(await codeOf(ben.query('SELECT name FROM people', LIMITS))).not.toBe('');
      expect([code, 'database.not-visible']).toContain(
        await codeOf(ben.query('SELECT name FROM people', LIMITS)),
      );
      const orders = ben.query('SELECT id FROM orders ORDER BY id', LIMITS);
      if (isHeld) expect(await codeOf(orders)).toBe('query.not-approved');
      else expect((await orders).rows).toEqual([[1], [2]]);
    });

    it.each(kinds)('of %s runs nothing for nobody', async (_kind, of) => {
      const session = await of();
      expect(await codeOf(session.database.query('SELECT id FROM orders', LIMITS))).toBe(
        'database.access-denied',
      );
    });

    it.each(kinds)('of %s is bound to whom it was made for', async (_kind, of) => {
      const ben = await sessionForReader(await of(), 'ben', { tables: ['orders'], properties: {} });
      const wider = ben.databaseFor({ properties: {}, user: 'ann', tables: ['orders', 'people'] });
      expect(await codeOf(wider.query('SELECT name FROM people', LIMITS))).toBe('database.not-visible');
      expect(await ben.tablesSeenBy?.({ properties: {}, user: 'ann' })).toEqual(['orders']);
      expect(ben.reader).toBe('ben');
      const waiting = withinTables(holdQueries(ben), ['orders']);
      expect(waiting).toMatchObject({ reader: 'ben', holdsQueries: true });
      expect(await codeOf(waiting.databaseFor(NONE).query('SELECT id FROM orders', LIMITS))).toBe(
        'query.not-approved',
      );
    });

    it('shows each person of a lake what the engine shows them, and reads it as them', async () => {
      const ann = await sessionForReader(lake, 'ann', NONE);
      const ben = await sessionForReader(lake, 'ben', NONE);
      expect(await ann.lake?.tablesFor('people and orders and secret')).toEqual(
        expect.arrayContaining(['orders', 'people']),
      );
      expect(await ann.lake?.tablesFor('the secret word')).not.toContain('secret');
      expect(await ben.lake?.tablesFor('people and orders')).not.toContain('people');
      const annPart = await ann.lake?.within(['orders', 'people']);
      expect(annPart?.catalog.tables.map(({ id }) => id)).toEqual(['orders', 'people']);
      expect((await annPart?.database.query('SELECT name FROM people', LIMITS))?.rows).toEqual([['Zoe']]);
      expect(await codeOf(ben.lake?.within(['people']) ?? Promise.resolve())).toBe('catalog.unknown-name');
      const benPart = await ben.lake?.within(['orders']);
      expect((await benPart?.database.query('SELECT id FROM orders', LIMITS))?.rows).toHaveLength(2);
      const log = await database.run(
        `SELECT usename FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%' AND usename LIKE 'ann%'`,
      );
      expect(log.length).toBeGreaterThan(0);
    });
  });
});
