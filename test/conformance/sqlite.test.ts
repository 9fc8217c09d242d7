import { DatabaseSync } from '@photostructure/sqlite';
import { behavesLikeFileDatabase } from './file-database.ts';

behavesLikeFileDatabase('SQLite', {
  scheme: 'sqlite',
  fileEnding: '.db',
  async write(path, statements) {
    const database = new DatabaseSync(path, { enableForeignKeyConstraints: false });
    // A header is only written with the first page, so a database without tables needs a mark.
    database.exec('PRAGMA user_version = 1');
    for (const statement of statements) database.exec(statement);
    database.close();
  },
  setup: [
    `CREATE TABLE "Customers" ("Customer Id" INTEGER PRIMARY KEY, name TEXT NOT NULL, born DATE, untyped)`,
    `CREATE TABLE orders (id INTEGER, line INTEGER, customer INTEGER REFERENCES customers,
       partner INTEGER REFERENCES CUSTOMERS("customer id"), lost INTEGER REFERENCES nowhere(id),
       odd INTEGER REFERENCES customers(no_such_column),
       amount DECIMAL(10,2), total REAL GENERATED ALWAYS AS (amount * 2), PRIMARY KEY (id, line))`,
    'CREATE VIEW names AS SELECT name FROM customers',
    'CREATE VIEW broken AS SELECT gone FROM customers',
    'CREATE VIRTUAL TABLE notes USING fts5(body)',
    `INSERT INTO customers VALUES (1, 'Zoë', '2001-02-03', 1), (2, 'Ng', NULL, 'x'), (3, 'O''Hara', NULL, NULL)`,
    `INSERT INTO orders (id, line, customer, amount) VALUES (1, 1, 1, 9.5)`,
  ],
  schema: {
    tables: [
      {
        name: 'Customers',
        kind: 'table',
        ownsRows: true,
        columns: [
          { name: 'Customer Id', type: 'INTEGER', isNullable: false },
          { name: 'name', type: 'TEXT', isNullable: false },
          { name: 'born', type: 'DATE', isNullable: true },
          { name: 'untyped', type: '', isNullable: true },
        ],
        primaryKey: ['Customer Id'],
      },
      {
        name: 'orders',
        kind: 'table',
        ownsRows: true,
        columns: [
          { name: 'id', type: 'INTEGER', isNullable: false },
          { name: 'line', type: 'INTEGER', isNullable: false },
          { name: 'customer', type: 'INTEGER', isNullable: true },
          { name: 'partner', type: 'INTEGER', isNullable: true },
          { name: 'lost', type: 'INTEGER', isNullable: true },
          { name: 'odd', type: 'INTEGER', isNullable: true },
          { name: 'amount', type: 'DECIMAL(10,2)', isNullable: true },
          { name: 'total', type: 'REAL', isNullable: true },
        ],
        primaryKey: ['id', 'line'],
      },
      {
        name: 'names',
        kind: 'view',
        columns: [{ name: 'name', type: 'TEXT', isNullable: true }],
        primaryKey: [],
      },
      {
        name: 'notes',
        kind: 'table',
        columns: [{ name: 'body', type: '', isNullable: true }],
        primaryKey: [],
      },
    ],
    foreignKeys: [
      { fromTable: 'orders', fromColumns: ['customer'], toTable: 'Customers', toColumns: ['Customer Id'] },
      { fromTable: 'orders', fromColumns: ['partner'], toTable: 'Customers', toColumns: ['Customer Id'] },
    ],
  },
  values: [
    { sql: 'NULL', cell: null },
    { sql: '42', cell: 42 },
    { sql: '9007199254740991', cell: 9007199254740991 },
    { sql: '9007199254740993', cell: 9007199254740993n },
    { sql: '-9223372036854775807', cell: -9223372036854775807n },
    { sql: '1.5', cell: 1.5 },
    { sql: '9e999', cell: Number.POSITIVE_INFINITY },
    { sql: `'Zoë 东京 🚗'`, cell: 'Zoë 东京 🚗' },
    { sql: `''`, cell: '' },
    { sql: `x'00ff'`, cell: new Uint8Array([0, 255]) },
    { sql: `date('2024-02-29')`, cell: '2024-02-29' },
    { sql: `datetime('2024-02-29 23:59:58')`, cell: '2024-02-29 23:59:58' },
    // Text that is not UTF-8 comes with a replacement mark instead of an error.
    { sql: `CAST(x'63e9' AS TEXT)`, cell: 'c\uFFFD' },
    { sql: `"no column of this name"`, cell: 'no column of this name' },
  ],
  bytes: { sql: `x'00ff01'`, cut: new Uint8Array([0, 255]) },
  writes: [
    `INSERT INTO customers VALUES (9, 'x', NULL, NULL)`,
    `INSERT INTO customers VALUES (9, 'x', NULL, NULL) RETURNING name`,
    `WITH x AS (SELECT 9) INSERT INTO customers SELECT 9, 'x', NULL, NULL FROM x`,
    `UPDATE customers SET name = 'x'`,
    'DELETE FROM customers',
    `REPLACE INTO customers VALUES (1, 'x', NULL, NULL)`,
    'DROP TABLE customers',
    'CREATE TABLE t (a)',
    'CREATE TEMP TABLE t (a)',
    'ALTER TABLE customers ADD COLUMN a',
    'REINDEX',
    'ANALYZE',
    'VACUUM',
    `VACUUM INTO '{elsewhere}'`,
    `ATTACH '{elsewhere}' AS other`,
    `ATTACH '{itself}' AS other`,
    'PRAGMA query_only = OFF',
    'PRAGMA user_version = 9',
    'PRAGMA journal_mode = WAL',
    'PRAGMA writable_schema = ON',
    'BEGIN',
    'SAVEPOINT s',
    `SELECT load_extension('{elsewhere}')`,
    `SELECT writefile('{elsewhere}', 'x')`,
    'select 1 /* ; */ ; /* x */ select 2',
    `SELECT ';' ; SELECT 2`,
    '; ; DELETE FROM customers',
  ],
  endless:
    'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 1e12) SELECT COUNT(*) FROM n',
  lockScript: `
    import { DatabaseSync } from '@photostructure/sqlite';
    globalThis.held = new DatabaseSync(process.argv[1]);
    held.exec('BEGIN EXCLUSIVE');`,
  damageFrom: 100,
});
