import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, it } from 'vitest';
import type { DialectName } from '../dialects/dialect.ts';
import { parse } from '../parser/parse.ts';
import type { SqlTree } from '../tree/node.ts';
import { addPredicates } from './add-predicates.ts';
import { filterTables } from './filter-tables.ts';
import { limitRows } from './limit-rows.ts';
import { replaceTables } from './replace-tables.ts';
import { patchText, type RewriteResult } from './rewrite-result.ts';

const TABLES = {
  customers: ['id', 'name', 'region'],
  orders: ['id', 'customer_id', 'amount', 'day'],
  notes: ['id', 'order_id', 'text'],
} as const;
const SCHEMA = {
  tables: Object.entries(TABLES).map(([name, columns]) => ({
    id: name,
    name,
    columns: columns.map((column) => ({ id: `${name}.${column}`, name: column })),
  })),
};
const FILTERS = new Map([
  ['customers', "region = 'north' OR region IS NULL"],
  ['orders', 'amount > 15 AND day IS NOT NULL'],
]);

const ROWS = `
  INSERT INTO customers VALUES (1, 'Ada', 'north'), (2, 'Bo', 'south'), (3, 'Cy', NULL), (4, 'Di', 'north');
  INSERT INTO orders VALUES (1, 1, 10, 1), (2, 1, 20, 2), (3, 2, 30, 2), (4, NULL, 40, 3), (5, 3, 50, NULL),
    (6, 4, 60, 4), (7, 2, 5, 5);
  INSERT INTO notes VALUES (1, 2, 'x'), (2, 3, 'y'), (3, 6, NULL), (4, NULL, 'z');
`;

type Engine = InstanceType<typeof DatabaseSync>;

/** The oracle: a database in which the rows that a filter hides are not there at all. */
function openDatabases(): { readonly whole: Engine; readonly filtered: Engine } {
  const [whole, filtered] = [new DatabaseSync(':memory:'), new DatabaseSync(':memory:')];
  for (const database of [whole, filtered]) {
    for (const [name, columns] of Object.entries(TABLES))
      database.exec(`CREATE TABLE ${name} (${columns.join(', ')})`);
    database.exec(ROWS);
  }
  for (const [table, condition] of FILTERS)
    filtered.exec(`DELETE FROM ${table} WHERE (${condition}) IS NOT TRUE`);
  return { whole, filtered };
}

const { whole, filtered } = openDatabases();

const QUERIES: readonly string[] = [
  'SELECT name FROM customers',
  'SELECT * FROM customers AS c',
  'SELECT c.name, o.amount FROM customers c JOIN orders o ON c.id = o.customer_id',
  'SELECT c.name, o.amount FROM customers c LEFT JOIN orders o ON c.id = o.customer_id',
  'SELECT c.name, o.amount FROM orders o LEFT JOIN customers c ON c.id = o.customer_id WHERE o.day = 2 OR o.day = 4',
  'SELECT c.name, o.amount FROM customers c RIGHT JOIN orders o ON c.id = o.customer_id',
  'SELECT c.name, o.amount FROM customers c FULL JOIN orders o ON c.id = o.customer_id',
  'SELECT name, amount FROM customers, orders WHERE customers.id = customer_id OR amount > 45',
  'SELECT name, (SELECT SUM(amount) FROM orders WHERE customer_id = customers.id) FROM customers',
  'SELECT name FROM customers WHERE id IN (SELECT customer_id FROM orders)',
  'SELECT id FROM notes WHERE (order_id, 1, 20, 2) IN orders OR (2, 1, 20, 2) IN orders',
  'SELECT name FROM customers WHERE NOT EXISTS (SELECT 1 FROM orders WHERE customer_id = customers.id)',
  'SELECT COUNT(*) FROM orders',
  'SELECT region, COUNT(*) FROM customers GROUP BY region HAVING COUNT(*) > 0',
  'SELECT d.region, d.n FROM (SELECT region, COUNT(*) AS n FROM customers GROUP BY region) AS d',
  'WITH notes AS (SELECT * FROM orders WHERE amount < 45) SELECT * FROM notes',
  'WITH big AS (SELECT * FROM orders WHERE amount > 25) SELECT b.id, c.name FROM big b LEFT JOIN customers c ON c.id = b.customer_id',
  'SELECT name FROM customers UNION ALL SELECT CAST(amount AS TEXT) FROM orders',
  'SELECT a.name, b.name FROM customers a JOIN customers b ON a.region = b.region AND a.id < b.id',
  'SELECT c.name, n.text FROM customers c JOIN orders o ON o.customer_id = c.id JOIN notes n ON n.order_id = o.id',
  'SELECT c.name, n.text FROM customers c LEFT JOIN (orders o JOIN notes n ON n.order_id = o.id) ON o.customer_id = c.id',
  'SELECT n.text, o.amount FROM notes n LEFT JOIN orders o ON n.order_id = o.id LEFT JOIN customers c ON c.id = o.customer_id',
  'SELECT text FROM notes -- orders is not read here',
  'SELECT main.customers.name FROM main.customers',
  'SELECT id FROM customers NATURAL JOIN orders',
  'SELECT "customers"."name" FROM "customers"',
  "SELECT name FROM customers WHERE region = 'south' OR region = 'north' -- last",
  'SELECT name, SUM(amount) OVER (PARTITION BY region) FROM customers JOIN orders ON customer_id = customers.id',
  'SELECT o.id FROM orders AS o WHERE o.amount = (SELECT MAX(amount) FROM orders AS i WHERE i.customer_id = o.customer_id)',
];

function treeOf(sql: string, dialect: DialectName = 'sqlite'): SqlTree {
  const parsed = parse(sql, dialect);
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.tree;
}

function textOf(result: RewriteResult): string {
  return result.ok ? result.tree.text : result.reason;
}

function rowsOf(database: Engine, sql: string): readonly string[] {
  const statement = database.prepare(sql);
  return statement
    .all()
    .map((row: unknown) => JSON.stringify(Object.values(row as object)))
    .sort();
}

describe.each([
  ['filterTables', filterTables],
  ['addPredicates', addPredicates],
] as const)('%s', (_, rewrite) => {
  it.each(QUERIES)('gives what a database without the hidden rows gives: %s', (sql) => {
    const result = rewrite(treeOf(sql), FILTERS, SCHEMA);
    expect(result.ok ? '' : result.reason).toBe('');
    expect(rowsOf(whole, textOf(result)), textOf(result)).toEqual(rowsOf(filtered, sql));
  });

  it.each(QUERIES)('keeps the results when the condition is always true: %s', (sql) => {
    const always = new Map(Object.keys(TABLES).map((table) => [table, '1 = 1']));
    const result = rewrite(treeOf(sql), always, SCHEMA);
    expect(rowsOf(whole, textOf(result))).toEqual(rowsOf(whole, sql));
  });

  it('changes nothing where no filtered table is read', () => {
    const sql = 'SELECT text FROM notes /* as it was */ LIMIT 1';
    expect(textOf(rewrite(treeOf(sql), FILTERS, SCHEMA))).toBe(sql);
  });

  it.each([
    ['amount > 1) OR (1 = 1', 'is no condition of its own'],
    ['no_such_column = 1', 'has no meaning'],
    ['amount >', 'does not parse'],
  ])('refuses the condition %s', (condition, reason) => {
    const result = rewrite(treeOf('SELECT id FROM orders'), new Map([['orders', condition]]), SCHEMA);
    expect(result.ok).toBe(false);
    expect(textOf(result)).toMatch(new RegExp(reason));
  });

  it.each([
    ['a name that means nothing', 'SELECT nmae FROM orders', 'sqlite'],
    ['a sample', 'SELECT id FROM orders TABLESAMPLE SYSTEM (10)', 'postgres'],
    ['a version in time', 'SELECT id FROM orders FOR SYSTEM_TIME AS OF x', 'bigquery'],
  ] as const)('refuses %s', (_name, sql, dialect) => {
    expect(rewrite(treeOf(sql, dialect), FILTERS, SCHEMA).ok).toBe(false);
  });
});

/** The filter of one table looks into another, as rights of a person do. */
const BY_RIGHTS = new Map([['orders', 'customer_id IN (SELECT id FROM customers WHERE region IS NOT NULL)']]);

describe.each([
  ['filterTables', filterTables],
  ['addPredicates', addPredicates],
] as const)('%s with a filter that reads another table', (_, rewrite) => {
  it.each([
    'SELECT id FROM orders',
    'SELECT customers.id FROM orders AS customers',
    'SELECT c.id, o.id FROM customers AS o JOIN orders AS c ON c.customer_id = o.id',
  ])('lets no name of the query hide those of the filter: %s', (sql) => {
    const result = rewrite(treeOf(sql), BY_RIGHTS, SCHEMA);
    const allowed = new DatabaseSync(':memory:');
    for (const [name, columns] of Object.entries(TABLES))
      allowed.exec(`CREATE TABLE ${name} (${columns.join(', ')})`);
    allowed.exec(`${ROWS}; DELETE FROM orders WHERE (${BY_RIGHTS.get('orders')}) IS NOT TRUE`);
    expect(rowsOf(whole, textOf(result))).toEqual(rowsOf(allowed, sql));
  });

  it.each([
    'WITH customers AS (SELECT 3 AS id, 1 AS region) SELECT id FROM orders',
    'SELECT id FROM notes WHERE order_id IN (WITH customers AS (SELECT 3 AS id, 1 AS region) SELECT id FROM orders)',
  ])('refuses a query whose CTE would take the place of the table: %s', (sql) => {
    expect(textOf(rewrite(treeOf(sql), BY_RIGHTS, SCHEMA))).toContain('would mean something else');
  });
});

describe('addPredicates', () => {
  it.each([
    ['SELECT id FROM orders', 'SELECT id FROM orders WHERE (orders.amount > 1\n)'],
    [
      'SELECT o.id FROM orders o WHERE o.day = 1 OR o.day = 2',
      'SELECT o.id FROM orders o WHERE (o.day = 1 OR o.day = 2\n) AND (o.amount > 1\n)',
    ],
    [
      'SELECT c.id FROM customers c LEFT JOIN orders o ON o.customer_id = c.id',
      'SELECT c.id FROM customers c LEFT JOIN orders o ON (o.customer_id = c.id\n) AND (o.amount > 1\n)',
    ],
  ])('%s', (sql, expected) => {
    expect(textOf(addPredicates(treeOf(sql), new Map([['orders', 'amount > 1']]), SCHEMA))).toBe(expected);
  });
});

describe('filterTables before MATCH_RECOGNIZE', () => {
  const shown = (table: string) => `(SELECT * FROM ${table} WHERE (amount > 1\n)\n)`;
  it.each([
    [
      `FROM orders MATCH_RECOGNIZE (MEASURES LAST(A.day) AS d PATTERN (A) DEFINE A AS amount > 2)`,
      `FROM ${shown('orders')} MATCH_RECOGNIZE (MEASURES LAST(A.day) AS d PATTERN (A) DEFINE A AS amount > 2)`,
    ],
    [
      'FROM orders AS o MATCH_RECOGNIZE (PATTERN (A) DEFINE A AS A.id IN (SELECT id FROM orders)) AS m',
      `FROM ${shown('orders')} AS o MATCH_RECOGNIZE (PATTERN (A) DEFINE A AS A.id IN (SELECT id FROM ${shown('orders')} AS orders)) AS m`,
    ],
  ])('%s', (sql, expected) => {
    for (const dialect of ['trino', 'snowflake'] as const) {
      const result = filterTables(
        treeOf(`SELECT * ${sql}`, dialect),
        new Map([['orders', 'amount > 1']]),
        SCHEMA,
      );
      expect(textOf(result)).toBe(`SELECT * ${expected}`);
    }
  });

  it('knows no hidden column behind a variable', () => {
    const tree = treeOf(
      `SELECT * FROM orders MATCH_RECOGNIZE (PATTERN (A) DEFINE A AS A."$path" = 'x')`,
      'trino',
    );
    expect(textOf(filterTables(tree, new Map([['orders', 'amount > 1']]), SCHEMA))).toContain(
      'no star shows',
    );
  });

  it('puts no condition behind the matches', () => {
    const tree = treeOf('SELECT * FROM orders MATCH_RECOGNIZE (PATTERN (A) DEFINE A AS TRUE)', 'trino');
    const result = addPredicates(tree, new Map([['orders', 'amount > 1']]), SCHEMA);
    expect(textOf(result)).toContain(`FROM ${shown('orders')} MATCH_RECOGNIZE`);
  });
});

describe('replaceTables', () => {
  it('puts any query in the place of a table, as a mask does', () => {
    const mask = new Map([['customers', "SELECT id, '***' AS name, region FROM customers"]]);
    const result = replaceTables(treeOf('SELECT name FROM customers WHERE id = 1'), mask, SCHEMA);
    expect(textOf(result)).toBe(
      "SELECT name FROM (SELECT id, '***' AS name, region FROM customers\n) AS customers WHERE id = 1",
    );
    expect(rowsOf(whole, textOf(result))).toEqual(['["***"]']);
  });

  it('refuses a query that leaves out a column that is used', () => {
    const result = replaceTables(
      treeOf('SELECT name FROM customers'),
      new Map([['customers', 'SELECT id FROM customers']]),
      SCHEMA,
    );
    expect(textOf(result)).toContain('name has no meaning');
  });
});

const LIMITS: readonly (readonly [DialectName, string, string])[] = [
  ['sqlite', 'SELECT id FROM orders', 'SELECT id FROM orders LIMIT 10'],
  ['sqlite', 'SELECT id FROM orders -- all', 'SELECT id FROM orders LIMIT 10 -- all'],
  ['sqlite', 'SELECT id FROM orders LIMIT 5', 'SELECT id FROM orders LIMIT 5'],
  ['sqlite', 'SELECT id FROM orders LIMIT 5000 OFFSET 3', 'SELECT id FROM orders LIMIT 10 OFFSET 3'],
  ['sqlite', 'SELECT id FROM orders LIMIT 3, 5000', 'SELECT id FROM orders LIMIT 3, 10'],
  [
    'sqlite',
    'SELECT id FROM orders LIMIT -1',
    'SELECT * FROM (SELECT id FROM orders LIMIT -1) AS limited LIMIT 10',
  ],
  [
    'sqlite',
    'SELECT id FROM orders UNION SELECT id FROM notes ORDER BY 1',
    'SELECT id FROM orders UNION SELECT id FROM notes ORDER BY 1 LIMIT 10',
  ],
  [
    'sqlite',
    'SELECT id FROM (SELECT id FROM orders LIMIT 99)',
    'SELECT id FROM (SELECT id FROM orders LIMIT 99) LIMIT 10',
  ],
  [
    'sqlite',
    'WITH o AS (SELECT id FROM orders) SELECT id FROM o;',
    'WITH o AS (SELECT id FROM orders) SELECT id FROM o LIMIT 10;',
  ],
  ['bigquery', 'FROM orders |> WHERE id > 1', 'FROM orders |> WHERE id > 1 |> LIMIT 10'],
  ['bigquery', 'FROM orders |> LIMIT 99 |> SELECT id', 'FROM orders |> LIMIT 99 |> SELECT id |> LIMIT 10'],
  ['bigquery', 'FROM orders |> SELECT id |> LIMIT 99', 'FROM orders |> SELECT id |> LIMIT 10'],
  ['postgres', 'SELECT id FROM orders OFFSET 2', 'SELECT id FROM orders LIMIT 10 OFFSET 2'],
  ['postgres', 'SELECT id FROM orders LIMIT ALL', 'SELECT id FROM orders LIMIT 10'],
  [
    'postgres',
    'SELECT id FROM orders FETCH FIRST 99 ROWS ONLY',
    'SELECT id FROM orders FETCH FIRST 10 ROWS ONLY',
  ],
  ['snowflake', 'SELECT TOP 99 id FROM orders', 'SELECT TOP 10 id FROM orders'],
  ['duckdb', 'FROM orders', 'FROM orders LIMIT 10'],
];

describe('limitRows', () => {
  it.each(LIMITS)('%s: %s', (dialect, sql, expected) => {
    expect(textOf(limitRows(treeOf(sql, dialect), 10, SCHEMA))).toBe(expected);
  });

  it.each(QUERIES)('gives no more rows than asked, and none but those of the query: %s', (sql) => {
    const all = rowsOf(whole, sql);
    const some = rowsOf(whole, textOf(limitRows(treeOf(sql), 2, SCHEMA)));
    expect(some.length).toBe(Math.min(2, all.length));
    for (const row of some) expect(all).toContain(row);
  });

  it('refuses what is no reading query', () => {
    expect(limitRows(treeOf('DELETE FROM orders'), 1, SCHEMA).ok).toBe(false);
    expect(limitRows(treeOf('SELECT id FROM orders FOR UPDATE', 'postgres'), 1, SCHEMA).ok).toBe(false);
  });
});

it('patches do not overlap', () => {
  const patch = (start: number, end: number) => ({ span: { start, end }, text: 'x' });
  expect(patchText('abcdef', [patch(4, 5), patch(0, 2)])).toBe('xcdxf');
  expect(() => patchText('abc', [patch(0, 2), patch(1, 3)])).toThrow('overlap');
});
