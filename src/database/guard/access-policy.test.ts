/** Policies on real engines: what is refused, and what neither rows nor errors may tell. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CandorError } from '../../errors.ts';
import type { SessionProperties } from '../../sql/rewrite/index.ts';
import { connect } from '../connect/connect.ts';
import type { Database } from '../interface/database.ts';
import type { AccessPolicy, VisibleCatalog, VisibleTable } from './access-policy.ts';
import type { CallerQueries } from './create-gate.ts';
import { guarded } from './guard.ts';

const LIMITS = { rows: 100, bytes: 100_000, timeoutMs: 20_000 };

function view(name: string, columns: readonly string[]): VisibleTable {
  return {
    id: name,
    name,
    columns: columns.map((column) => ({ id: `${name}.${column}`, name: column, type: 'VARCHAR' })),
  };
}

function table(name: string, columns: readonly string[]): VisibleTable {
  return { ...view(name, columns), ownsRows: true };
}

const CATALOG: VisibleCatalog = {
  tables: [
    table('people', ['id', 'tenant', 'name', 'email']),
    table('rights', ['tenant', 'caller']),
    table('notes', ['id', 'text']),
    table('amounts', ['tenant', 'amount']),
    view('people_view', ['id', 'name']),
  ],
};
/** The rights stand in a table of their own: the filter is a query, which engines like to try last. */
const POLICY: AccessPolicy = {
  visibleTables: ['people', 'notes', 'people_view'],
  rowFilters: new Map([
    ['people', 'EXISTS (SELECT 1 FROM rights AS r WHERE r.tenant = people.tenant AND r.caller = :caller)'],
  ]),
  columnMasks: new Map([['people.email', 'NULL']]),
};
const OPTIONS: CallerQueries = {
  kind: 'caller-queries',
  catalog: CATALOG,
  policy: POLICY,
  properties: { caller: "it's me" },
};
const STATEMENTS = [
  'CREATE TABLE people (id VARCHAR, tenant VARCHAR, name VARCHAR, email VARCHAR)',
  `INSERT INTO people VALUES ('1', 'mine', '1', '11'), ('2', 'between', 'Foreign Name', '22'), ('3', 'mine', '3', '33')`,
  'CREATE TABLE rights (tenant VARCHAR, caller VARCHAR)',
  `INSERT INTO rights VALUES ('mine', 'it''s me'), ('a', 'it''s me'), ('z', 'it''s me'), ('between', 'another')`,
  'CREATE TABLE notes (id VARCHAR, text VARCHAR)',
  `INSERT INTO notes VALUES ('1', 'a')`,
  'CREATE TABLE amounts (tenant VARCHAR, amount INTEGER)',
  `INSERT INTO amounts VALUES ('mine', 5), ('between', 7000)`,
  'CREATE VIEW people_view AS SELECT id, name FROM people',
];

let folder: string;
const open = new Map<string, Database>();
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'candor-policy-'));
  const sqlite = new DatabaseSync(join(folder, 'sqlite'));
  for (const sql of STATEMENTS) sqlite.exec(sql);
  sqlite.close();
  const instance = await DuckDBInstance.create(join(folder, 'duckdb'));
  const connection = await instance.connect();
  for (const sql of STATEMENTS) await connection.run(sql);
  connection.closeSync();
  instance.closeSync();
  for (const engine of ['sqlite', 'duckdb'])
    open.set(engine, await connect(`${engine}:${join(folder, engine)}`));
});
afterAll(async () => {
  for (const database of open.values()) await database.close();
  rmSync(folder, { recursive: true });
});

function databaseOf(engine: string, options: Partial<CallerQueries> = {}): Database {
  const database = open.get(engine);
  if (database === undefined) throw new Error(engine);
  return guarded(database, { ...OPTIONS, ...options });
}

async function rowsOf(database: Database, sql: string): Promise<readonly unknown[]> {
  return (await database.query(sql, LIMITS)).rows;
}

async function refusalOf(run: () => unknown): Promise<CandorError> {
  try {
    await run();
  } catch (error) {
    if (error instanceof CandorError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe.each(['sqlite', 'duckdb'])('a policy on %s', (engine) => {
  it('shows own rows and masked values', async () => {
    const found = await rowsOf(databaseOf(engine), 'SELECT * FROM people ORDER BY id');
    expect(found).toEqual([
      ['1', 'mine', '1', null],
      ['3', 'mine', '3', null],
    ]);
  });

  it.each([
    'SELECT COUNT(*) FROM people WHERE CAST(JSON(name) AS VARCHAR) IS NOT NULL',
    "SELECT COUNT(*) FROM people WHERE JSON_EXTRACT(name, '$.a') IS NULL",
    'SELECT COUNT(*) FROM people AS p JOIN notes AS n ON CAST(JSON(p.name) AS VARCHAR) = n.id',
    'SELECT COUNT(*) FROM people GROUP BY CAST(JSON(name) AS VARCHAR)',
    ...(engine === 'duckdb' ? ['SELECT COUNT(*) FROM people WHERE CAST(name AS INTEGER) > 0'] : []),
  ])('tries nothing on rows that are hidden, so that no error tells of them: %s', async (sql) => {
    const rows = await rowsOf(databaseOf(engine), sql);
    expect(rows.length).toBeGreaterThan(0);
    // The same on all rows is an error, else this would prove nothing.
    await expect(open.get(engine)?.query(sql, LIMITS)).rejects.toThrow(CandorError);
  });

  it('refuses a view over a restricted table unless it is trusted', async () => {
    const sql = 'SELECT name FROM people_view';
    expect((await refusalOf(() => databaseOf(engine).query(sql, LIMITS))).code).toBe('database.not-visible');
    const trusting = databaseOf(engine, { policy: { ...POLICY, trustedViews: ['people_view'] } });
    expect(await rowsOf(trusting, sql)).toHaveLength(3);
    // Without restrictions a view is a table like any other.
    expect(await rowsOf(databaseOf(engine, { policy: {} }), sql)).toHaveLength(3);
  });

  it('refuses tables that are not visible, though its own filters read them', async () => {
    const found = await refusalOf(() => databaseOf(engine).query('SELECT * FROM rights', LIMITS));
    expect(found.code).toBe('database.not-visible');
    expect(found.message).toBe('The SQL is refused: rights is not visible: there is no such table.');
  });

  it.each<SessionProperties>([{}, { Caller: 'x' }])(
    'refuses a restricted table when its property is missing: %o',
    async (properties) => {
      const database = databaseOf(engine, { properties });
      const found = await refusalOf(() => database.query('SELECT id FROM people', LIMITS));
      expect([found.code, found.message]).toEqual([
        'database.policy-invalid',
        'The access policy cannot be applied to people: the session has no property caller.',
      ]);
      expect(await rowsOf(database, 'SELECT id FROM notes')).toHaveLength(1);
    },
  );

  it.each(["it's me' OR '1' = '1", "it''s me", "x') OR (1=1", 'x\n) -- ', '"'])(
    'takes a property for a text, whatever stands in it: %j',
    async (caller) => {
      expect(await rowsOf(databaseOf(engine, { properties: { caller } }), 'SELECT id FROM people')).toEqual(
        [],
      );
    },
  );

  it('refuses what it cannot restrict', async () => {
    const sql = "WITH rights AS (SELECT 'between' AS tenant, 'x' AS caller) SELECT name FROM people, rights";
    const found = await refusalOf(() => databaseOf(engine).query(sql, LIMITS));
    expect([found.code, found.message]).toEqual([
      'database.not-restrictable',
      'The SQL reads tables that are restricted for you, in a way that cannot be restricted: no common table expression may be called rights here; give it another name.',
    ]);
  });

  it('plans what it would run', async () => {
    const found = await refusalOf(() => databaseOf(engine).explain('SELECT id FROM rights'));
    expect(found.code).toBe('database.not-visible');
    await expect(databaseOf(engine).explain('SELECT id FROM people')).resolves.toBeDefined();
  });

  it('shows the schema of what is visible alone', async () => {
    const { tables } = await databaseOf(engine).readSchema();
    expect(tables.map(({ name }) => name).sort()).toEqual(['notes', 'people']);
    const all = await databaseOf(engine, { policy: {} }).readSchema();
    expect(all.tables).toHaveLength(5);
  });

  it.each<[string, AccessPolicy, string]>([
    ['an unknown table', { rowFilters: new Map([['poeple', '1 = 1']]) }, 'poeple'],
    ['an unknown visible table', { visibleTables: ['poeple'] }, 'poeple'],
    ['an unknown column', { columnMasks: new Map([['people.mail', 'NULL']]) }, 'people.mail'],
    ['a filter on what is not there', { rowFilters: new Map([['people', 'mandant = :tenant']]) }, 'mandant'],
    [
      'a filter that leaves its brackets',
      { rowFilters: new Map([['people', '1 = 1) OR (2 = 2']]) },
      'no condition',
    ],
    [
      'a filter that is two statements',
      { rowFilters: new Map([['people', '1 = 1); DROP TABLE t; --']]) },
      'parse',
    ],
    ['a mask of two values', { columnMasks: new Map([['people.name', 'id, name']]) }, 'no condition'],
    [
      'a mask that reads files',
      { columnMasks: new Map([['people.name', "load_extension('x')"]]) },
      'load_extension',
    ],
  ])('does not open with %s', async (_, policy, named) => {
    const found = await refusalOf(() => databaseOf(engine, { policy }));
    expect(found.code).toBe('database.policy-invalid');
    expect(found.message).toContain(named);
  });
});

describe('what an engine knows of all rows', () => {
  const policy: AccessPolicy = { rowFilters: new Map([['amounts', "tenant = 'mine'"]]) };

  it('shows in no plan', async () => {
    const database = databaseOf('duckdb', { policy });
    expect(await database.explain('SELECT * FROM amounts WHERE amount > 6000')).toEqual({});
    expect(await database.explain('SELECT * FROM notes')).not.toEqual({});
  });

  it.each([6_000, 8_000])('decides of no error: amount > %i', async (least) => {
    // Beyond the largest value of all rows DuckDB would know the answer without trying the cast.
    const sql = `SELECT MAX(CAST(tenant AS INTEGER) > 0 AND amount > ${least}) FROM amounts`;
    const found = await refusalOf(() => databaseOf('duckdb', { policy }).query(sql, LIMITS));
    // The error is of a row that may be seen; its value is that of the filter, which no message quotes.
    expect(found.message).toContain('quotes what your access policy puts into it');
  });

  it('stands in no refusal of a plan', async () => {
    const database = databaseOf('duckdb', { policy, planCaps: { maxPlanRows: 0 } });
    const found = await refusalOf(() => database.query('SELECT * FROM amounts', LIMITS));
    expect(found.message).toBe('The engine expects too many rows; maxPlanRows allows 0.');
    expect(found.data).not.toHaveProperty('expected');
  });
});

describe('caps on the plan', () => {
  it('refuse what the engine expects to be too much, before it runs', async () => {
    const database = databaseOf('duckdb', { policy: {}, planCaps: { maxPlanRows: 2 } });
    const { rows = 0 } = await databaseOf('duckdb', { policy: {} }).explain('SELECT * FROM people');
    expect(rows).toBeGreaterThan(2);
    const found = await refusalOf(() => database.query('SELECT * FROM people', LIMITS));
    expect([found.code, found.message]).toEqual([
      'database.too-expensive',
      `The engine expects ${rows} rows; maxPlanRows allows 2.`,
    ]);
    expect(await rowsOf(database, 'SELECT * FROM notes')).toHaveLength(1);
  });

  it('refuse when the engine gives no such estimate', async () => {
    const database = databaseOf('sqlite', { policy: {}, planCaps: { maxPlanBytes: 1_000 } });
    const found = await refusalOf(() => database.query('SELECT * FROM notes', LIMITS));
    expect(found.message).toBe('The engine gives no estimate of bytes read; maxPlanBytes allows 1,000.');
  });
});
