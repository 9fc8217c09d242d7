import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Catalog, outlineCatalog } from '../catalog/index.ts';
import { connect, type Database } from '../database/index.ts';
import { prepareSchemaFacts } from '../faults/index.ts';
import type { DialectName } from '../sql/dialects/dialect.ts';
import { diagnoseSql } from './diagnose-sql.ts';
import { validateSql } from './validate-sql.ts';

const TABLES = [
  'CREATE TABLE Singer (Singer_ID INTEGER PRIMARY KEY, Name VARCHAR, Country VARCHAR, Age INTEGER)',
  'CREATE TABLE Concert (Concert_ID INTEGER PRIMARY KEY, Title VARCHAR, Singer_ID INTEGER, Year INTEGER)',
];

let directory: string;
const databases = new Map<DialectName, { database: Database; catalog: Catalog }>();

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'candor-validation-'));
  const sqlite = new DatabaseSync(join(directory, 'music.db'));
  for (const table of TABLES) sqlite.exec(table);
  sqlite.close();
  const instance = await DuckDBInstance.create(join(directory, 'music.duckdb'));
  const connection = await instance.connect();
  for (const table of TABLES) await connection.run(table);
  connection.closeSync();
  instance.closeSync();
  for (const [dialect, file] of [
    ['sqlite', 'music.db'],
    ['duckdb', 'music.duckdb'],
  ] as const) {
    const database = await connect(`${dialect}:${join(directory, file)}`);
    databases.set(dialect, { database, catalog: await outlineCatalog(database) });
  }
});

afterAll(async () => {
  for (const { database } of databases.values()) await database.close();
  await rm(directory, { recursive: true });
});

function contextOf(dialect: DialectName): { database: Database; catalog: Catalog } {
  const context = databases.get(dialect);
  if (context === undefined) throw new Error(`no database for ${dialect}`);
  return context;
}

describe.each(['sqlite', 'duckdb'] as const)('validateSql on %s', (dialect) => {
  it('passes all four checks, in order', async () => {
    const result = await validateSql(
      'SELECT s.Name, count(*) AS n FROM Singer s JOIN Concert c ON c.Singer_ID = s.Singer_ID GROUP BY s.Name ORDER BY n DESC',
      contextOf(dialect),
    );
    expect(result).toEqual({
      ok: true,
      checks: ['parse', 'read-only', 'names', 'explain'].map((name) => ({ name, passed: true })),
      errors: [],
    });
  });

  it.each([
    ['SELECT Name FROM', 'parse', ['line 1, column 17: expected a table, found the end of the text']],
    ['DROP TABLE Singer', 'read-only', ['a statement that begins with DROP is not a query']],
    [
      'SELECT no_such(Age) FROM Singer',
      'read-only',
      ['the function no_such is not on the list of functions that only compute'],
    ],
    [
      'SELECT nmae FROM singr JOIN Concert ON Concert.titel = 1',
      'names',
      ['no table singr; nearest: Singer', 'no column Concert.titel; nearest: Title'],
    ],
    [
      'SELECT Singer_ID FROM Singer s JOIN Concert c ON s.Agee = c.Year',
      'names',
      ['column Singer_ID is ambiguous: s.Singer_ID, c.Singer_ID', 'no column s.Agee; nearest: Age'],
    ],
  ])('%s fails at %s', async (sql, check, errors) => {
    const result = await validateSql(sql, contextOf(dialect));
    expect(result.ok).toBe(false);
    expect(result.checks.at(-1)).toMatchObject({ name: check, passed: false });
    expect([...result.errors].sort()).toEqual([...errors].sort());
  });

  it('leaves the last word to the engine', async () => {
    const result = await validateSql('SELECT max(count(*)) FROM Singer', contextOf(dialect));
    expect(result.checks.map(({ name, passed }) => `${name} ${passed}`)).toEqual([
      'parse true',
      'read-only true',
      'names true',
      'explain false',
    ]);
    expect(result.errors).toHaveLength(1);
  });

  it('throws what is no verdict on the SQL', async () => {
    const { database, catalog } = contextOf(dialect);
    const signal = AbortSignal.abort();
    await expect(validateSql('SELECT Name FROM Singer', { database, catalog, signal })).rejects.toMatchObject(
      {
        code: 'database.cancelled',
      },
    );
  });
});

describe.each(['sqlite', 'duckdb'] as const)('diagnoseSql with %s behind it', (dialect) => {
  const diagnose = (sql: string) => {
    const { catalog, database } = contextOf(dialect);
    return diagnoseSql(sql, { schema: prepareSchemaFacts(catalog), database });
  };

  it('adds what only the engine finds', async () => {
    const { ok, problems } = await diagnose('SELECT max(count(*)) FROM Singer');
    expect(ok).toBe(false);
    expect(problems).toMatchObject([{ kind: 'refused', severity: 'error' }]);
  });

  it('does not say again what the engine says of a name', async () => {
    const { problems, checks } = await diagnose('SELECT nmae FROM Singer WHERE titel = 1');
    expect(problems.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      'unknown-column no table here has a column nmae',
      'unknown-column no table here has a column titel',
    ]);
    expect(checks.map(({ name, passed }) => `${name} ${passed}`)).toEqual([
      'parse true',
      'read-only true',
      'names false',
      'explain false',
    ]);
  });
});
