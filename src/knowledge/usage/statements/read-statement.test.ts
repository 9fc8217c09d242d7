import { describe, expect, it } from 'vitest';
import { shopCatalog } from '../../../../test/fixtures/usage/shop-catalog.ts';
import { DIALECT_NAMES } from '../../../sql/dialects/dialects.ts';
import type { DialectName } from '../../../sql/index.ts';
import { isPersonalColumn } from './constants.ts';
import { readStatement } from './read-statement.ts';
import type { ReadStatement, StatementContext, StatementReading } from './table-reader.ts';

const SHOP = shopCatalog('postgres');

function read(sql: string, catalog = SHOP, context: StatementContext = {}): StatementReading {
  const columns = new Map(
    catalog.tables.flatMap((table) => table.columns.map((column) => [column.id, column])),
  );
  return readStatement(sql, {
    catalog,
    context,
    isPersonal: () => (id) => isPersonalColumn(columns.get(id) ?? {}),
  });
}

function readOk(sql: string, catalog = SHOP, context: StatementContext = {}): ReadStatement {
  const reading = read(sql, catalog, context);
  if (reading.kind !== 'read') throw new Error(`${sql}: ${JSON.stringify(reading)}`);
  return reading;
}

/** A short text that stands for 2^40 times the columns of a table. */
const DOUBLED = `WITH c0 AS (SELECT * FROM orders)${Array.from({ length: 40 }, (_, n) => `, c${n + 1} AS (SELECT * FROM c${n} a, c${n} b)`).join('')} SELECT * FROM c40`;

const pairsOf = (sql: string): string[] =>
  readOk(sql).joins.map(({ on }) => on.map(([left, right]) => `${left} = ${right}`).join(', '));

/** Every join that a statement says, pair by pair. */
const JOINS: readonly (readonly [what: string, sql: string, joins: readonly string[]])[] = [
  [
    'ON',
    'SELECT 1 FROM orders o JOIN customers c ON o.customer_id = c.id',
    ['customers.id = orders.customer_id'],
  ],
  [
    'WHERE',
    'SELECT 1 FROM orders, customers c WHERE customer_id = c.id AND status = $1',
    ['customers.id = orders.customer_id'],
  ],
  [
    'USING',
    'SELECT 1 FROM order_items JOIN shipments USING (order_id, line_no)',
    ['order_items.line_no = shipments.line_no, order_items.order_id = shipments.order_id'],
  ],
  [
    'NATURAL',
    'SELECT 1 FROM order_items NATURAL JOIN shipments',
    ['order_items.line_no = shipments.line_no, order_items.order_id = shipments.order_id'],
  ],
  [
    'two conditions are one join',
    'SELECT 1 FROM order_items i JOIN shipments s ON i.order_id = s.order_id AND s.line_no = i.line_no',
    ['order_items.line_no = shipments.line_no, order_items.order_id = shipments.order_id'],
  ],
  [
    'one table in two roles is two joins',
    'SELECT 1 FROM orders o JOIN employees s ON s.id = o.seller_id JOIN employees m ON m.id = o.customer_id',
    ['employees.id = orders.customer_id', 'employees.id = orders.seller_id'],
  ],
  [
    'a table with itself',
    'SELECT 1 FROM employees e JOIN employees m ON m.id = e.manager_id',
    ['employees.id = employees.manager_id'],
  ],
  [
    'through a CTE',
    'WITH big AS (SELECT customer_id AS c FROM orders WHERE amount > 10) SELECT name FROM big JOIN customers ON big.c = customers.id',
    ['customers.id = orders.customer_id'],
  ],
  [
    'through a derived table',
    'SELECT 1 FROM (SELECT id AS x FROM customers) q, orders WHERE q.x = orders.customer_id',
    ['customers.id = orders.customer_id'],
  ],
  [
    'a correlated subquery',
    'SELECT 1 FROM customers c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id)',
    ['customers.id = orders.customer_id'],
  ],
  [
    'IN a subquery',
    'SELECT name FROM customers WHERE id IN (SELECT customer_id FROM orders)',
    ['customers.id = orders.customer_id'],
  ],
  ['NOT IN is none', 'SELECT name FROM customers WHERE id NOT IN (SELECT customer_id FROM orders)', []],
  [
    'under OR is none',
    'SELECT 1 FROM orders o, customers c WHERE o.customer_id = c.id OR c.city = o.status',
    [],
  ],
  ['a computed side is none', 'SELECT 1 FROM orders o, customers c WHERE o.customer_id = c.id + 1', []],
  ['within one table is none', 'SELECT 1 FROM orders WHERE customer_id = seller_id', []],
  [
    'an aggregate is none',
    'SELECT 1 FROM products p JOIN (SELECT max(product_id) AS m FROM order_items) x ON x.m = p.id',
    [],
  ],
];

describe('readStatement', () => {
  it.each(JOINS)('joins: %s', (_, sql, joins) => {
    expect(pairsOf(sql)).toEqual(joins);
  });

  it('finds tables and columns through aliases and subqueries', () => {
    const { tables, columns } = readOk(
      'SELECT c.city, count(*) FROM customers c WHERE c.id IN (SELECT o.customer_id FROM orders o WHERE o.amount > 5) GROUP BY 1',
    );
    expect(tables).toEqual(['customers', 'orders']);
    expect(columns).toEqual(['customers.city', 'customers.id', 'orders.amount', 'orders.customer_id']);
  });

  it('does not count the columns of a star', () => {
    expect(readOk('SELECT * FROM orders WHERE status = $1').columns).toEqual(['orders.status']);
  });

  it('keeps unknown tables apart, and takes no example from such a statement', () => {
    const reading = readOk('SELECT 1 FROM orders o JOIN nowhere.invoices i ON i.order_id = o.id');
    expect(reading).toMatchObject({
      tables: ['orders'],
      unknownTables: ['nowhere.invoices'],
      isExample: false,
      joins: [],
    });
    expect(readOk('SELECT nonsense FROM orders').isExample).toBe(false);
  });

  it.each([
    ['SELECT 1', 'no-tables'],
    ["SELECT relname FROM pg_class WHERE relname = 'orders'", 'no-tables'],
    ['SELECT table_name FROM information_schema.tables', 'no-tables'],
    ['UPDATE orders SET amount = 1', 'not-reading'],
    ['DELETE FROM orders', 'not-reading'],
    ["INSERT INTO orders VALUES (1, 2, 3, 'x', 'y', 4)", 'not-reading'],
    ['CREATE VIEW v AS SELECT id FROM orders', 'not-reading'],
    ['CREATE FUNCTION f() RETURNS TABLE (id INT) AS $$ SELECT id FROM orders $$ LANGUAGE sql', 'not-reading'],
    ['EXPLAIN SELECT id FROM orders', 'not-reading'],
    ['BEGIN', 'not-reading'],
    ['SELECT FROM WHERE id', 'not-sql'],
    ["SELECT 'open FROM orders", 'not-sql'],
    [DOUBLED, 'not-sql'],
    [`INSERT INTO archive ${DOUBLED}`, 'not-sql'],
    [`SELECT ${Array(6_000).fill('id').join(', ')} FROM orders`, 'not-sql'],
  ])('%s: %s', (sql, kind) => {
    expect(read(sql).kind).toBe(kind);
  });

  it.each([
    'INSERT INTO archive SELECT id FROM orders',
    'INSERT INTO archive WITH o AS (SELECT id FROM orders) SELECT id FROM o',
    'CREATE TABLE archive AS SELECT id FROM orders',
    'CREATE TABLE archive WITH (fillfactor = 70) AS SELECT id FROM orders',
    'CREATE MATERIALIZED VIEW v AS SELECT id FROM orders',
    'COPY (SELECT id FROM orders) TO STDOUT',
    'DECLARE c CURSOR FOR SELECT id FROM orders',
  ])('counts what it reads, and is no example: %s', (sql) => {
    expect(readOk(sql)).toMatchObject({ tables: ['orders'], columns: ['orders.id'], isExample: false });
  });

  it('reads the constants that PostgreSQL has made placeholders of', () => {
    const sql =
      'SELECT id FROM orders WHERE ordered_on > DATE $1 AND ordered_on < now() - INTERVAL $2 LIMIT $3';
    expect(readOk(sql).columns).toEqual(['orders.id', 'orders.ordered_on']);
  });

  it('gives one key to statements that mean the same, and one shape to those that differ in constants', () => {
    const one = readOk("SELECT o.id FROM orders AS o WHERE o.status = 'paid' AND amount > 10 LIMIT 5");
    const same = readOk("select id from orders where 10 < amount and status = 'paid' limit 5");
    const other = readOk("SELECT id FROM orders WHERE status = 'open' AND amount > -3 LIMIT 7");
    const logged = readOk('SELECT id FROM orders WHERE status = $1 AND amount > $2 LIMIT $3');
    expect(same.key).toBe(one.key);
    expect(other.key).not.toBe(one.key);
    expect(new Set([one, same, other, logged].map(({ shapeKey }) => shapeKey)).size).toBe(1);
    expect(logged.key).toBe(logged.shapeKey);
  });

  it('takes lists of any length for one shape, and columns by place for another', () => {
    const shape = (sql: string) => readOk(sql).shapeKey;
    expect(shape('SELECT id FROM orders WHERE id IN (1, 2, 3)')).toBe(
      shape('SELECT id FROM orders WHERE id IN ($1)'),
    );
    expect(shape('SELECT id, amount FROM orders ORDER BY 1')).not.toBe(
      shape('SELECT id, amount FROM orders ORDER BY 2'),
    );
  });
});

describe('where names are looked up', () => {
  const two = shopCatalog('trino', {
    database: 'hive',
    schemas: ['sales', 'archive'],
    qualified: ['sales', 'archive'],
  });

  it('follows the schema of the session', () => {
    expect(readOk('SELECT id FROM orders', two, { schema: 'archive' }).tables).toEqual(['archive.orders']);
    expect(readOk('SELECT id FROM orders', two, { schema: 'sales' }).tables).toEqual(['sales.orders']);
    const both = readOk('SELECT o.id FROM orders o JOIN sales.orders s ON s.id = o.id', two, {
      schema: 'archive',
    });
    expect(both.tables).toEqual(['archive.orders', 'sales.orders']);
    expect(both.joins).toHaveLength(1);
  });

  it('does not take a table of another schema for one that the catalog lacks', () => {
    expect(readOk('SELECT id FROM orders', two, { schema: 'elsewhere' })).toMatchObject({
      tables: [],
      unknownTables: ['elsewhere.orders'],
    });
  });

  it('knows that a MySQL catalog is of one database', () => {
    const mysql = shopCatalog('mysql');
    expect(readOk('SELECT id FROM orders', mysql, { schema: 'shop' }).tables).toEqual(['orders']);
    expect(readOk('SELECT id FROM shop.orders', mysql, { schema: 'other' }).tables).toEqual(['orders']);
    expect(readOk('SELECT id FROM orders', mysql, { schema: 'other' }).unknownTables).toEqual([
      'other.orders',
    ]);
    expect(readOk('SELECT id FROM other.orders', mysql).unknownTables).toEqual(['other.orders']);
  });

  it('adds what the engine says it read, also for SQL that cannot be parsed', () => {
    const inputs = [{ path: ['hive', 'sales', 'customers'], columns: ['city', 'nonsense'] }];
    const options = { catalog: two, context: { schema: 'sales' }, inputs, isPersonal: () => () => false };
    expect(readStatement('SELECT id FROM orders', options)).toMatchObject({
      tables: ['sales.customers', 'sales.orders'],
      columns: ['sales.customers.city', 'sales.orders.id'],
    });
    expect(readStatement('SELECT FROM FROM', options)).toMatchObject({
      tables: ['sales.customers'],
      isExample: false,
    });
  });
});

/** `true`: a constant may be about a person, so the text is kept without constants. */
const PERSONAL: readonly (readonly [sql: string, isPersonal: boolean])[] = [
  ["SELECT id FROM customers WHERE email = 'someone'", true],
  ["SELECT id FROM customers WHERE lower(email) LIKE 'some%'", true],
  ["SELECT id FROM customers WHERE 'x' IN (email, city)", true],
  ["SELECT id FROM customers WHERE phone IN ('1', '2') AND city = 'Lyon'", true],
  ["SELECT email FROM customers WHERE city = 'Lyon' LIMIT 10", false],
  ["SELECT id FROM orders WHERE status = 'paid' AND ordered_on > '2024-01-01 10:00:00'", false],
  ["SELECT id FROM orders WHERE status = 'someone@example.com'", true],
  ["SELECT id FROM orders WHERE status = '+33 1 23 45 67 89'", true],
  ['SELECT id FROM orders WHERE amount = 4111111111111111', true],
  ["WITH w AS (SELECT 'someone' AS e) SELECT c.id FROM customers c JOIN w ON w.e = c.email", true],
  ["SELECT CASE WHEN email = 'x' THEN 1 END FROM customers", true],
  [
    "SELECT id FROM customers WHERE city = 'Lyon' AND id IN (SELECT id FROM customers WHERE email = 'x')",
    true,
  ],
];

describe('constants about persons', () => {
  it.each(PERSONAL)('%s: %s', (sql, isPersonal) => {
    const { sql: kept, key, shapeKey } = readOk(sql);
    expect(kept.includes("'?'")).toBe(isPersonal);
    expect(key === shapeKey).toBe(isPersonal);
    if (isPersonal) expect(kept).not.toMatch(/'(?:someone|some%|x|1|\+33.*|someone@example.com)'|4111/);
    else expect(kept).toBe(sql);
  });

  it('are all withheld while nothing is known of a column', () => {
    const unprofiled = {
      ...SHOP,
      tables: SHOP.tables.map((table) => ({
        ...table,
        columns: table.columns.map(({ profile: _, ...column }) => column),
      })),
    };
    expect(readOk("SELECT id FROM orders WHERE status = 'paid'", unprofiled).sql).toBe(
      "SELECT id FROM orders WHERE status = '?'",
    );
  });
});

describe('every dialect', () => {
  it.each<DialectName>(DIALECT_NAMES)('%s', (dialect) => {
    const reading = readOk(
      "SELECT c.city, SUM(o.amount) FROM orders o JOIN customers c ON c.id = o.customer_id WHERE o.status = 'x' GROUP BY c.city",
      shopCatalog(dialect),
    );
    expect(reading).toMatchObject({ tables: ['customers', 'orders'], isExample: true });
    expect(reading.joins).toHaveLength(1);
  });
});
