import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { whyNoTrino } from '../../scripts/trino.ts';
import { connect } from '../../src/database/index.ts';
import { codeOf } from '../fixtures/code-of.ts';
import { behavesLikeDatabase } from './database.ts';
import { TrinoFixture } from './trino-fixture.ts';

const LIMITS = { rows: 1000, bytes: 1_000_000, timeoutMs: 60_000 };
const missing = await whyNoTrino();
const trino = new TrinoFixture();

describe.skipIf(missing !== null)(missing === null ? 'Trino 476' : `Trino, skipped: ${missing}`, () => {
  beforeAll(() => trino.start(), 200_000);
  afterAll(() => trino.stop(), 20_000);

  behavesLikeDatabase('Trino', {
    dialect: 'trino',
    make: (statements) => trino.make(statements),
    setup: [
      `CREATE TABLE customers ("customer id" integer NOT NULL, name varchar NOT NULL COMMENT 'As on the invoice', born date)
       COMMENT 'People who buy'`,
      'CREATE TABLE orders (id bigint, line smallint, amount decimal(10,2), tags array(varchar(20)))',
      'CREATE VIEW names AS SELECT name FROM customers',
      `INSERT INTO customers VALUES (1, 'Zoë', DATE '2001-02-03'), (2, 'Ng', NULL), (3, 'O''Hara', NULL)`,
      `INSERT INTO orders VALUES (1, 1, 9.5, NULL)`,
    ],
    schema: {
      tables: [
        {
          name: 'customers',
          schema: 'shop1',
          kind: 'table',
          ownsRows: true,
          comment: 'People who buy',
          columns: [
            { name: 'customer id', type: 'integer', isNullable: false },
            { name: 'name', type: 'varchar', isNullable: false, comment: 'As on the invoice' },
            { name: 'born', type: 'date', isNullable: true },
          ],
          primaryKey: [],
        },
        {
          name: 'names',
          schema: 'shop1',
          kind: 'view',
          columns: [{ name: 'name', type: 'varchar', isNullable: true }],
          primaryKey: [],
        },
        {
          name: 'orders',
          schema: 'shop1',
          kind: 'table',
          ownsRows: true,
          columns: [
            { name: 'id', type: 'bigint', isNullable: true },
            { name: 'line', type: 'smallint', isNullable: true },
            { name: 'amount', type: 'decimal(10,2)', isNullable: true },
            { name: 'tags', type: 'array(varchar(20))', isNullable: true },
          ],
          primaryKey: [],
        },
      ],
      foreignKeys: [],
    },
    values: [
      { sql: 'NULL', cell: null },
      { sql: 'true', cell: true },
      { sql: '42', cell: 42 },
      { sql: "TINYINT '-7'", cell: -7 },
      { sql: '9007199254740991', cell: 9007199254740991 },
      { sql: '9007199254740993', cell: 9007199254740993n },
      { sql: '-9223372036854775808', cell: -9223372036854775808n },
      { sql: "DECIMAL '1.50'", cell: '1.50' },
      { sql: "DECIMAL '0.0000000001'", cell: '0.0000000001' },
      { sql: "DECIMAL '100'", cell: 100 },
      { sql: "'a' || chr(0) || 'b'", cell: 'a\0b' },
      { sql: "DECIMAL '12345678901234567.89'", cell: '12345678901234567.89' },
      { sql: '1.5e0', cell: 1.5 },
      { sql: 'infinity()', cell: Number.POSITIVE_INFINITY },
      { sql: 'nan()', cell: Number.NaN },
      { sql: "'größe 🚗'", cell: 'größe 🚗' },
      { sql: "''", cell: '' },
      { sql: "DATE '2024-02-29'", cell: '2024-02-29' },
      { sql: "TIME '01:02:03.450'", cell: '01:02:03.45' },
      { sql: "TIMESTAMP '2024-02-29 01:02:03'", cell: '2024-02-29 01:02:03' },
      { sql: "TIMESTAMP '2024-02-29 01:02:03.120'", cell: '2024-02-29 01:02:03.12' },
      { sql: "TIMESTAMP '2024-02-29 01:02:03.123456789012'", cell: '2024-02-29 01:02:03.123456789012' },
      { sql: "TIMESTAMP '12024-01-01 00:00:00'", cell: '12024-01-01 00:00:00' },
      { sql: "TIMESTAMP '2024-07-01 01:02:03.5 Europe/Berlin'", cell: '2024-06-30 23:02:03.5+00' },
      { sql: "TIMESTAMP '2024-02-29 01:02:03 +05:30'", cell: '2024-02-28 19:32:03+00' },
      { sql: "TIMESTAMP '2024-02-29 01:02:03 UTC'", cell: '2024-02-29 01:02:03+00' },
      { sql: "X'00ff'", cell: new Uint8Array([0, 255]) },
      { sql: `JSON '{"a":[1]}'`, cell: '{"a":[1]}' },
      { sql: 'ARRAY[1, NULL, 9007199254740993]', cell: '[1,null,9007199254740993]' },
      { sql: "MAP(ARRAY['a'], ARRAY[1.5])", cell: '{"a":1.5}' },
      { sql: "CAST(ROW(1, 'x') AS ROW(a integer, b varchar))", cell: '{"a":1,"b":"x"}' },
      { sql: "ROW(1, 'x')", cell: '[1,"x"]' },
      { sql: "INTERVAL '3' DAY", cell: '3 00:00:00.000' },
      { sql: "UUID '12151fd2-7586-11e9-8f9e-2a86e4085a59'", cell: '12151fd2-7586-11e9-8f9e-2a86e4085a59' },
    ],
    bytes: { sql: "X'00ff10'", cut: new Uint8Array([0, 255]) },
    writes: [
      "INSERT INTO customers VALUES (9, 'x', NULL)",
      "UPDATE customers SET name = 'x'",
      'DELETE FROM customers',
      'TRUNCATE TABLE customers',
      'MERGE INTO customers c USING orders o ON c."customer id" = o.id WHEN MATCHED THEN DELETE',
      'CREATE TABLE elsewhere AS SELECT * FROM customers',
      'CREATE TABLE elsewhere (a integer)',
      'CREATE OR REPLACE VIEW names AS SELECT 1 AS a',
      'CREATE SCHEMA memory.elsewhere',
      'ALTER TABLE customers RENAME TO people',
      'ALTER TABLE customers ADD COLUMN a integer',
      "COMMENT ON TABLE customers IS 'x'",
      'DROP TABLE customers',
      'DROP VIEW names',
      'DROP SCHEMA memory.default CASCADE',
      'CREATE FUNCTION memory.default.f(x integer) RETURNS integer RETURN x',
      'ANALYZE customers',
      'EXPLAIN ANALYZE DELETE FROM customers',
      "CALL system.runtime.kill_query('x', 'y')",
      'GRANT SELECT ON customers TO USER x',
      'CREATE ROLE r',
      'START TRANSACTION',
      'COMMIT',
      'ROLLBACK',
      "EXECUTE IMMEDIATE 'DELETE FROM customers'",
      'PREPARE p FROM DELETE FROM customers',
    ],
    settings: {
      sql: `SELECT current_catalog, current_schema, current_user, current_timezone(), current_path,
              CAST(TIMESTAMP '2024-01-01 00:00:00 UTC' AS varchar)`,
      attempts: [
        'USE memory.default',
        "SET TIME ZONE 'Asia/Kolkata'",
        "SET SESSION query_max_run_time = '1s'",
        'SET PATH memory.default',
        'SET ROLE none',
        "SET SESSION AUTHORIZATION 'admin'",
        'PREPARE p FROM SELECT 1',
        'COMMIT',
        'START TRANSACTION READ WRITE',
      ],
    },
    endless: 'SELECT count(*) FROM tpch.sf1000.lineitem AS a CROSS JOIN tpch.sf1000.lineitem AS b',
    numbers: (count) => `SELECT x FROM UNNEST(sequence(1, ${count})) AS t(x)`,
  });

  it('stops on the server what it stopped here, and ends its transactions', async () => {
    const database = await connect(`${trino.server.url}/tpch/sf1000`);
    const endless = 'SELECT count(*) FROM lineitem AS a CROSS JOIN lineitem AS b';
    expect(await codeOf(database.query(endless, { ...LIMITS, timeoutMs: 500 }))).toBe('database.timeout');
    const cut = await database.query('SELECT * FROM lineitem', { ...LIMITS, rows: 5 });
    expect(cut).toMatchObject({ truncatedBy: 'rows' });
    await database.close();
    const running =
      "SELECT query FROM system.runtime.queries WHERE state NOT IN ('FINISHED', 'FAILED') AND query LIKE '%lineitem%'";
    expect((await trino.run(running)).filter(([query]) => !String(query).includes('system.runtime'))).toEqual(
      [],
    );
    const open = 'SELECT count(*) FROM system.runtime.transactions WHERE NOT auto_commit_context';
    expect(await trino.run(open)).toEqual([[0]]);
  });

  it('names tables by schema when the URL names a catalog, by both when it names none', async () => {
    const catalog = await connect(`${trino.server.url}/tpch`);
    const found = (await catalog.readSchema()).tables.find(
      (table) => table.schema === 'sf1' && table.name === 'nation',
    );
    expect(found).toMatchObject({ qualifier: ['sf1'], columns: [{ name: 'nationkey' }, {}, {}, {}] });
    expect((await catalog.query('SELECT count(*) FROM sf1.nation', LIMITS)).rows).toEqual([[25]]);
    await catalog.close();
    const all = await connect(trino.server.url);
    const tables = (await all.readSchema()).tables.filter(
      (table) => table.name === 'nation' && table.schema === 'sf1',
    );
    expect(tables).toMatchObject([{ catalog: 'tpch', qualifier: ['tpch', 'sf1'] }]);
    expect((await all.query('SELECT count(*) FROM tpch.sf1.nation', LIMITS)).rows).toEqual([[25]]);
    await all.close();
  });

  it('estimates rows where the connector has statistics, views and unreadable tables notwithstanding', async () => {
    const tiny = await connect(`${trino.server.url}/tpch/tiny`);
    const rows = new Map((await tiny.readSchema()).tables.map((table) => [table.name, table.estimatedRows]));
    expect(rows.get('orders')).toBe(15_000);
    expect(rows.get('nation')).toBe(25);
    await tiny.close();
    const made = await trino.make([
      'CREATE TABLE t (a integer)',
      'INSERT INTO t VALUES 1, 2, 3',
      'CREATE TABLE gone (a integer)',
      'CREATE VIEW broken AS SELECT * FROM gone',
      'DROP TABLE gone',
    ]);
    const opened = await connect(made.url);
    expect((await opened.readSchema()).tables).toMatchObject([
      { name: 'broken', kind: 'view' },
      { name: 't', estimatedRows: 3 },
    ]);
    await opened.close();
    await made.drop();
  });

  it('has a state that tells of every change, else the suite would see nothing', async () => {
    const made = await trino.make(['CREATE TABLE t (a integer)']);
    const states = new Set([await made.state()]);
    const changes = [
      'INSERT INTO t VALUES 1',
      'ALTER TABLE t ADD COLUMN b integer',
      "COMMENT ON COLUMN t.a IS 'x'",
    ];
    for (const change of [...changes, 'CREATE VIEW v AS SELECT a FROM t', 'DROP VIEW v']) {
      await made.run([change]);
      states.add(await made.state());
    }
    // To drop the view leads back to the state before it.
    expect(states.size).toBe(changes.length + 2);
    await made.drop();
  });

  it('tells what a query would read', async () => {
    const database = await connect(`${trino.server.url}/tpch/tiny`);
    const plan = await database.explain('SELECT * FROM orders CROSS JOIN nation');
    expect(plan.rows).toBe(375_000);
    expect(plan.bytes).toBeGreaterThan(1_000_000);
    const wrong = database.explain('SELECT 1,\n  nothing FROM nation');
    await expect(wrong).rejects.toThrow("line 2:3: Column 'nothing' cannot be resolved");
    expect(await codeOf(database.explain('EXPLAIN ANALYZE SELECT 1'))).toBe('database.not-read-only');
    await database.close();
  });
});
