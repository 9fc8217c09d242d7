/** The same table, profiled by four engines: the figures are worked out by hand and hold for all of them. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEngine } from '../../bench/open-engine.ts';
import { outlineCatalog, type ProfiledTable, profileTable, type Table } from '../../src/catalog/index.ts';
import { connect, type Database, guarded } from '../../src/database/index.ts';
import { describeWithServer, mariadbServer, postgresServer } from '../servers/server-of-run.ts';

interface Made {
  readonly database: Database;
  readonly table: Table;
}

const ENGINES = ['sqlite', 'duckdb', 'postgres', 'mariadb'] as const;
type Engine = (typeof ENGINES)[number];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'candor-profiles-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Rows 1 to `rows`: how each engine makes a table of numbers from which all else is selected. */
const NUMBERS: Readonly<Record<Engine, (rows: number) => { head: string; from: string }>> = {
  sqlite: (rows) => ({
    head: `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows}) `,
    from: 'n',
  }),
  duckdb: (rows) => ({ head: '', from: `range(1, ${rows} + 1) AS n(i)` }),
  postgres: (rows) => ({ head: '', from: `generate_series(1, ${rows}) AS n(i)` }),
  mariadb: (rows) => ({ head: '', from: `(SELECT seq AS i FROM seq_1_to_${rows}) AS n` }),
};
const QUOTES: Readonly<Record<Engine, string>> = { sqlite: '"', duckdb: '"', postgres: '"', mariadb: '`' };

/** A table `Order Lines` with a column of every kind. */
function orderLines(engine: Engine, rows: number): readonly string[] {
  const { head, from } = NUMBERS[engine](rows);
  const name = (text: string) => QUOTES[engine] + text + QUOTES[engine];
  const day = `CONCAT('2024-01-', CASE WHEN i % 20 < 10 THEN '0' ELSE '1' END, i % 10)`;
  return [
    `CREATE TABLE ${name('Order Lines')} (${name('Line Id')} INTEGER PRIMARY KEY, price DOUBLE PRECISION,
       amount DECIMAL(10, 2), day DATE, state VARCHAR(20), code VARCHAR(20), email VARCHAR(60), gone VARCHAR(5))`,
    `INSERT INTO ${name('Order Lines')} ${head}SELECT i, i * 1.5, i, CASE WHEN i % 10 = 0 THEN NULL ELSE CAST(${day} AS ${engine === 'sqlite' ? 'TEXT' : 'DATE'}) END,
       CASE WHEN i % 5 = 0 THEN NULL WHEN i % 2 = 0 THEN 'OPEN' ELSE 'PAID' END,
       CONCAT('AB-', 100000 + i), CONCAT('a', i, '@example.org'), NULL FROM ${from}`,
  ];
}

async function make(engine: Engine, rows: number): Promise<Made> {
  const statements = orderLines(engine, rows);
  const url = await (async () => {
    if (engine === 'sqlite' || engine === 'duckdb') {
      const opened = await openEngine(engine, folder);
      if ('missing' in opened) throw new Error(opened.missing);
      return opened.make(`lines-${rows}`, statements);
    }
    const server = await (engine === 'postgres' ? postgresServer() : mariadbServer());
    const made = await server.createDatabase('profiles');
    for (const statement of statements) await made.run(statement);
    return made.url;
  })();
  const database = guarded(await connect(url), { kind: 'own-queries' });
  const [table] = (await outlineCatalog(database)).tables;
  if (table === undefined) throw new Error('no table was made');
  return { database, table };
}

const profileOf = ({ table }: ProfiledTable, name: string) => {
  const column = table.columns.find((candidate) => candidate.id === `order lines.${name}`);
  if (column?.profile === undefined) throw new Error(`no profile of ${name}`);
  return column.profile;
};

function behavesLikeProfiles(engine: Engine): void {
  let made: Made;
  let whole: ProfiledTable;
  beforeAll(async () => {
    made = await make(engine, 1000);
    whole = await profileTable(made.database, made.table);
  }, 60_000);
  afterAll(() => made?.database.close());

  it('counts rows, missing and distinct values', () => {
    expect(whole.table.rowCount).toBe(1000);
    const counts = whole.table.columns.map(({ name, profile }) => [
      name,
      profile?.nullCount,
      profile?.distinctCount,
    ]);
    expect(counts).toEqual([
      ['Line Id', 0, 1000],
      ['price', 0, 1000],
      ['amount', 0, 1000],
      // 01 to 19 without the multiples of ten: 18 days.
      ['day', 100, 18],
      // Of 1000, 200 are multiples of five.
      ['state', 200, 2],
      ['code', 0, 1000],
      ['email', 0, 1000],
      ['gone', 1000, 0],
    ]);
    expect(profileOf(whole, 'price')).toMatchObject({ scannedRows: 1000, countedRows: 1000 });
    expect(profileOf(whole, 'price').sampledBy).toBeUndefined();
  });

  it('knows ranges, means, quartiles and bins of numbers', () => {
    // 1.5, 3, …, 1500: the value at 10 % is the 100th.
    expect(profileOf(whole, 'price')).toMatchObject({
      min: '1.5',
      max: '1500',
      statistics: {
        mean: 750.75,
        quartiles: ['375', '750', '1125'],
        histogram: ['1.5', '150', '300', '450', '600', '750', '900', '1050', '1200', '1350', '1500'],
      },
    });
    expect(profileOf(whole, 'amount')).toMatchObject({
      min: '1',
      max: '1000',
      statistics: { mean: 500.5, quartiles: ['250', '500', '750'] },
    });
  });

  it('knows ranges and quartiles of days', () => {
    // Each of the 18 days 50 times: the 225th of 900 is the 5th day, the 450th the 9th, the 675th the 14th.
    expect(profileOf(whole, 'day')).toMatchObject({
      min: '2024-01-01',
      max: '2024-01-19',
      semanticClass: 'temporal',
      statistics: { quartiles: ['2024-01-05', '2024-01-09', '2024-01-15'] },
    });
  });

  it('knows the most frequent texts, their length and form', () => {
    expect(profileOf(whole, 'state')).toMatchObject({
      examples: ['OPEN', 'PAID'],
      pattern: 'code',
      semanticClass: 'category',
      statistics: {
        topValues: [
          { value: 'OPEN', count: 400 },
          { value: 'PAID', count: 400 },
        ],
        lengths: { min: 4, mean: 4, max: 4 },
        shape: { form: 'AAAA', share: 1 },
      },
    });
    expect(profileOf(whole, 'code')).toMatchObject({
      semanticClass: 'identifier_like_text',
      statistics: { shape: { form: 'AA-9+', share: 1 }, lengths: { min: 9, max: 9 } },
    });
    expect(profileOf(whole, 'code').statistics?.topValues).toHaveLength(20);
  });

  it('keeps the values of texts, and withholds what is personal', () => {
    const kept = whole.values.map(({ columnId, distinctCount, values, use }) => [
      columnId,
      distinctCount,
      values.length,
      use,
    ]);
    expect(kept.filter(([, , , use]) => use !== 'literal')).toEqual([
      ['order lines.state', 2, 2, 'similar'],
      ['order lines.code', 1000, 1000, 'similar'],
      ['order lines.email', expect.any(Number), 0, 'none'],
    ]);
    expect(profileOf(whole, 'email')).toMatchObject({
      examples: [],
      pii: { kind: 'email', isWithheld: true },
      statistics: { lengths: { min: 14, max: 17 } },
    });
    expect(JSON.stringify(whole)).not.toContain('@example.org');
  });

  it('keeps personal values where that is allowed', async () => {
    const pii = { policy: 'withhold', allow: new Set(['order lines.email']) } as const;
    const kept = await profileTable(made.database, made.table, { pii });
    expect(profileOf(kept, 'email')).toMatchObject({
      pii: { isWithheld: false },
      examples: expect.any(Array),
    });
    expect(kept.values.map(({ columnId }) => columnId)).toContain('order lines.email');
  });

  it('does not read a column that is opted out', async () => {
    const statements: string[] = [];
    const heard: Database = {
      ...made.database,
      query: (sql, ...rest) => {
        statements.push(sql);
        return made.database.query(sql, ...rest);
      },
    };
    const skipColumns = new Set(['order lines.email', 'order lines.code']);
    const partly = await profileTable(heard, made.table, { skipColumns });
    expect(statements.join(' ')).not.toMatch(/email|code/);
    expect(partly.table.columns.map(({ profile }) => profile === undefined)).toEqual([
      ...[false, false, false, false, false],
      ...[true, true, false],
    ]);
  });

  it('samples a large table and says so', async () => {
    const large = await make(engine, 30_000);
    const statements: string[] = [];
    const heard: Database = {
      ...large.database,
      query: (sql, ...rest) => {
        statements.push(sql);
        return large.database.query(sql, ...rest);
      },
    };
    const sampled = await profileTable(heard, large.table);
    await large.database.close();
    const { scannedRows, countedRows, sampledBy, distinctEstimate, min, max, statistics } = profileOf(
      sampled,
      'price',
    );
    expect({ countedRows, min, max }).toEqual({ countedRows: 30_000, min: '1.5', max: '45000' });
    expect(sampledBy).toMatch(/^random (blocks|rows)$/);
    expect(scannedRows).toBeGreaterThan(5_000);
    expect(scannedRows).toBeLessThan(20_000);
    // Every value stands there once, in the sample and in the table.
    expect(distinctEstimate).toBe(30_000);
    expect(Number(statistics?.quartiles?.[1])).toBeGreaterThan(15_000);
    expect(Number(statistics?.quartiles?.[1])).toBeLessThan(30_000);
    // The texts are of all rows, since questions may name them: 24,000 rows, 6,000 are multiples of five.
    expect(profileOf(sampled, 'state')).toMatchObject({
      scannedRows: 30_000,
      statistics: { topValues: [{ count: 12_000 }, { count: 12_000 }] },
    });
    // Rows, summary, the groups of the sample, those of the two columns of text that are not withheld, and the values of
    // the numbers and dates that have few.
    expect(statements).toHaveLength(6);
  }, 60_000);

  it('does not count a table that is very large by its estimate', async () => {
    const grown = { ...made.table, estimatedRows: 20_000_000 };
    const { table } = await profileTable(made.database, grown);
    // A twentieth of 1000 rows; where that is none of its few blocks, the table is counted.
    const isEstimated = table.isRowCountEstimated === true;
    expect(table.rowCount).toBe(isEstimated ? 20_000_000 : 1000);
    expect(isEstimated ? table.columns[0]?.profile?.countedRows : 1).toBeGreaterThan(0);
  });

  it('reads no more rows than it may', async () => {
    const few = await profileTable(made.database, made.table, { maxRows: 200 });
    const { countedRows, scannedRows, sampledBy } = profileOf(few, 'state');
    expect(sampledBy).toBeDefined();
    for (const rows of [countedRows ?? 0, scannedRows]) expect(rows).toBeLessThan(600);
    expect(few.table.rowCount).toBe(1000);
  });
}

describe('sqlite', () => behavesLikeProfiles('sqlite'));
describe('duckdb', () => behavesLikeProfiles('duckdb'));
describeWithServer('postgres', 'postgres', () => behavesLikeProfiles('postgres'));
describeWithServer('mariadb', 'mariadb', () => behavesLikeProfiles('mariadb'));
