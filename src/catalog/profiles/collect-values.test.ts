import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, type Database, guarded } from '../../database/index.ts';
import { outlineCatalog } from '../read-catalog.ts';
import type { ColumnValues } from './collect-values.ts';
import { type ProfileOptions, profileTable } from './profile-table.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'candor-values-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** More different names than one statement brings back, some of them hard to write in SQL. */
const NAMES = 120_000;
const NUMBERS = `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${NAMES - 1})`;
const COLUMNS = `CASE i % 3 WHEN 0 THEN 'O''Brien ' WHEN 1 THEN 'Ünal \\ ' ELSE '東京 ' END || i AS full_name,
  'A-' || i AS order_id, i % 700 AS grade, i AS amount, 'group ' || (i % 5) AS kind`;

const ENGINES: readonly { readonly engine: string; readonly open: () => Promise<Database> }[] = [
  {
    engine: 'SQLite',
    open: async () => {
      const path = join(folder, 'names.db');
      const writer = new DatabaseSync(path);
      writer.exec(`CREATE TABLE people AS ${NUMBERS} SELECT ${COLUMNS} FROM n`);
      writer.close();
      return connect(path);
    },
  },
  {
    engine: 'DuckDB',
    open: async () => {
      const path = join(folder, 'names.duckdb');
      const instance = await DuckDBInstance.create(path);
      const writer = await instance.connect();
      await writer.run(`CREATE TABLE people AS SELECT ${COLUMNS} FROM range(${NAMES}) AS r(i)`);
      writer.closeSync();
      instance.closeSync();
      return connect(path);
    },
  },
];

describe.each(ENGINES)('$engine', ({ open }) => {
  let database: Database;
  beforeAll(async () => {
    database = guarded(await open(), { kind: 'own-queries' });
  });
  afterAll(() => database.close());

  async function collect(options: ProfileOptions = {}): Promise<ReadonlyMap<string, ColumnValues>> {
    const [table] = (await outlineCatalog(database)).tables;
    if (table === undefined) throw new Error('no table');
    const { values } = await profileTable(database, table, options);
    return new Map(values.map((column) => [column.columnId, column]));
  }

  it('reads every name, page by page', async () => {
    const found = (await collect()).get('people.full_name');
    expect(found).toMatchObject({ use: 'similar' });
    const texts = new Set(found?.values.map(([text]) => text));
    expect(texts.size).toBe(NAMES);
    expect(found?.values).toHaveLength(NAMES);
    for (const text of ["O'Brien 0", 'Ünal \\ 100000', '東京 119999', "O'Brien 60000"])
      expect(texts).toContain(text);
  });

  it('keeps what a column of codes looks like, all of the few numbers, and says how many there are', async () => {
    const found = await collect();
    const codes = found.get('people.order_id');
    expect(codes).toMatchObject({ use: 'exact', because: 'its name says _id' });
    expect(codes?.values.length).toBeLessThan(codes?.distinctCount ?? 0);
    expect(found.get('people.grade')).toMatchObject({ use: 'literal', distinctCount: 700 });
    expect(found.get('people.grade')?.values).toHaveLength(700);
    expect(found.has('people.amount')).toBe(false);
    expect(
      found
        .get('people.kind')
        ?.values.map(([text]) => text)
        .sort(),
    ).toEqual([0, 1, 2, 3, 4].map((number) => `group ${number}`));
  });

  it('does as it is told by name, and reads no more rows than it may', async () => {
    const valueLists = { include: new Set(['people.order_id']), exclude: new Set(['people.full_name']) };
    const told = await collect({ valueLists });
    expect(told.get('people.order_id')?.values).toHaveLength(NAMES);
    expect(told.get('people.full_name')).toMatchObject({ use: 'exact' });
    const few = (await collect({ maxRows: 10_000 })).get('people.full_name');
    expect(few?.values.length).toBeLessThanOrEqual(20_000);
    expect(few?.distinctCount).toBeGreaterThan(few?.values.length ?? 0);
  });
});
