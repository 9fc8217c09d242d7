/** Kinds of broken queries on real engines, with the words of each engine: what is mended gives the rows that were meant. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixQuery, runSql } from '../../src/answering/index.ts';
import { projectConfig } from '../../src/config/index.ts';
import { openSession } from '../../src/session/project/open-session.ts';
import type { Session } from '../../src/session/project/session.ts';
import { describeWithServer, mariadbServer, postgresServer } from '../servers/server-of-run.ts';

type Rows = readonly (readonly unknown[])[];

/** The query, the rows of the mended one, and what it says. */
type Mended = readonly [kind: string, sql: string, rows: Rows, says?: RegExp | undefined];
/** The query, and what is offered for it. */
type Offered = readonly [kind: string, sql: string, means: readonly string[]];

const tablesOf = (date: string): readonly string[] => [
  'CREATE TABLE families (id INTEGER PRIMARY KEY, name VARCHAR(40))',
  `CREATE TABLE plants (id INTEGER PRIMARY KEY, name VARCHAR(40), height INTEGER, planted_on ${date},
    family_id INTEGER, FOREIGN KEY (family_id) REFERENCES families (id))`,
  `CREATE TABLE waterings (id INTEGER PRIMARY KEY, plant_id INTEGER, litres INTEGER, watered_on ${date},
    FOREIGN KEY (plant_id) REFERENCES plants (id))`,
  "INSERT INTO families VALUES (1, 'rose'), (2, 'mint')",
  `INSERT INTO plants VALUES (1, 'apple', 300, '2024-03-01', 1), (2, 'sage', 60, '2024-03-01', 2),
    (3, 'thyme', NULL, '2024-04-10', 2)`,
  `INSERT INTO waterings VALUES (1, 1, 5, '2024-03-05'), (2, 1, 7, '2024-04-01'), (3, 2, 1, '2024-03-20'),
    (4, 3, 2, '2024-04-10')`,
];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'candor-fix-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Bench {
  readonly session: Session;
  /** What the engine itself says against a query; undefined where it runs it. */
  complaint(sql: string): Promise<string | undefined>;
  close(): Promise<void>;
}

async function openBench(url: string, run: (sql: string) => Promise<unknown>, close: () => Promise<void>) {
  const home = mkdtempSync(join(folder, 'project-'));
  const session = await openSession(projectConfig(home, url));
  return {
    session,
    complaint: (sql: string) =>
      run(sql).then(
        () => undefined,
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      ),
    close: async () => {
      await session.close();
      await close();
    },
  };
}

function behavesLikeFixer(
  open: () => Promise<Bench>,
  { mended, offered }: { readonly mended: readonly Mended[]; readonly offered: readonly Offered[] },
): void {
  let bench: Bench;
  beforeAll(async () => {
    bench = await open();
  }, 120_000);
  afterAll(() => bench.close());

  const toMend = mended.map(([kind, sql, rows, says]) => ({ kind, sql, rows, says }));
  it.each(toMend)('mends $kind: $sql', async ({ sql, rows, says }) => {
    const engineError = await bench.complaint(sql);
    expect(engineError).toBeDefined();
    const fix = await fixQuery(sql, bench.session, { engineError });
    expect(fix).toMatchObject({ ok: true, left: [] });
    const outcome = await runSql(fix.repaired ?? '', bench.session);
    expect(outcome).toMatchObject({ kind: 'answered' });
    expect(outcome.kind === 'answered' && outcome.rows).toEqual(rows);
    if (says !== undefined) expect(fix.repaired).toMatch(says);
  });

  const toOffer = offered.map(([kind, sql, means]) => ({ kind, sql, means }));
  it.each(toOffer)('offers $kind: $sql', async ({ sql, means }) => {
    const engineError = await bench.complaint(sql);
    expect(engineError).toBeDefined();
    const fix = await fixQuery(sql, bench.session, { engineError });
    expect(fix).toMatchObject({ ok: false });
    expect(fix.repaired).toBeUndefined();
    expect(fix.offers?.map((offer) => offer.means)).toEqual(means);
    for (const offer of fix.offers ?? []) expect(await bench.complaint(offer.sql)).toBeUndefined();
  });
}

const ALL_MENDED: readonly Mended[] = [
  ['a misspelling', 'SELECT nmae FROM plants WHERE height = 60', [['sage']]],
  ['quotes of a word processor', 'SELECT name FROM plants WHERE name = ‘sage’', [['sage']]],
  ['a comma before FROM', 'SELECT name,\nFROM families WHERE id = 2', [['mint']], /SELECT name\nFROM/],
  [
    'a window in WHERE',
    'SELECT p.name, p.id FROM plants p WHERE p.id > 1 AND ROW_NUMBER() OVER (ORDER BY p.id DESC) <= 1 ORDER BY p.id',
    [['thyme', 3]],
  ],
];

const ALL_OFFERED: readonly Offered[] = [
  [
    'the tables that have a column',
    'SELECT name FROM plants JOIN families ON families.id = plants.family_id',
    ['name is that of plants', 'name is that of families'],
  ],
  [
    'a table that is never joined',
    'SELECT f.name, COUNT(*) AS n FROM plants p GROUP BY f.name',
    ['f is families, joined by plants.family_id = families.id', 'f is p'],
  ],
];

const WITHOUT_QUALIFY: Mended = [
  'QUALIFY',
  `SELECT p.name, w.litres FROM plants p JOIN waterings w ON w.plant_id = p.id
    QUALIFY ROW_NUMBER() OVER (PARTITION BY p.id ORDER BY w.watered_on DESC) = 1 ORDER BY p.name`,
  [
    ['apple', 7],
    ['sage', 1],
    ['thyme', 2],
  ],
];

describe('SQLite', () => {
  behavesLikeFixer(
    async () => {
      const path = join(folder, 'garden.db');
      const database = new DatabaseSync(path);
      for (const statement of tablesOf('TEXT')) database.exec(statement);
      return openBench(
        `sqlite:${path}`,
        async (sql) => database.prepare(sql).all(),
        async () => database.close(),
      );
    },
    {
      mended: [
        ...ALL_MENDED,
        WITHOUT_QUALIFY,
        [
          'TOP, without a place for NULL that nobody wrote',
          'SELECT TOP 1 name FROM plants ORDER BY height DESC',
          [['apple']],
          /DESC LIMIT 1$/,
        ],
        [
          'DATEADD over dates that are texts',
          'SELECT w.id FROM waterings w JOIN plants p ON p.id = w.plant_id WHERE w.watered_on = DATEADD(day, 19, p.planted_on)',
          [[3]],
          /DATE\(p\.planted_on, '\+19 days'\)/,
        ],
        ['ISNULL of two', 'SELECT ISNULL(height, 0) FROM plants WHERE id = 3', [[0]], /COALESCE/],
        ['ILIKE', "SELECT name FROM plants WHERE name ILIKE 'SA%'", [['sage']]],
        ['a cast with ::', "SELECT name FROM plants WHERE planted_on::date > '2024-04-01'", [['thyme']]],
        [
          'DATE_TRUNC',
          "SELECT DATE_TRUNC('month', planted_on) AS m, COUNT(*) FROM plants GROUP BY 1 ORDER BY 1",
          [
            ['2024-03-01', 2],
            ['2024-04-01', 1],
          ],
        ],
      ],
      offered: ALL_OFFERED,
    },
  );
});

describe('DuckDB', () => {
  behavesLikeFixer(
    async () => {
      const path = join(folder, 'garden.duckdb');
      const made = await DuckDBInstance.create(path);
      const writer = await made.connect();
      for (const statement of tablesOf('DATE')) await writer.run(statement);
      writer.closeSync();
      made.closeSync();
      // The file is one process's; its words come from a copy in memory.
      const memory = await DuckDBInstance.create();
      const reader = await memory.connect();
      for (const statement of tablesOf('DATE')) await reader.run(statement);
      return openBench(
        `duckdb:${path}`,
        (sql) => reader.runAndReadAll(sql),
        async () => {
          reader.closeSync();
          memory.closeSync();
        },
      );
    },
    {
      mended: [
        ALL_MENDED[0]!,
        ALL_MENDED[3]!,
        ['TOP', 'SELECT TOP 1 name FROM families ORDER BY id', [['rose']], /ORDER BY id LIMIT 1$/],
        ['IFNULL of SQL Server', 'SELECT ISNULL(height, 0) FROM plants WHERE id = 3', [[0]]],
        ['DATE_FORMAT', "SELECT DATE_FORMAT(planted_on, '%Y-%m') FROM plants WHERE id = 3", [['2024-04']]],
        [
          'a group that lacks a column',
          'SELECT family_id, COUNT(*) FROM plants WHERE family_id = 1',
          [[1, 1]],
        ],
      ],
      offered: [
        ...ALL_OFFERED,
        [
          'the key for a JOIN without ON',
          'SELECT w.litres FROM waterings w JOIN plants p WHERE p.height > 100',
          ['p is joined by w.plant_id = p.id, a declared key'],
        ],
      ],
    },
  );
});

describeWithServer('postgres', 'PostgreSQL', () => {
  behavesLikeFixer(
    async () => {
      const server = await postgresServer();
      const database = await server.createDatabase('fix');
      for (const statement of tablesOf('DATE')) await database.run(statement);
      await database.run('CREATE TABLE "Pots" (id INTEGER PRIMARY KEY, "plantId" INTEGER, "Size" INTEGER)');
      await database.run('INSERT INTO "Pots" VALUES (1, 1, 40), (2, 3, 10)');
      return openBench(
        database.url,
        (sql) => database.run(sql),
        () => database.drop(),
      );
    },
    {
      mended: [
        ...ALL_MENDED,
        WITHOUT_QUALIFY,
        ['TOP', 'SELECT TOP 1 name FROM families ORDER BY id DESC', [['mint']], /DESC LIMIT 1$/],
        [
          'ISNULL and GETDATE',
          'SELECT ISNULL(height, 0) FROM plants WHERE id = 3 AND GETDATE() > planted_on',
          [[0]],
        ],
        [
          'GROUP_CONCAT beside names in double quotes',
          'SELECT GROUP_CONCAT("name" SEPARATOR \'+\') FROM families',
          [['rose+mint']],
        ],
        [
          'an alias in HAVING',
          'SELECT plant_id, SUM(litres) AS total FROM waterings GROUP BY plant_id HAVING total > 5',
          [[1, 12]],
        ],
        [
          'names of capital letters without quotes',
          'SELECT p.plantId, size FROM pots p WHERE p.Size > 20',
          [[1, 40]],
          /SELECT p\."plantId", "Size" FROM "Pots" p WHERE p\."Size"/,
        ],
        ['backticks', 'SELECT `name` FROM `families` WHERE `id` = 1', [['rose']]],
      ],
      offered: [
        ...ALL_OFFERED,
        [
          'the key for a JOIN without ON',
          'SELECT w.litres FROM waterings w JOIN plants p WHERE p.height > 100',
          ['p is joined by w.plant_id = p.id, a declared key'],
        ],
      ],
    },
  );
});

describeWithServer('mariadb', 'MariaDB', () => {
  let timedOut: string | undefined;
  let session: Session;
  behavesLikeFixer(
    async () => {
      const server = await mariadbServer();
      const database = await server.createDatabase('fix');
      for (const statement of tablesOf('DATE')) await database.run(statement);
      const bench = await openBench(
        database.url,
        (sql) => database.run(sql),
        () => database.drop(),
      );
      session = bench.session;
      timedOut = await bench.complaint(
        'SET STATEMENT max_statement_time = 0.05 FOR SELECT SLEEP(0.5), COUNT(*) FROM plants a, plants b',
      );
      return bench;
    },
    {
      mended: [
        ALL_MENDED[0]!,
        ALL_MENDED[2]!,
        ALL_MENDED[3]!,
        WITHOUT_QUALIFY,
        ['TOP', 'SELECT TOP 1 name FROM plants ORDER BY height DESC', [['apple']], /DESC LIMIT 1$/],
        ['a cast with ::', "SELECT name FROM plants WHERE planted_on::date > '2024-04-01'", [['thyme']]],
        ['STRING_AGG', "SELECT STRING_AGG(name, '+') FROM families", [['rose+mint']]],
        ['ILIKE', "SELECT name FROM plants WHERE name ILIKE 'SA%'", [['sage']]],
      ],
      offered: ALL_OFFERED,
    },
  );

  it('says what to do where a query takes longer than it may', async () => {
    expect(timedOut).toContain('max_statement_time');
    const fix = await fixQuery('SELECT COUNT(*) FROM plants a JOIN plants b', session, {
      engineError: timedOut,
    });
    expect(fix).toMatchObject({ ok: false, changes: [], engine: { kind: 'timeout' } });
    expect(fix.next).toMatch(/Read less.*more time/);
  });
});
