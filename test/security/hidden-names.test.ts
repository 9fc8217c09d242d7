/**
 * What a caller may not see is as if it were not there: a statement that says the name of a hidden table, in whatever
 * place, comes out as the same statement with a name that nothing has.
 */
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { outlineCatalog } from '../../src/catalog/index.ts';
import { connect, type Database, guarded } from '../../src/database/index.ts';
import { CandorError } from '../../src/errors.ts';
import { describeWithServer, mariadbServer, postgresServer } from '../servers/server-of-run.ts';

const LIMITS = { rows: 100, bytes: 1_000_000, timeoutMs: 20_000 };
const HIDDEN = 'pay_scale';
const ABSENT = 'tea_break';
const MAKING = [
  'CREATE TABLE people (id INTEGER PRIMARY KEY, name VARCHAR(50), tenant VARCHAR(20))',
  "INSERT INTO people VALUES (1, 'Ada', 'acme'), (2, 'Bea', 'other')",
  `CREATE TABLE ${HIDDEN} (person INTEGER PRIMARY KEY, hush INTEGER)`,
  `INSERT INTO ${HIDDEN} VALUES (1, 7), (2, 8)`,
];
const POLICIES = {
  'that filters and hides': {
    visibleTables: ['people'],
    rowFilters: new Map([
      ['people', `tenant = 'acme' AND id IN (SELECT person FROM ${HIDDEN} WHERE hush < 10)`],
    ]),
    columnMasks: new Map([['people.name', `(SELECT MAX(hush) FROM ${HIDDEN} WHERE person = id)`]]),
  },
  'that only hides': { visibleTables: ['people'] },
};

/** `NAME` is the name. */
const STATEMENTS = [
  'SELECT * FROM NAME',
  'SELECT * FROM NAMES',
  'SELECT NAME FROM people',
  'SELECT NAME.hush FROM people',
  'SELECT people.NAME FROM people',
  'SELECT p.id FROM people p JOIN NAME n ON n.person = p.id',
  'SELECT id FROM people WHERE id IN (SELECT person FROM NAME)',
  'SELECT id FROM people WHERE EXISTS (SELECT 1 FROM NAME n WHERE n.person = people.id)',
  'SELECT id FROM people WHERE id IN NAME',
  'SELECT (SELECT MAX(hush) FROM NAME) FROM people',
  'SELECT id FROM people ORDER BY (SELECT MAX(hush) FROM NAME)',
  'SELECT COUNT(*) FROM people HAVING COUNT(*) > (SELECT COUNT(*) FROM NAME)',
  'SELECT id FROM people UNION SELECT person FROM NAME',
  'WITH c AS (SELECT * FROM NAME) SELECT * FROM people',
  'WITH c AS (SELECT * FROM NAME) SELECT * FROM c',
  'SELECT NAME.id FROM people AS NAME',
  'SELECT id AS NAME FROM people ORDER BY NAME',
  'SELECT * FROM people JOIN (SELECT 1 AS hush) AS NAME ON hush = id',
  'SELECT id FROM people AS NAME WHERE EXISTS (SELECT 1 FROM people WHERE people.id = NAME.id)',
  'SELECT * FROM main.NAME',
  'SELECT * FROM NAME.people',
  'SELECT NAME(id) FROM people',
  'SELECT * FROM NAME(1)',
  'TABLE NAME',
  'SELECT hush FROM people',
  'SELECT * FROM people NATURAL JOIN NAME',
  'SELECT * FROM people JOIN NAME USING (person)',
  'SELECT * FROM "NAME"',
  "SELECT 'NAME' FROM people",
  'EXPLAIN SELECT * FROM NAME',
  'INSERT INTO NAME SELECT 1, 2',
];

/** A filter of the policy reads a table of the name: it must not read these in its place, and why is not said. */
const TAKEN = [
  'WITH NAME AS (SELECT 9 AS person, 9 AS hush) SELECT id FROM people',
  'WITH NAME AS (SELECT 9 AS person, 9 AS hush) SELECT * FROM people, NAME',
  'WITH NAME AS (SELECT id AS person, 1 AS hush FROM people) SELECT * FROM NAME',
  'WITH c AS (WITH NAME AS (SELECT 1 AS person) SELECT id FROM people) SELECT * FROM c',
  'WITH RECURSIVE NAME AS (SELECT 1 AS person UNION ALL SELECT person + 1 FROM NAME WHERE person < 3) SELECT * FROM people, NAME',
];

interface Engine {
  readonly url: string;
  remove(): Promise<void>;
}

function tellsNothing(make: () => Promise<Engine>): void {
  let made: Engine;
  let engine: Database;
  beforeAll(async () => {
    made = await make();
    engine = await connect(made.url);
  }, 60_000);
  afterAll(async () => {
    await engine?.close();
    await made?.remove();
  });

  it.each(Object.entries(POLICIES))('under a policy %s', async (_, policy) => {
    const catalog = await outlineCatalog(engine);
    const reader = guarded(engine, { kind: 'caller-queries', catalog, policy });
    const different: string[] = [];
    for (const statement of STATEMENTS) {
      const [hidden, absent] = await Promise.all(
        [HIDDEN, ABSENT].map((name) => outcomeOf(reader, statement.replaceAll('NAME', name))),
      );
      if (hidden !== absent?.replaceAll(ABSENT, HIDDEN))
        different.push(`${statement}: ${hidden} | ${absent}`);
    }
    expect(different).toEqual([]);
  });

  it('says of a name that is taken that it is', async () => {
    const catalog = await outlineCatalog(engine);
    const policy = POLICIES['that filters and hides'];
    const reader = guarded(engine, { kind: 'caller-queries', catalog, policy });
    for (const statement of TAKEN) {
      const told = await outcomeOf(reader, statement.replaceAll('NAME', HIDDEN));
      expect(told).toContain(
        `no common table expression may be called ${HIDDEN} here; give it another name.`,
      );
      expect(told).not.toMatch(/people|hush|filter|mask/);
    }
  });
}

async function outcomeOf(database: Database, sql: string): Promise<string> {
  try {
    const { columns, rows } = await database.query(sql, LIMITS);
    return JSON.stringify([columns, rows]);
  } catch (error) {
    if (error instanceof CandorError) return `${error.code} ${error.message} ${JSON.stringify(error.data)}`;
    throw error;
  }
}

describe('SQLite', () =>
  tellsNothing(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'candor-hidden-names-'));
    const file = new DatabaseSync(join(folder, 'people.db'));
    for (const sql of MAKING) file.exec(sql);
    file.close();
    return { url: `sqlite:${folder}/people.db`, remove: () => rm(folder, { recursive: true }) };
  }));
describe('DuckDB', () =>
  tellsNothing(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'candor-hidden-names-'));
    const instance = await DuckDBInstance.create(join(folder, 'people.duckdb'));
    const connection = await instance.connect();
    for (const sql of MAKING) await connection.run(sql);
    connection.closeSync();
    instance.closeSync();
    return { url: `duckdb:${folder}/people.duckdb`, remove: () => rm(folder, { recursive: true }) };
  }));
describeWithServer('postgres', 'PostgreSQL', () =>
  tellsNothing(async () => {
    const database = await (await postgresServer()).createDatabase('hidden_names');
    for (const sql of MAKING) await database.run(sql);
    return { url: database.url, remove: () => database.drop() };
  }),
);
describeWithServer('mariadb', 'MariaDB', () =>
  tellsNothing(async () => {
    const database = await (await mariadbServer()).createDatabase('hidden_names');
    for (const sql of MAKING) await database.run(sql);
    return { url: database.url, remove: () => database.drop() };
  }),
);
