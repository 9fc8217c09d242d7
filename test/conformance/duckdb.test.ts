import { DuckDBInstance } from '@duckdb/node-api';
import { behavesLikeFileDatabase } from './file-database.ts';

behavesLikeFileDatabase('DuckDB', {
  scheme: 'duckdb',
  fileEnding: '.duckdb',
  async write(path, statements) {
    const instance = await DuckDBInstance.create(path);
    const connection = await instance.connect();
    for (const statement of statements) await connection.run(statement);
    await connection.run('CHECKPOINT');
    connection.closeSync();
    instance.closeSync();
  },
  setup: [
    `CREATE TABLE "Customers" ("Customer Id" INTEGER PRIMARY KEY, name VARCHAR NOT NULL, born DATE)`,
    `COMMENT ON TABLE customers IS 'People who buy'`,
    `COMMENT ON COLUMN customers.name IS 'As on the invoice'`,
    `CREATE TABLE orders (id BIGINT, line INTEGER, customer INTEGER REFERENCES customers("Customer Id"),
       amount DECIMAL(10,2), tags VARCHAR[], PRIMARY KEY (id, line))`,
    'CREATE VIEW names AS SELECT name FROM customers',
    `INSERT INTO customers VALUES (1, 'Zoë', '2001-02-03'), (2, 'Ng', NULL), (3, 'O''Hara', NULL)`,
    'INSERT INTO orders VALUES (1, 1, 1, 9.5, NULL)',
  ],
  schema: {
    tables: [
      {
        name: 'Customers',
        kind: 'table',
        ownsRows: true,
        comment: 'People who buy',
        columns: [
          { name: 'Customer Id', type: 'INTEGER', isNullable: false },
          { name: 'name', type: 'VARCHAR', isNullable: false, comment: 'As on the invoice' },
          { name: 'born', type: 'DATE', isNullable: true },
        ],
        primaryKey: ['Customer Id'],
      },
      {
        name: 'orders',
        kind: 'table',
        ownsRows: true,
        columns: [
          { name: 'id', type: 'BIGINT', isNullable: false },
          { name: 'line', type: 'INTEGER', isNullable: false },
          { name: 'customer', type: 'INTEGER', isNullable: true },
          { name: 'amount', type: 'DECIMAL(10,2)', isNullable: true },
          { name: 'tags', type: 'VARCHAR[]', isNullable: true },
        ],
        primaryKey: ['id', 'line'],
      },
      {
        name: 'names',
        kind: 'view',
        columns: [{ name: 'name', type: 'VARCHAR', isNullable: true }],
        primaryKey: [],
      },
    ],
    foreignKeys: [
      { fromTable: 'orders', fromColumns: ['customer'], toTable: 'Customers', toColumns: ['Customer Id'] },
    ],
  },
  values: [
    { sql: 'NULL', cell: null },
    { sql: 'TRUE', cell: true },
    { sql: '42', cell: 42 },
    { sql: '9007199254740991', cell: 9007199254740991 },
    { sql: '9007199254740993', cell: 9007199254740993n },
    {
      sql: '170141183460469231731687303715884105727::HUGEINT',
      cell: 170141183460469231731687303715884105727n,
    },
    { sql: '1.5', cell: '1.5' },
    { sql: "switch('b', MAP {'a': 1, 'b': 2}, 0)", cell: 2 },
    { sql: 'formatReadableSize(123456789)', cell: '117.7 MiB' },
    { sql: 'formatReadableDecimalSize(123456789)', cell: '123.4 MB' },
    { sql: 'grade_up([3, 1, 2])::VARCHAR', cell: '[2, 3, 1]' },
    { sql: '-12345678.901::DECIMAL(18,3)', cell: '-12345678.901' },
    { sql: '100.00', cell: '100.00' },
    { sql: '0.0000000001', cell: '0.0000000001' },
    { sql: '100::DECIMAL(10,0)', cell: 100 },
    { sql: `'a' || chr(0) || 'b'`, cell: 'a\0b' },
    { sql: `''::BLOB`, cell: new Uint8Array() },
    { sql: '12345678901234567.89::DECIMAL(19,2)', cell: '12345678901234567.89' },
    { sql: `'inf'::DOUBLE`, cell: Number.POSITIVE_INFINITY },
    { sql: `'Zoë 东京 🚗'`, cell: 'Zoë 东京 🚗' },
    { sql: `''`, cell: '' },
    { sql: `'\\x00\\xFF'::BLOB`, cell: new Uint8Array([0, 255]) },
    { sql: `DATE '2024-02-29'`, cell: '2024-02-29' },
    { sql: `TIMESTAMP '2024-02-29 23:59:58'`, cell: '2024-02-29 23:59:58' },
    { sql: `TIMESTAMPTZ '2024-02-29 23:59:58+00'`, cell: '2024-02-29 23:59:58+00' },
    { sql: `TIME '23:59:58'`, cell: '23:59:58' },
    { sql: '[1, 2]', cell: '[1, 2]' },
    { sql: `'a'::ENUM('a', 'b')`, cell: 'a' },
  ],
  bytes: { sql: `'\\x00\\xFF\\x01'::BLOB`, cut: new Uint8Array([0, 255]) },
  writes: [
    `INSERT INTO customers VALUES (9, 'x', NULL)`,
    `INSERT INTO customers VALUES (9, 'x', NULL) RETURNING name`,
    `UPDATE customers SET name = 'x'`,
    'DELETE FROM customers',
    'TRUNCATE customers',
    'DROP TABLE customers',
    'CREATE TABLE t (a INTEGER)',
    'CREATE TEMP TABLE t (a INTEGER)',
    'CREATE TEMP MACRO m() AS 1',
    'ALTER TABLE customers ADD COLUMN a INTEGER',
    `ATTACH '{elsewhere}' AS other`,
    `COPY customers TO '{elsewhere}'`,
    `COPY customers FROM '{itself}'`,
    `EXPORT DATABASE '{elsewhere}'`,
    `SELECT * FROM read_csv('{itself}')`,
    `SELECT * FROM '{itself}'`,
    `SELECT * FROM glob('{elsewhere}*')`,
    // The engine allows every access to the open file itself.
    `COPY customers TO '{itself}'`,
    'SET enable_external_access = true',
    'SET lock_configuration = false',
    'PRAGMA enable_profiling',
    'INSTALL httpfs',
    'LOAD httpfs',
    'CHECKPOINT',
    'VACUUM',
    'BEGIN',
    'CALL pragma_version()',
    `PREPARE p AS SELECT 1`,
    'USE memory',
  ],
  endless:
    'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 1e12) SELECT COUNT(*) FROM n',
  // DuckDB takes its lock for the whole time a writer has the file open.
  lockScript: `
    import { DuckDBInstance } from '@duckdb/node-api';
    await DuckDBInstance.create(process.argv[1]);`,
  damageFrom: 4096,
});
