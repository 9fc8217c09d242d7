import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, type Database } from '../database/index.ts';
import { profileTable } from './profiles/profile-table.ts';
import { outlineCatalog, readCatalog } from './read-catalog.ts';
import type { Catalog, Column } from './schema/catalog.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'candor-catalog-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function openSqlite(name: string, statements: string): Promise<Database> {
  const path = join(folder, `${name}.db`);
  const writer = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  writer.exec(`PRAGMA user_version = 1; ${statements}`);
  writer.close();
  return connect(`sqlite:${path}`);
}

async function readSqlite(name: string, statements: string): Promise<Catalog> {
  const database = await openSqlite(name, statements);
  try {
    return await readCatalog(database);
  } finally {
    await database.close();
  }
}

function columnOf(catalog: Catalog, id: string): Column {
  const column = catalog.tables.flatMap((table) => table.columns).find((candidate) => candidate.id === id);
  if (column === undefined) throw new Error(`no column ${id}`);
  return column;
}

describe('a SQLite database', () => {
  let catalog: Catalog;
  beforeAll(async () => {
    catalog = await readSqlite(
      'shop',
      `CREATE TABLE "Order Lines" ("Line Id" INTEGER PRIMARY KEY, day TEXT, due DATE, price REAL, paid BOOLEAN,
         state TEXT, memo TEXT, photo BLOB, anything);
       WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 100)
       INSERT INTO "Order Lines"
       SELECT x, date('2024-01-01', '+' || x || ' days'), x || '/1/2024', x * 1.5, x % 2,
         CASE WHEN x % 10 = 0 THEN NULL WHEN x % 3 = 0 THEN 'OPEN' ELSE 'PAID' END,
         CASE WHEN x > 50 THEN replace(hex(zeroblob(100)), '0', 'word ') END, zeroblob(1000000), x FROM n;
       CREATE TABLE empty (a INTEGER, b TEXT);
       CREATE VIEW paid AS SELECT * FROM "Order Lines" WHERE state = 'PAID'`,
    );
  });

  it('has canonical ids beside the raw names', () => {
    expect(catalog).toMatchObject({ database: 'shop', dialect: 'sqlite' });
    expect(catalog.tables.map(({ id, name, kind, rowCount }) => ({ id, name, kind, rowCount }))).toEqual([
      { id: 'order lines', name: 'Order Lines', kind: 'table', rowCount: 100 },
      { id: 'empty', name: 'empty', kind: 'table', rowCount: 0 },
      { id: 'paid', name: 'paid', kind: 'view', rowCount: 60 },
    ]);
    expect(catalog.tables[0]?.primaryKey).toEqual(['order lines.line id']);
  });

  it.each([
    ['line id', 'number'],
    ['day', 'time'],
    ['due', 'text'],
    ['price', 'number'],
    ['paid', 'boolean'],
    ['state', 'text'],
    ['photo', 'other'],
    ['anything', 'number'],
  ])('gives %s the family %s', (name, family) => {
    expect(columnOf(catalog, `order lines.${name}`).family).toBe(family);
  });

  it('profiles a text column', () => {
    // Of 1..100: 10 multiples of 10 are NULL; of the other 90, 30 are multiples of 3.
    expect(columnOf(catalog, 'order lines.state').profile).toEqual({
      scannedRows: 100,
      countedRows: 100,
      nullCount: 10,
      distinctCount: 2,
      min: 'OPEN',
      max: 'PAID',
      examples: ['PAID', 'OPEN'],
      pattern: 'code',
      semanticClass: 'category',
      statistics: {
        topValues: [
          { value: 'PAID', count: 60 },
          { value: 'OPEN', count: 30 },
        ],
        lengths: { min: 4, mean: 4, max: 4 },
        shape: { form: 'AAAA', share: 1 },
      },
    });
  });
  it('profiles numbers as numbers and dates as dates', () => {
    expect(columnOf(catalog, 'order lines.price').profile).toMatchObject({
      min: '1.5',
      max: '150',
      distinctCount: 100,
    });
    expect(columnOf(catalog, 'order lines.day').profile).toMatchObject({
      min: '2024-01-02',
      max: '2024-04-10',
      pattern: 'iso-date',
    });
    expect(columnOf(catalog, 'order lines.line id').profile).toMatchObject({
      min: '1',
      max: '100',
      distinctCount: 100,
    });
  });
  it('cuts prose and only counts blobs', () => {
    const memo = columnOf(catalog, 'order lines.memo').profile;
    expect(memo).toMatchObject({ nullCount: 50, distinctCount: 1 });
    expect(memo?.examples[0]).toHaveLength(80);
    expect(columnOf(catalog, 'order lines.photo').profile).toMatchObject({
      nullCount: 0,
      distinctCount: 0,
      examples: [],
    });
  });
  it('profiles an empty table', () => {
    expect(columnOf(catalog, 'empty.b').profile).toEqual({
      scannedRows: 0,
      countedRows: 0,
      nullCount: 0,
      distinctCount: 0,
      examples: [],
      semanticClass: 'other',
    });
  });
  it('has a fingerprint of the schema, not of the rows', async () => {
    const one = await readSqlite('one', 'CREATE TABLE t (a INTEGER)');
    const same = await readSqlite('same', 'CREATE TABLE t (a INTEGER); INSERT INTO t VALUES (1)');
    const other = await readSqlite('other', 'CREATE TABLE t (a TEXT)');
    expect(same.fingerprint).toBe(one.fingerprint);
    expect(other.fingerprint).not.toBe(one.fingerprint);
  });
});

it('keeps values of text columns, but not prose, long texts or broken ones, and the few of numbers', async () => {
  const database = await openSqlite(
    'values',
    `CREATE TABLE t (city TEXT, memo TEXT, n INTEGER);
     INSERT INTO t VALUES ('Bonn', '${'long '.repeat(40)}', 1), ('Bonn', 'x', 2), ('Köln', NULL, 3),
       (CAST(x'4b6ff66e' AS TEXT), NULL, 4), ('${'y'.repeat(81)}', NULL, 5)`,
  );
  const [table] = (await outlineCatalog(database)).tables;
  if (table === undefined) throw new Error('no table');
  const { values } = await profileTable(database, table);
  expect(values).toMatchObject([
    {
      columnId: 't.city',
      distinctCount: 4,
      values: [
        ['Bonn', 2],
        ['Köln', 1],
      ],
      use: 'similar',
    },
    { columnId: 't.memo', values: [], use: 'none', because: 'its values are prose' },
    { columnId: 't.n', use: 'literal', values: ['1', '2', '3', '4', '5'].map((text) => [text, 1]) },
  ]);
  await database.close();
});

it('refuses a database without tables', async () => {
  await expect(readSqlite('bare', '')).rejects.toMatchObject({ code: 'database.empty-schema' });
});

it('reads a DuckDB database with comments, lists and exact types', async () => {
  const path = join(folder, 'shop.duckdb');
  const instance = await DuckDBInstance.create(path);
  const writer = await instance.connect();
  await writer.run(`CREATE TABLE sales (id INTEGER PRIMARY KEY, sold TIMESTAMP, kind ENUM('a', 'b'), tags VARCHAR[],
    total DECIMAL(10,2), day VARCHAR)`);
  await writer.run(`COMMENT ON TABLE sales IS 'One row per receipt'`);
  await writer.run(
    `INSERT INTO sales SELECT i, TIMESTAMP '2024-01-01' + INTERVAL (i) HOUR, 'b', ['x'], i / 4, '2024-01-01' FROM range(8) r(i)`,
  );
  writer.closeSync();
  instance.closeSync();
  const database = await connect(path);
  const catalog = await readCatalog(database);
  await database.close();
  expect(catalog.tables[0]).toMatchObject({ id: 'sales', comment: 'One row per receipt', rowCount: 8 });
  expect(catalog.tables[0]?.columns.map((column) => [column.name, column.family])).toEqual([
    ['id', 'number'],
    ['sold', 'time'],
    ['kind', 'text'],
    ['tags', 'other'],
    ['total', 'number'],
    ['day', 'text'],
  ]);
  expect(columnOf(catalog, 'sales.sold').profile).toMatchObject({
    min: '2024-01-01 00:00:00',
    max: '2024-01-01 07:00:00',
  });
  expect(columnOf(catalog, 'sales.kind').profile).toMatchObject({ examples: ['b'], distinctCount: 1 });
  expect(columnOf(catalog, 'sales.day').profile).toMatchObject({ pattern: 'iso-date' });
  expect(columnOf(catalog, 'sales.total').profile).toMatchObject({ min: '0', max: '1.75' });
});

describe('inferred keys', () => {
  const cases: readonly { name: string; sql: string; keys: readonly string[] }[] = [
    {
      name: 'a column named after a table',
      sql: `CREATE TABLE dim_countries (id INTEGER PRIMARY KEY); INSERT INTO dim_countries VALUES (1), (2);
            CREATE TABLE city (id INTEGER PRIMARY KEY, CountryID INTEGER); INSERT INTO city VALUES (1, 2), (2, NULL)`,
      keys: ['city.countryid → dim_countries.id'],
    },
    {
      name: 'a column named like a key',
      sql: `CREATE TABLE stadium (stadium_id INTEGER PRIMARY KEY); INSERT INTO stadium VALUES (7);
            CREATE TABLE concert (id INTEGER PRIMARY KEY, Stadium_ID INTEGER); INSERT INTO concert VALUES (1, 7)`,
      keys: ['concert.stadium_id → stadium.stadium_id'],
    },
    {
      name: 'a table that extends another',
      sql: `CREATE TABLE customers (customer_id INTEGER PRIMARY KEY); INSERT INTO customers VALUES (1), (2);
            CREATE TABLE details (customer_id INTEGER PRIMARY KEY); INSERT INTO details VALUES (2)`,
      keys: ['details.customer_id → customers.customer_id'],
    },
    {
      name: 'a parent of the same table',
      sql: `CREATE TABLE area (id INTEGER PRIMARY KEY, parent_id INTEGER); INSERT INTO area VALUES (1, NULL), (2, 1)`,
      keys: ['area.parent_id → area.id'],
    },
    {
      name: 'a key that nobody declared and whose values are all different',
      sql: `CREATE TABLE customer (id INTEGER, name TEXT); INSERT INTO customer VALUES (1, 'a'), (2, 'b');
            CREATE TABLE sale (customer_id INTEGER); INSERT INTO sale VALUES (1), (1)`,
      keys: ['sale.customer_id → customer.id'],
    },
    {
      name: 'keys written together or short',
      sql: `CREATE TABLE author (aid INTEGER, name TEXT); INSERT INTO author VALUES (1, 'a'), (2, 'b');
            CREATE TABLE paper (paperid INTEGER, title TEXT); INSERT INTO paper VALUES (1, 'a'), (2, 'b');
            CREATE TABLE writes (aid INTEGER, paperid INTEGER); INSERT INTO writes VALUES (1, 1), (2, 1), (2, 2)`,
      keys: ['writes.aid → author.aid', 'writes.paperid → paper.paperid'],
    },
    {
      name: 'the first column of a table of things, also behind a shorter name of it',
      sql: `CREATE TABLE customers_master (customer_no TEXT, city TEXT); INSERT INTO customers_master VALUES ('001', 'a'), ('002', 'a');
            CREATE TABLE stations (stn_cd TEXT, river TEXT); INSERT INTO stations VALUES ('T1', 'a'), ('T2', 'a');
            CREATE TABLE samples (stn TEXT, customer_no TEXT); INSERT INTO samples VALUES ('T1', '001'), ('T1', '002'), ('T2', '001')`,
      keys: ['samples.stn → stations.stn_cd', 'samples.customer_no → customers_master.customer_no'],
    },
    {
      name: 'a thing that is its own key, and codes that a list explains',
      sql: `CREATE TABLE parms (parm INTEGER, unit TEXT); INSERT INTO parms VALUES (1, 'mg'), (2, 'mg');
            CREATE TABLE vcode_lookup (code TEXT, text TEXT); INSERT INTO vcode_lookup VALUES ('A', 'x'), ('B', 'x');
            CREATE TABLE results (parm INTEGER, vcode TEXT); INSERT INTO results VALUES (1, 'A'), (1, 'B'), (2, 'B')`,
      keys: ['results.parm → parms.parm', 'results.vcode → vcode_lookup.code'],
    },
    {
      name: 'the one table that a shortened name begins, and no row of a longer one',
      sql: `CREATE TABLE inspections (inspection_id TEXT, city TEXT); INSERT INTO inspections VALUES ('A', 'a'), ('B', 'a');
            CREATE TABLE order_items (order_item_id TEXT, city TEXT); INSERT INTO order_items VALUES ('A', 'a'), ('B', 'a');
            CREATE TABLE violations (insp_id TEXT, order_id TEXT); INSERT INTO violations VALUES ('A', 'A'), ('A', 'B')`,
      keys: ['violations.insp_id → inspections.inspection_id'],
    },
    {
      name: 'not to a table of nothing but short keys',
      sql: `CREATE TABLE domain_journal (did INTEGER, jid INTEGER); INSERT INTO domain_journal VALUES (1, 1), (2, 2);
            CREATE TABLE topic (did INTEGER); INSERT INTO topic VALUES (1), (1)`,
      keys: [],
    },
    {
      name: 'a column that says the table, or the part that it plays',
      sql: `CREATE TABLE airport (airport_code TEXT); INSERT INTO airport VALUES ('JFK'), ('LAX');
            CREATE TABLE term (term_id INTEGER); INSERT INTO term VALUES (1), (2);
            CREATE TABLE flight (from_airport TEXT, num_terms INTEGER, term INTEGER);
            INSERT INTO flight VALUES ('JFK', 1, 2), ('LAX', 2, 2)`,
      keys: ['flight.from_airport → airport.airport_code', 'flight.term → term.term_id'],
    },
    {
      name: 'names as keys, also where the list of them has gaps',
      sql: `CREATE TABLE state (state_name TEXT); INSERT INTO state VALUES ('Ohio'), ('Texas');
            CREATE TABLE city (city_name TEXT, state_name TEXT);
            INSERT INTO city VALUES ('Austin', 'Texas'), ('Dallas', 'Texas'), ('Chicago', 'Illinois')`,
      keys: ['city.state_name → state.state_name'],
    },
    {
      name: 'the key of the table itself before that of one named alike',
      sql: `CREATE TABLE course (course_id INTEGER); INSERT INTO course VALUES (1), (2);
            CREATE TABLE program_course (course_id INTEGER, load INTEGER); INSERT INTO program_course VALUES (1, 9), (2, 9)`,
      keys: ['program_course.course_id → course.course_id'],
    },
    {
      name: 'not to values that are not all different',
      sql: `CREATE TABLE customer (id INTEGER, name TEXT); INSERT INTO customer VALUES (1, 'a'), (2, 'b'), (2, 'c');
            CREATE TABLE sale (customer_id INTEGER); INSERT INTO sale VALUES (1), (1)`,
      keys: [],
    },
    {
      name: 'not when values point nowhere',
      sql: `CREATE TABLE customer (id INTEGER PRIMARY KEY); INSERT INTO customer VALUES (1);
            CREATE TABLE sale (customer_id INTEGER); INSERT INTO sale VALUES (1), (2)`,
      keys: [],
    },
    {
      name: 'not when types differ',
      sql: `CREATE TABLE customer (id INTEGER PRIMARY KEY); INSERT INTO customer VALUES (1);
            CREATE TABLE sale (customer_id TEXT); INSERT INTO sale VALUES ('1')`,
      keys: [],
    },
    {
      name: 'not without a value',
      sql: `CREATE TABLE customer (id INTEGER PRIMARY KEY); CREATE TABLE sale (customer_id INTEGER)`,
      keys: [],
    },
    {
      name: 'not from generic names',
      sql: `CREATE TABLE a (id INTEGER PRIMARY KEY); INSERT INTO a VALUES (1);
            CREATE TABLE b (id INTEGER); INSERT INTO b VALUES (1)`,
      keys: [],
    },
    {
      name: 'not when two targets fit as well',
      sql: `CREATE TABLE a (unit_id INTEGER PRIMARY KEY); INSERT INTO a VALUES (1);
            CREATE TABLE b (unit_id INTEGER PRIMARY KEY); INSERT INTO b VALUES (1);
            CREATE TABLE c (unit_id INTEGER); INSERT INTO c VALUES (1)`,
      keys: [],
    },
    {
      name: 'not beside a declared key',
      sql: `CREATE TABLE customer (id INTEGER PRIMARY KEY); INSERT INTO customer VALUES (1);
            CREATE TABLE sale (payer INTEGER REFERENCES customer, customer_id INTEGER); INSERT INTO sale VALUES (1, 1)`,
      keys: [],
    },
  ];
  it.each([
    ['courses', 'course_id'],
    ['warehouses', 'warehouse_id'],
    ['movies', 'movie_id'],
    ['people', 'person_id'],
    ['statuses', 'status_id'],
    ['addresses', 'address_id'],
    ['children', 'child_id'],
    ['order_statuses', 'OrderStatusID'],
    ['analyses', 'analysis_key'],
  ])('find the key of %s behind %s', async (table, column) => {
    const catalog = await readSqlite(
      `plural-${table}`,
      `CREATE TABLE ${table} (id INTEGER PRIMARY KEY); INSERT INTO ${table} VALUES (1), (2);
       CREATE TABLE log (entry TEXT, ${column} INTEGER); INSERT INTO log VALUES ('a', 1), ('b', 1)`,
    );
    expect(catalog.foreignKeys.map(({ toColumns }) => toColumns)).toEqual([[`${table}.id`]]);
  });

  it('are surer the more values agree, and of a declared key', async () => {
    const confidence = async (name: string, key: string, rows: number): Promise<number | undefined> => {
      const catalog = await readSqlite(
        name,
        `CREATE TABLE customer (id INTEGER ${key}); CREATE TABLE sale (customer_id INTEGER);
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows})
         INSERT INTO customer SELECT i FROM n; INSERT INTO sale SELECT id FROM customer`,
      );
      return catalog.foreignKeys[0]?.confidence;
    };
    // 0.5 for the name, 0.3 · values/20, 0.1 for the type, 0.1 for a declared key.
    expect(await confidence('sure-2', 'PRIMARY KEY', 2)).toBe(0.73);
    expect(await confidence('sure-10', 'PRIMARY KEY', 10)).toBe(0.85);
    expect(await confidence('sure-100', 'PRIMARY KEY', 100)).toBe(0.99);
    expect(await confidence('sure-10-undeclared', '', 10)).toBe(0.75);
  });

  it('tell how far the compared values agree, also of links that are none', async () => {
    const catalog = await readSqlite(
      'overlaps',
      `CREATE TABLE customer (id INTEGER PRIMARY KEY); INSERT INTO customer VALUES (1), (2), (3);
       CREATE TABLE sale (customer_id INTEGER); INSERT INTO sale VALUES (1), (2), (9), (9), (8)`,
    );
    expect(catalog.keyOverlaps).toEqual([
      { fromColumn: 'sale.customer_id', toColumn: 'customer.id', share: 0.5, comparedValues: 4 },
    ]);
    expect(catalog.foreignKeys).toEqual([]);
  });

  it.each(cases)('$name', async ({ name, sql, keys }) => {
    const catalog = await readSqlite(`keys-${name.replaceAll(' ', '-')}`, sql);
    const inferred = catalog.foreignKeys.filter((key) => key.source === 'inferred');
    expect(inferred.map((key) => `${key.fromColumns} → ${key.toColumns}`)).toEqual(keys);
  });
});
