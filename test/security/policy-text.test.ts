/** Nothing of an access policy's text, nor of its values, comes out in the names of columns or in what an engine says. */

import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { outlineCatalog } from '../../src/catalog/index.ts';
import { type AccessPolicy, connect, type Database, guarded } from '../../src/database/index.ts';
import { CandorError } from '../../src/errors.ts';
import { describeWithServer, mariadbServer, postgresServer } from '../servers/server-of-run.ts';

const LIMITS = { rows: 100, bytes: 1_000_000, timeoutMs: 20_000 };
const MAKING = [
  'CREATE TABLE people (id INTEGER PRIMARY KEY, name VARCHAR(50), email VARCHAR(50), tenant VARCHAR(20))',
  "INSERT INTO people VALUES (1, 'Ada', 'ada@zxq', 'acme-4711'), (2, 'Bea', 'bea@zxq', 'other'), (3, 'Cid', 'cid@zxq', 'acme-4711')",
  'CREATE TABLE veiled_list (person INTEGER PRIMARY KEY)',
  'INSERT INTO veiled_list VALUES (3)',
  'CREATE TABLE notes (id INTEGER PRIMARY KEY, secret VARCHAR(50), amount DECIMAL(20, 0))',
  "INSERT INTO notes VALUES (1, 'hushed-words', 77665544332211)",
];
const POLICY = {
  visibleTables: ['people'],
  rowFilters: new Map([['people', 'tenant = :tenant AND id NOT IN (SELECT person FROM veiled_list)']]),
  columnMasks: new Map([['people.email', "REPLACE(email, 'zxq', 'wvu')"]]),
};
/** Words of the policy, of its values, and of what is put around them. */
const MARKERS = /4711|veiled|person|zxq|wvu|candor shown|replace\(|not in \(|-1\b|offset/i;

/** Statements whose columns have no name of their own; each engine runs those it can. */
const HEADERS = [
  'SELECT (SELECT MAX(email) FROM people)',
  'SELECT  ( SELECT max( name )  FROM people p ) , 1+1, name FROM people',
  'SELECT EXISTS (SELECT 1 FROM people), 3 IN (SELECT id FROM people), NOT EXISTS (SELECT 1 FROM people WHERE id > 9)',
  'SELECT * FROM (SELECT (SELECT MAX(email) FROM people)) AS t',
  'SELECT t.*, 7 FROM (SELECT (SELECT MAX(email) FROM people), 2) AS t',
  'SELECT (SELECT MAX(name) FROM people) UNION ALL SELECT name FROM people',
  '(SELECT (SELECT MAX(name) FROM people)) UNION SELECT name FROM people',
  'WITH c AS (SELECT (SELECT MAX(email) FROM people), 2) SELECT * FROM c',
  "WITH c AS (SELECT (SELECT MAX(email) FROM people WHERE name <> 'a name which is so long that the whole is longer than 64')) SELECT * FROM c",
  'WITH c AS (SELECT (SELECT MAX(email) FROM people) AS m) SELECT m, (SELECT MIN(m) FROM c) FROM c',
  'SELECT (SELECT MAX(email) FROM people), (SELECT MAX(email) FROM people)',
  'SELECT * FROM (SELECT (SELECT MAX(email) FROM people), (SELECT MAX(email) FROM people)) t',
  'SELECT (SELECT /* said */ MAX(email) -- so\n FROM people)',
  'SELECT (WITH q AS (SELECT * FROM people) SELECT COUNT(*) FROM q)',
  'SELECT CASE WHEN id IN (SELECT id FROM people) THEN (SELECT COUNT(*) FROM people) END FROM people',
  'SELECT COALESCE((SELECT MAX(email) FROM people), name) FROM people ORDER BY 1',
  'SELECT COUNT(*), (SELECT COUNT(*) FROM people) + 1 FROM people GROUP BY (SELECT COUNT(*) FROM people) ORDER BY (SELECT COUNT(*) FROM people)',
  'SELECT (SELECT COUNT(*) FROM people AS o WHERE o.id = people.id) FROM people GROUP BY id HAVING COUNT(*) > 0 ORDER BY 1',
  `SELECT (SELECT MAX(name) FROM people WHERE name <> '${'long '.repeat(60)}')`,
  `SELECT (SELECT MAX(name) FROM people WHERE name <> 'it''s "so" \`said\`')`,
  'SELECT DISTINCT (SELECT MAX(name) FROM people), id FROM people WHERE id IN (SELECT (SELECT MAX(id) FROM people))',
];

/** Statements that the guard lets pass and most engines refuse or fail at. */
const FAILING = [
  'SELECT SUM(name) + ABS(name, 2, 3) FROM people',
  'SELECT CAST(name AS INTEGER) FROM people',
  'SELECT name FROM people GROUP BY id, tenant, email',
  'SELECT MAX(COUNT(*)) FROM people',
  'SELECT (SELECT id, name FROM people) FROM people',
  'SELECT name FROM people WHERE COUNT(*) > 1',
  'SELECT 1 FROM people UNION SELECT 1, 2',
  "SELECT id FROM people WHERE name > 1 AND id + 'x' > 3",
  'SELECT * FROM (SELECT (SELECT MAX(name) FROM people), (SELECT MAX(name) FROM people)) t',
  'SELECT name FROM people ORDER BY 7',
  'SELECT SUBSTR(name) FROM people',
  'SELECT SUBSTR(name)\n, email FROM people WHERE\n SUBSTR(email) = 1',
  'SELECT 10 % 0, id / 0 FROM people',
  "SELECT CAST('a' AS DATE) FROM people",
  'SELECT id * 9223372036854775807 * 9223372036854775807 FROM people',
  'SELECT LENGTH(email) * 9223372036854775807 * 9223372036854775807 FROM people',
  'SELECT EXP(LENGTH(email) * 1000), LENGTH(email) - 9223372036854775807 - 9223372036854775807 FROM people',
  'SELECT id FROM people ORDER BY (SELECT name, id FROM people)',
  'SELECT ROW_NUMBER() OVER (ORDER BY email ROWS BETWEEN 1 FOLLOWING AND 1 PRECEDING) FROM people',
  'SELECT (SELECT id FROM people UNION SELECT 77) FROM people',
  'SELECT SUM(email OVER (ORDER BY id)) FROM people',
  'SELECT id FROM people WHERE (SELECT 1, 2) = email',
  'SELECT MIN(email), name FROM people GROUP BY MIN(email)',
  'SELECT COUNT(DISTINCT id, email, name, tenant) + email FROM people',
];

/** Of masks and filters that fail over what they hide; each engine has those that it can run. */
const FAILING_MASKS = [
  'CAST(secret AS INTEGER)',
  'CAST(secret AS DATE)',
  "CAST(secret || 'x' AS DECIMAL(10, 2))",
  'CAST(amount AS SMALLINT)',
  'amount * 9000000000000000 * 9000000000000000',
  "JSON_EXTRACT('{}', secret)",
  "EXTRACTVALUE('<a/>', CONCAT('~', secret))",
  "'a' SIMILAR TO secret ESCAPE secret",
  "TO_NUMBER(secret, '999')",
  'TO_TSQUERY(secret)',
  'MAKE_DATE(CAST(amount AS INTEGER), 1, 1)',
];
/** What they hide, as engines quote it. */
const HUSHED = /hushed|words|77665544332211/;
/** Words of a statement may be guesses at what is hidden. */
const GUESSING = [
  'SELECT secret FROM notes',
  'SELECT COUNT(*) FROM notes WHERE secret IS NULL',
  "SELECT secret, 'hushed-words', 'hushed-wordsx', 77665544332211 FROM notes",
  'SELECT secret AS hushed, id AS words, id AS "hushed-words", id AS "~hushed-words" FROM notes',
];

interface Engine {
  readonly url: string;
  remove(): Promise<void>;
}

/** `quoting`: how many of the failing masks make the engine quote what they hide. */
function showsNothingOfThePolicy(make: () => Promise<Engine>, quoting: number): void {
  let made: Engine;
  let engine: Database;
  let plain: Database;
  let restricted: Database;
  let under: (policy: AccessPolicy) => Database;
  beforeAll(async () => {
    made = await make();
    engine = await connect(made.url);
    const catalog = await outlineCatalog(engine);
    plain = guarded(engine, { kind: 'caller-queries', catalog });
    const properties = { tenant: 'acme-4711' };
    under = (policy) => guarded(engine, { kind: 'caller-queries', catalog, policy, properties });
    restricted = under(POLICY);
  }, 60_000);
  afterAll(async () => {
    await engine?.close();
    await made?.remove();
  });

  it('has columns named as the statement was written', async () => {
    let compared = 0;
    for (const sql of HEADERS) {
      const expected = await columnsOf(plain, sql);
      if (expected === undefined) continue;
      expect(await columnsOf(restricted, sql), sql).toEqual(expected);
      compared += 1;
    }
    expect(compared).toBeGreaterThan(HEADERS.length * 0.7);
  });

  it('says nothing of the policy when a statement fails', async () => {
    let failed = 0;
    for (const sql of FAILING)
      for (const run of [() => restricted.query(sql, LIMITS), () => restricted.explain(sql)]) {
        const error = await run().then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
        if (error === undefined) continue;
        if (!(error instanceof CandorError)) throw error;
        failed += 1;
        const all = JSON.stringify([error.message, error.data, String(error.cause ?? ''), error.next]);
        const marker = MARKERS.exec(all.replaceAll(JSON.stringify(sql).slice(1, -1), ''));
        expect(marker?.[0], `${sql}: ${all}`).toBeUndefined();
      }
    expect(failed).toBeGreaterThan(10);
  });

  it('quotes no value over which a mask or a filter fails', async () => {
    let quoted = 0;
    for (const mask of FAILING_MASKS) {
      const own = await failureOf(plain.query(`SELECT ${mask} FROM notes`, LIMITS));
      if (own === undefined || !HUSHED.test(own.message)) continue;
      quoted += 1;
      for (const policy of [
        { columnMasks: new Map([['notes.secret', mask]]) },
        { rowFilters: new Map([['notes', `(${mask}) IS NOT NULL`]]) },
      ])
        for (const sql of GUESSING) {
          const error = await failureOf(under(policy).query(sql, LIMITS));
          if (error === undefined) continue;
          expect(error.code, sql).toBe('database.query-failed');
          const all = JSON.stringify([error.message, { ...error.data, sql: '' }, String(error.cause ?? '')]);
          expect(all, `${mask}: ${sql}`).not.toMatch(HUSHED);
        }
    }
    expect(quoted).toBe(quoting);
  });
}

async function failureOf(run: Promise<unknown>): Promise<CandorError | undefined> {
  try {
    await run;
    return undefined;
  } catch (error) {
    if (error instanceof CandorError) return error;
    throw error;
  }
}

async function columnsOf(database: Database, sql: string): Promise<readonly string[] | undefined> {
  try {
    return (await database.query(sql, LIMITS)).columns;
  } catch (error) {
    if (error instanceof CandorError && /query-failed|parse-failed|not-/.test(error.code)) return undefined;
    throw error;
  }
}

describe('SQLite', () =>
  showsNothingOfThePolicy(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'candor-policy-text-'));
    const file = new DatabaseSync(join(folder, 'people.db'));
    for (const sql of MAKING) file.exec(sql);
    file.close();
    return { url: `sqlite:${folder}/people.db`, remove: () => rm(folder, { recursive: true }) };
  }, 1));
describe('DuckDB', () =>
  showsNothingOfThePolicy(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'candor-policy-text-'));
    const instance = await DuckDBInstance.create(join(folder, 'people.duckdb'));
    const connection = await instance.connect();
    for (const sql of MAKING) await connection.run(sql);
    connection.closeSync();
    instance.closeSync();
    return { url: `duckdb:${folder}/people.duckdb`, remove: () => rm(folder, { recursive: true }) };
  }, 5));
describeWithServer('postgres', 'PostgreSQL', () =>
  showsNothingOfThePolicy(async () => {
    const database = await (await postgresServer()).createDatabase('policy_text');
    for (const sql of MAKING) await database.run(sql);
    return { url: database.url, remove: () => database.drop() };
  }, 3),
);
// MariaDB gives NULL and a warning where others fail.
describeWithServer('mariadb', 'MariaDB', () =>
  showsNothingOfThePolicy(async () => {
    const database = await (await mariadbServer()).createDatabase('policy_text');
    for (const sql of MAKING) await database.run(sql);
    return { url: database.url, remove: () => database.drop() };
  }, 0),
);
