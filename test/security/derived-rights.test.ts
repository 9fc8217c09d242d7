/**
 * Every way of making a database or a session of another hands on every right: the files that do it are listed here, each
 * with what it is tried with on a real engine, and one that is not listed fails.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Config, readConfig } from '../../src/config/index.ts';
import { type Database, guarded } from '../../src/database/index.ts';
import { readScope, withinScope } from '../../src/database/interface/table-scope.ts';
import { tracedDatabase } from '../../src/database/interface/traced-database.ts';
import { readSemanticModel } from '../../src/knowledge/semantic/index.ts';
import { countedSession } from '../../src/lab/evaluation/case-sessions.ts';
import { editSession, withTables } from '../../src/lab/synthesis/context/edit-session.ts';
import { CostCounter } from '../../src/model/index.ts';
import { openLakeOf, refreshLake } from '../../src/onboarding/lake-file.ts';
import { LakeSessions } from '../../src/session/lake/lake-sessions.ts';
import { lakeSubset } from '../../src/session/lake/lake-subset-database.ts';
import { openSession } from '../../src/session/project/open-session.ts';
import { Session, type SessionMembers } from '../../src/session/project/session.ts';
import { impersonated } from '../../src/session/project/user-databases.ts';
import { recordFiles } from '../../src/session/records/record.ts';
import { changedSession } from '../changed-session.ts';
import { codeOf } from '../fixtures/code-of.ts';
import { readSources } from '../repo/read-imports.ts';
import { describeWithServer, postgresServer } from '../servers/server-of-run.ts';
import type { TestDatabase } from '../servers/test-server.ts';
import { type PeopleOfPostgres, peopleOfPostgres } from './people-of-postgres.ts';

const LIMITS = { rows: 100, bytes: 1_000_000, timeoutMs: 30_000 };
const NONE = { properties: {} };
const NO_MODEL = async (): Promise<never> => {
  throw new Error('no model is asked here');
};

/** Files that make one database of another, with what they do to a queried table, and what they withhold. */
const DECORATORS: Readonly<Record<string, 'passes rights on' | 'stands above them'>> = {
  'src/session/project/user-databases.ts': 'stands above them',
  'src/database/guard/guard.ts': 'stands above them',
  'src/database/interface/table-scope.ts': 'passes rights on',
  'src/database/interface/traced-database.ts': 'passes rights on',
  'src/onboarding/connect-project.ts': 'passes rights on',
  'src/session/project/session.ts': 'stands above them',
  'src/lab/synthesis/context/edit-session.ts': 'passes rights on',
  'src/session/lake/lake-database.ts': 'stands above them',
  'src/session/lake/lake-subset-database.ts': 'passes rights on',
};
/** Who may make a session of members: those who open one, and its own operations. */
const MAKERS = [
  'src/session/lake/open-lake-session.ts',
  'src/session/project/open-session.ts',
  'src/session/project/session.ts',
];
/** Who may give a session another database to stand over, each with what it is tried with below. */
const OVER_OTHER_DATA = [
  'src/lab/suites/conversation/run-conversations.ts',
  'src/lab/synthesis/context/edit-session.ts',
  'src/session/lake/lake-sessions.ts',
];

/** The names of what makes a session of a session: one that joins them and is not tried below is a type error. */
type Operation = {
  [Name in keyof Session]-?: Session[Name] extends (...given: never[]) => Session | Promise<Session>
    ? Name
    : never;
}[keyof Session];

/** A member that joins the session is a type error here until somebody has said that every operation hands it on. */
const MEMBERS: Readonly<Record<keyof SessionMembers, 'as it is' | 'narrowed'>> = {
  config: 'as it is',
  catalog: 'as it is',
  semantics: 'as it is',
  semanticsFingerprint: 'as it is',
  hiddenTables: 'as it is',
  authored: 'as it is',
  examples: 'as it is',
  values: 'as it is',
  base: 'as it is',
  knowledge: 'as it is',
  scoring: 'as it is',
  models: 'as it is',
  closeModels: 'as it is',
  isBeyond: 'as it is',
  records: 'as it is',
  clock: 'as it is',
  wallClock: 'as it is',
  nonce: 'as it is',
  database: 'narrowed',
  databaseFor: 'narrowed',
  tablesSeenBy: 'narrowed',
  lake: 'narrowed',
  reader: 'narrowed',
  holdsQueries: 'narrowed',
};

describe('the sources', () => {
  const sources = readSources('src').filter(({ path }) => !path.endsWith('.test.ts'));
  const callersOf = (name: string, home: string): string[] =>
    sources.flatMap(({ path, code }) =>
      path !== home && new RegExp(`(?<!\\w)${name}\\(`).test(code) ? [path] : [],
    );

  it('make a database of another by `decorate`, where this test knows of it', () => {
    expect(callersOf('decorate', 'src/database/interface/decorate.ts')).toEqual(
      Object.keys(DECORATORS).sort(),
    );
  });

  it('make a session by opening one or by its operations', () => {
    expect(callersOf('new Session', '')).toEqual([...MAKERS].sort());
    expect(callersOf('session\\.over', '')).toEqual([...OVER_OTHER_DATA].sort());
  });

  it('copy no database by hand', () => {
    const copies = sources.flatMap(({ path, code }) => {
      // A copy needs the members that every database has; the engines have them as methods of a class.
      const isCopy = /\bexplain\s*:[^;]*=>/.test(code) && !/\bdecorate\(/.test(code);
      const isSpread = /\.\.\.\(?(?:\w+\.)*(?:database|engine),\s*\n/.test(code);
      return (isCopy || isSpread) && path !== 'src/database/interface/decorate.ts' ? [path] : [];
    });
    expect(copies).toEqual([]);
  });

  it('cast nothing to a session', () => {
    const casts = sources.flatMap(({ path, code }) =>
      /\bas (?:unknown as )?Session\b/.test(code) ? [path] : [],
    );
    expect(casts).toEqual([]);
  });
});

describeWithServer('postgres', 'rights on a real engine', () => {
  let database: TestDatabase;
  let people: PeopleOfPostgres;
  let folder: string;
  let config: Config;
  let engine: Database;
  let lake: Session;
  let desk: LakeSessions;
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
    desk = await LakeSessions.make({ config, options: {}, engine, lake: file, semantics, pairs: [], named });
    lake = new Session({ ...(await desk.within(['orders', 'people'])), lake: desk });
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
      [
        'src/session/project/user-databases.ts',
        (below) => impersonated(below, { ...config, sessionProperties: {} }),
      ],
      ['src/database/guard/guard.ts', (below) => guarded(below, { kind: 'own-queries' })],
      [
        'src/database/interface/table-scope.ts',
        (below) => withinScope(below, readScope({ include: ['orders', 'people'] })),
      ],
      ['src/database/interface/traced-database.ts', (below) => tracedDatabase(below)],
      ['src/lab/synthesis/context/edit-session.ts', (below) => withTables(below, noTables, whole.catalog)],
      [
        'src/session/lake/lake-subset-database.ts',
        (below) =>
          lakeSubset(below, { tables: whole.catalog.tables, foreignKeys: [], derivedDirectory: folder })
            .engine,
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
    const operations: Readonly<Record<Operation, (session: Session) => Promise<Session>>> = {
      restrictTo: async (session) => session.restrictTo(['orders']),
      forUser: (session) => session.forUser('ben', NONE),
      withoutExecution: async (session) => session.withoutExecution(),
      withModels: async (session) =>
        countedSession(changedSession(session, { models: NO_MODEL }), new CostCounter()),
      withRecords: async (session) => session.withRecords(recordFiles(folder)),
      withKnowledgeNow: (session) => session.withKnowledgeNow(),
      withPairs: async (session) => session.withPairs([]),
      over: async (session) =>
        editSession(session, engine, [{ kind: 'hide-columns', columns: ['orders.amount'] }]),
    };
    const ways = [['nothing', async (session: Session) => session] as const, ...Object.entries(operations)];
    const kinds = [
      ['a catalog', () => whole],
      ['a lake', () => lake],
      ['a part of a lake', () => desk.within(['orders', 'people'])],
    ] as const;
    const cases = kinds.flatMap(([kind, of]) => ways.map(([name, make]) => ({ kind, of, name, make })));

    it.each(cases)('of $kind, by $name', async ({ of, make }) => {
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

    it.each(cases)('of $kind, by $name, has every member of the one it was made of', async ({ of, make }) => {
      const session = changedSession(await of(), {
        models: NO_MODEL,
        closeModels: async () => undefined,
        isBeyond: () => false,
        reader: 'ben',
        holdsQueries: true,
      });
      const made = await make(session);
      for (const member of Object.keys(MEMBERS) as (keyof SessionMembers)[])
        if (session[member] !== undefined) expect(made[member], member).toBeDefined();
    });

    it.each(kinds)('of %s runs nothing for nobody', async (_kind, of) => {
      const session = await of();
      expect(await codeOf(session.database.query('SELECT id FROM orders', LIMITS))).toBe(
        'database.access-denied',
      );
    });

    it.each(kinds)('of %s is bound to whom it was made for', async (_kind, of) => {
      const ben = await (await of()).forUser('ben', { tables: ['orders'], properties: {} });
      const wider = ben.databaseFor({ properties: {}, user: 'ann', tables: ['orders', 'people'] });
      expect(await codeOf(wider.query('SELECT name FROM people', LIMITS))).toBe('database.not-visible');
      expect(await ben.tablesSeenBy?.({ properties: {}, user: 'ann' })).toEqual(['orders']);
      expect(ben.reader).toBe('ben');
      const waiting = ben.withoutExecution().restrictTo(['orders']);
      expect(waiting).toMatchObject({ reader: 'ben', holdsQueries: true });
      expect(await codeOf(waiting.databaseFor(NONE).query('SELECT id FROM orders', LIMITS))).toBe(
        'query.not-approved',
      );
    });

    it('shows each person of a lake what the engine shows them, and reads it as them', async () => {
      const ann = await lake.forUser('ann', NONE);
      const ben = await lake.forUser('ben', NONE);
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
