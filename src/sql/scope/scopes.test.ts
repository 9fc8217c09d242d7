import { DuckDBInstance } from '@duckdb/node-api';
import { DatabaseSync } from '@photostructure/sqlite';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DialectName } from '../dialects/dialect.ts';
import { parse } from '../parser/parse.ts';
import type { SqlTree } from '../tree/node.ts';
import { scopes } from './scopes.ts';
import type { NamedSchema } from './state/schema-index.ts';
import type { Lineage, Output, Reference, Scopes } from './state/scope.ts';

const TABLES: Readonly<Record<string, readonly string[]>> = {
  users: ['id', 'name', 'age', 'country', 'created'],
  orders: ['id', 'user_id', 'total', 'created', 'items', 'payload'],
  products: ['id', 'name', 'price'],
  employees: ['id', 'name', 'manager_id', 'salary'],
  events: ['id', 'user_id', 'kind', 'at'],
  stadium: ['id', 'Name', 'Free Seats'],
  sales: ['region', 'month', 'amount'],
};

const WITHOUT_SCHEMAS = createSchema(undefined);
const WITH_SCHEMAS = createSchema('public');
const EMPTY: NamedSchema = { tables: [] };

function createSchema(schema: string | undefined): NamedSchema {
  return {
    tables: Object.entries(TABLES).map(([name, columns]) => ({
      id: name,
      name,
      schema,
      columns: columns.map((column) => ({ id: `${name}.${column}`.toLowerCase(), name: column })),
    })),
  };
}

function schemaOf(dialect: DialectName): NamedSchema {
  return ['sqlite', 'duckdb', 'mysql'].includes(dialect) ? WITHOUT_SCHEMAS : WITH_SCHEMAS;
}

function treeOf(sql: string, dialect: DialectName): SqlTree {
  const parsed = parse(sql, dialect);
  if (!parsed.ok) throw new Error(`${sql}: ${parsed.error.message}`);
  return parsed.tree;
}

/**
 * What each name means, in the order of the text: `a|b` columns of which the value is one, `=a+b` columns it is
 * computed from, `^` an alias, `*(…)` a star, `?s.x` a column of a source nobody knows, `@s.x` one of no table.
 */
function describeNames({ tree, references, sources }: Scopes): string {
  const meanings: string[] = [];
  for (const node of tree.nodes) {
    const source = sources[node.id];
    if (source?.kind === 'unknown-table') meanings.push(`no table ${source.name}`);
    const reference = references[node.id];
    if (reference !== undefined) meanings.push(describeReference(reference));
    else if (node.type === 'Column') meanings.push('nothing');
  }
  return meanings.join(', ');
}

function describeReference(reference: Reference): string {
  const lineage = describeLineage(reference.lineage);
  switch (reference.kind) {
    case 'column':
      return lineage || `@${dotted(reference.source.name, reference.output.name)}`;
    case 'alias':
      return `^${lineage}`;
    case 'star': {
      const { list, openness } = reference.columns;
      return `*(${list.map((output) => output.name).join(' ')}${openness === 'none' ? '' : ' …'})`;
    }
    case 'row':
      return `row(${reference.source.name})`;
    case 'open':
      return lineage || `?${reference.candidates.map(({ name }) => name).join('|')}.${reference.name}`;
    case 'ambiguous':
      return `either(${reference.candidates.map(({ source, output }) => dotted(source?.name, output.name)).join(' ')})`;
    case 'unknown':
      return `no ${reference.missing} ${reference.name}`;
    default:
      return reference.kind;
  }
}

function dotted(source: string | undefined, name: string | undefined): string {
  return source === undefined ? (name ?? '') : `${source}.${name}`;
}

function describeLineage({ physical, from, open }: Lineage): string {
  const computed = from.length === 0 ? '' : `=${from.map(({ id }) => id).join('+')}`;
  const unknown = open.map(({ source, name }) => `?${dotted(source.name, name)}`).join('');
  return physical.map(({ id }) => id).join('|') + computed + unknown;
}

type Case = readonly [dialect: DialectName, sql: string, meanings: string];

/** Reads `dialect: query`, then `→ meanings` on a line of its own; `--` begins a group. */
function readCases(text: string): readonly Case[] {
  return [...text.matchAll(/^(\w+): (.*)\n {2}→ ?(.*)$/gm)].map(([, dialect, sql, meanings]) => [
    dialect as DialectName,
    sql ?? '',
    meanings ?? '',
  ]);
}

const TRICKY = readCases(`
-- CTEs
sqlite: WITH users AS (SELECT id AS key FROM orders) SELECT key FROM users
  → orders.id, orders.id
duckdb: WITH users AS (SELECT id AS key FROM users) SELECT key FROM users
  → users.id, users.id
sqlite: WITH c(a, b) AS (SELECT name, age FROM users) SELECT a, c.b FROM c
  → users.name, users.age, users.name, users.age
sqlite: WITH RECURSIVE up AS (SELECT id, manager_id FROM employees WHERE id = 1 UNION ALL SELECT e.id, e.manager_id FROM employees e JOIN up ON e.id = up.manager_id) SELECT up.id FROM up
  → employees.id, employees.manager_id, employees.id, employees.id, employees.manager_id, employees.id, employees.manager_id, employees.id

-- correlation
postgres: SELECT name FROM users u WHERE EXISTS (SELECT 1 FROM orders o WHERE o.user_id = u.id)
  → users.name, orders.user_id, users.id
postgres: SELECT name FROM users WHERE EXISTS (SELECT 1 FROM orders WHERE user_id = age)
  → users.name, orders.user_id, users.age
postgres: SELECT name FROM users WHERE id IN (SELECT id FROM orders)
  → users.name, users.id, orders.id
postgres: SELECT u.name FROM users u WHERE EXISTS (SELECT 1 FROM orders u WHERE u.total > 1)
  → users.name, orders.total

-- set operations
postgres: SELECT name AS n FROM users UNION SELECT country FROM users ORDER BY n
  → users.name, users.country, ^users.name|users.country
sqlite: SELECT name FROM users UNION SELECT country FROM users ORDER BY country
  → users.name, users.country, ^users.country

-- alias precedence
sqlite: SELECT -age AS age FROM users ORDER BY age
  → users.age, ^=users.age
postgres: SELECT -age AS age FROM users ORDER BY age + 1
  → users.age, users.age
postgres: SELECT country AS name, count(*) FROM users GROUP BY name
  → users.country, *(), users.name
bigquery: SELECT UPPER(country) AS name, COUNT(*) FROM users GROUP BY name
  → users.country, *(), ^=users.country
mysql: SELECT country AS c, COUNT(*) AS n FROM users GROUP BY c HAVING n > 1
  → users.country, *(), ^users.country, ^
postgres: SELECT country, count(*) AS n FROM users GROUP BY country HAVING n > 1
  → users.country, *(), users.country, no column n
snowflake: SELECT age + 1 AS next, next * 2 AS twice FROM users WHERE next > 3
  → users.age, ^=users.age, ^=users.age
duckdb: SELECT age + 1 AS next, next * 2 AS twice FROM users
  → users.age, ^=users.age
postgres: SELECT age + 1 AS next, next * 2 AS twice FROM users
  → users.age, no column next

-- joins
postgres: SELECT a.name, b.name FROM employees a JOIN employees b ON a.manager_id = b.id
  → employees.name, employees.name, employees.manager_id, employees.id
postgres: SELECT id, a.name FROM users a JOIN products b USING (id)
  → users.id|products.id, users.name, users.id|products.id
postgres: SELECT id, name, age, price FROM users NATURAL JOIN products
  → users.id|products.id, users.name|products.name, users.age, products.price
postgres: SELECT name FROM users JOIN products ON users.id = products.id
  → either(users.name products.name), users.id, products.id
sqlite: SELECT u.name FROM users u JOIN orders o ON o.id = p.id JOIN products p ON 1
  → users.name, orders.id, products.id

-- stars
postgres: SELECT d.age FROM (SELECT * FROM users) d
  → users.age, *(id name age country created)
postgres: WITH c AS (SELECT u.*, o.total FROM users u JOIN orders o ON o.user_id = u.id) SELECT name, total FROM c
  → *(id name age country created), orders.total, orders.user_id, users.id, users.name, orders.total
bigquery: SELECT name FROM (SELECT * EXCEPT (age) FROM users)
  → users.name, *(id name country created), users.age
bigquery: SELECT age FROM (SELECT * EXCEPT (age) FROM users)
  → no column age, *(id name country created), users.age
duckdb: SELECT name FROM (SELECT * REPLACE (upper(country) AS name) FROM users)
  → =users.country, *(id name age country created), users.country

-- quoting
sqlite: SELECT "Free Seats", \`Free Seats\`, [Free Seats] FROM stadium
  → stadium.free seats, stadium.free seats, stadium.free seats
sqlite: SELECT name FROM users WHERE country = "France" AND "name" = 'x'
  → users.name, users.country, text, users.name
postgres: SELECT name FROM users WHERE country = "France"
  → users.name, users.country, no column France
sqlite: SELECT U.NAME FROM Users u ORDER BY u.Age
  → users.name, users.age

-- lateral, functions, arrays
postgres: SELECT u.name, d.total FROM users u, LATERAL (SELECT total FROM orders WHERE user_id = u.id) d
  → users.name, orders.total, orders.total, orders.user_id, users.id
postgres: SELECT d.total FROM users u, (SELECT u.id AS total) d
  → @d.total, no source u
snowflake: SELECT o.id, f.value:price, f.index FROM orders o, LATERAL FLATTEN(input => o.items) f
  → orders.id, =orders.items, =orders.items, orders.items
snowflake: SELECT value FROM orders, TABLE(FLATTEN(items)) WHERE key = 'x'
  → =orders.items, orders.items, =orders.items
bigquery: SELECT o.id, item.price, item FROM orders o, UNNEST(o.items) AS item
  → orders.id, =orders.items, =orders.items, orders.items
trino: SELECT id, x FROM orders CROSS JOIN UNNEST(items) AS u(x)
  → orders.id, =orders.items, orders.items
bigquery: SELECT payload.customer.city, o.payload.zip FROM orders o
  → orders.payload, orders.payload
duckdb: SELECT payload.customer.city, o.payload.zip FROM orders o
  → orders.payload, orders.payload
postgres: SELECT payload.zip FROM orders
  → no source payload
snowflake: SELECT payload:customer.city::string AS city FROM orders WHERE city = 'x'
  → orders.payload, ^=orders.payload
postgres: SELECT payload->>'zip', payload->'a'->>'b' FROM orders
  → orders.payload, orders.payload

-- windows
snowflake: SELECT name, ROW_NUMBER() OVER (PARTITION BY country ORDER BY age) AS r FROM users QUALIFY r = 1
  → users.name, users.country, users.age, ^=users.country+users.age
postgres: SELECT rank() OVER w FROM users WINDOW w AS (PARTITION BY country ORDER BY age)
  → users.country, users.age

-- the rest
postgres: SELECT (name, age) IN (SELECT name, total FROM orders JOIN products ON orders.id = products.id) FROM users
  → users.name, users.age, products.name, orders.total, orders.id, products.id
duckdb: FROM users WHERE age > 1
  → users.age
duckdb: FROM users SELECT name
  → users.name
postgres: SELECT public.users.name FROM public.users
  → users.name
snowflake: SELECT * FROM sales PIVOT (SUM(amount) FOR month IN ('jan', 'feb')) AS p ORDER BY region
  → *(region …), sales.amount, sales.month, sales.region
bigquery: SELECT ARRAY_AGG(STRUCT(name, age AS years)) FROM users
  → users.name, users.age
`);

const MORE = readCases(`
-- aliases per clause and dialect
sqlite: SELECT age AS n FROM users WHERE n > 1
  → users.age, ^users.age
sqlite: SELECT age AS n FROM users GROUP BY n HAVING n > 1 ORDER BY n + 1
  → users.age, ^users.age, ^users.age, ^users.age
sqlite: SELECT country AS age FROM users WHERE age > 1
  → users.country, users.age
sqlite: SELECT u.name AS n FROM users u JOIN orders o ON n = o.id
  → users.name, ^users.name, orders.id
sqlite: SELECT age + 1 AS n, n + 1 FROM users
  → users.age, no column n
sqlite: SELECT u.name FROM users u JOIN products p ON u.id = p.id ORDER BY name
  → users.name, users.id, products.id, either(u.name p.name)
sqlite: SELECT u.name AS name FROM users u JOIN products p ON u.id = p.id ORDER BY name
  → users.name, users.id, products.id, ^users.name
postgres: SELECT u.name FROM users u JOIN products p ON u.id = p.id ORDER BY name
  → users.name, users.id, products.id, users.name
postgres: SELECT age AS n FROM users WHERE n > 1
  → users.age, no column n
postgres: SELECT age AS n FROM users GROUP BY n ORDER BY n
  → users.age, ^users.age, ^users.age
postgres: SELECT age AS n FROM users ORDER BY n + 1
  → users.age, no column n
postgres: SELECT age AS n FROM users GROUP BY n + 1
  → users.age, no column n
postgres: SELECT DISTINCT ON (n) age AS n FROM users
  → ^users.age, users.age
duckdb: SELECT age AS n FROM users WHERE n > 1
  → users.age, ^users.age
duckdb: SELECT age AS n, count(*) FROM users GROUP BY n HAVING n > 1
  → users.age, *(), ^users.age, ^users.age
duckdb: SELECT age + 1 AS n FROM users GROUP BY n + 0
  → users.age, no column n
duckdb: SELECT -age AS age FROM users GROUP BY users.age HAVING age < 0
  → users.age, users.age, users.age
duckdb: SELECT next + 1, age AS next FROM users
  → no column next, users.age
mysql: SELECT age AS n FROM users WHERE n > 1
  → users.age, no column n
mysql: SELECT -age AS age FROM users HAVING age < 0
  → users.age, users.age
mysql: SELECT age AS n FROM users ORDER BY n, n + 1
  → users.age, ^users.age, ^users.age
trino: SELECT age AS n FROM users ORDER BY n + 1
  → users.age, ^users.age
trino: SELECT age AS n, count(*) FROM users GROUP BY n
  → users.age, *(), no column n
snowflake: SELECT country AS name FROM users GROUP BY name
  → users.country, users.name
snowflake: SELECT -age AS age FROM users ORDER BY age
  → users.age, ^=users.age
snowflake: SELECT user_id AS u, SUM(total) AS total FROM orders GROUP BY u HAVING SUM(total) > 5 ORDER BY total DESC
  → orders.user_id, orders.total, ^orders.user_id, orders.total, ^=orders.total
bigquery: SELECT age AS n FROM users WHERE n > 1
  → users.age, no column n
bigquery: SELECT age + 1 AS n, n + 1 FROM users
  → users.age, no column n
bigquery: SELECT user_id AS u, SUM(total) AS total FROM orders GROUP BY u HAVING total > 5 ORDER BY SUM(total)
  → orders.user_id, orders.total, ^orders.user_id, ^=orders.total, orders.total
bigquery: SELECT name, age AS country FROM users QUALIFY ROW_NUMBER() OVER (ORDER BY country) = 1
  → users.name, users.age, ^users.age
sqlite: SELECT age AS n FROM users WHERE EXISTS (SELECT 1 FROM orders WHERE user_id = n)
  → users.age, orders.user_id, ^users.age
sqlite: SELECT (SELECT id FROM orders ORDER BY users.age LIMIT 1) FROM users
  → orders.id, users.age

-- joins
postgres: SELECT u.name FROM users u, orders o JOIN products p ON p.id = u.id
  → users.name, products.id, no source u
sqlite: SELECT u.name FROM users u, orders o JOIN products p ON p.id = u.id
  → users.name, products.id, users.id
postgres: SELECT u.name FROM users u JOIN orders o ON o.id = p.id JOIN products p ON TRUE
  → users.name, orders.id, no source p
postgres: SELECT id FROM users JOIN products USING (id) JOIN employees USING (id)
  → users.id|products.id|employees.id, users.id|products.id, users.id|products.id|employees.id
postgres: SELECT id FROM users JOIN products USING (id) JOIN employees e ON e.name = users.name
  → either(users.id e.id), users.id|products.id, employees.name, users.name
duckdb: SELECT id FROM users JOIN products USING (id) JOIN employees e ON e.name = users.name
  → users.id|products.id, users.id|products.id, employees.name, users.name
postgres: SELECT * FROM users JOIN products USING (id)
  → *(id name age country created name price), users.id|products.id
postgres: SELECT price FROM users JOIN products USING (price)
  → products.price, no column price
postgres: SELECT users.id, products.id FROM users JOIN products USING (id)
  → users.id, products.id, users.id|products.id
postgres: SELECT x.total FROM (users u JOIN orders o ON u.id = o.user_id) AS x
  → orders.total, users.id, orders.user_id
postgres: SELECT u.name FROM (users u JOIN orders o ON u.id = o.user_id) JOIN products p ON p.id = o.id
  → users.name, users.id, orders.user_id, products.id, orders.id
postgres: SELECT 1 FROM users u JOIN orders o JOIN products p ON p.id = o.id ON o.user_id = u.id
  → products.id, orders.id, orders.user_id, users.id
duckdb: SELECT name FROM users SEMI JOIN products ON users.id = products.id
  → users.name, users.id, products.id
duckdb: SELECT a.total, b.kind FROM orders a ASOF JOIN events b ON a.user_id = b.user_id AND a.created >= b.at
  → orders.total, events.kind, orders.user_id, events.user_id, orders.created, events.at
sqlite: SELECT users.name FROM users JOIN users
  → either(users.name users.name)

-- derived tables and CTEs
sqlite: SELECT d.id FROM (SELECT u.id, p.id FROM users u JOIN products p ON u.id = p.id) d
  → users.id, users.id, products.id, users.id, products.id
postgres: SELECT d.id FROM (SELECT u.id, p.id FROM users u JOIN products p ON u.id = p.id) d
  → either(d.id), users.id, products.id, users.id, products.id
sqlite: SELECT n FROM (SELECT name AS n FROM users UNION ALL SELECT price FROM products)
  → users.name|products.price, users.name, products.price
duckdb: SELECT d.x FROM users u, (SELECT u.name AS x) d
  → users.name, users.name
mysql: SELECT d.x FROM (SELECT name, age FROM users) AS d (x, y)
  → users.name, users.name, users.age
postgres: SELECT d.count, d.max FROM (SELECT count(*), max(age) FROM users) d
  → @d.count, =users.age, *(), users.age
trino: SELECT _col0 FROM (SELECT count(*) FROM users)
  → @, *()
bigquery: SELECT f0_ FROM (SELECT MAX(age) FROM users)
  → =users.age, users.age
sqlite: SELECT "max(age)" FROM (SELECT max(age) FROM users)
  → =users.age, users.age
sqlite: WITH a AS (SELECT * FROM b), b AS (SELECT name FROM users) SELECT name FROM a
  → *(name), users.name, users.name
postgres: WITH a AS (SELECT * FROM b), b AS (SELECT name FROM users) SELECT name FROM a
  → *( …), no table b, users.name, ?a.name
postgres: WITH RECURSIVE r (i, n) AS (SELECT id, name FROM users UNION ALL SELECT i + 1, n FROM r WHERE i < 5) SELECT i, n FROM r
  → users.id, users.name, users.id=users.id, users.name, users.id=users.id, users.id=users.id, users.name
duckdb: WITH RECURSIVE r AS (SELECT id AS a, age AS b FROM users UNION ALL SELECT b, a FROM r) SELECT a FROM r
  → users.id, users.age, users.age|users.id, users.id|users.age, users.id|users.age
snowflake: WITH r AS (SELECT id AS a FROM users UNION ALL SELECT a + 1 FROM r) SELECT a FROM r
  → users.id, users.id=users.id, users.id=users.id
postgres: WITH a AS (SELECT id FROM users) SELECT (WITH a AS (SELECT name FROM products) SELECT name FROM a), id FROM a
  → users.id, products.name, products.name, users.id
postgres: WITH a AS (INSERT INTO orders VALUES (1) RETURNING id) SELECT id FROM a
  → ?a.id
sqlite: SELECT name FROM users WHERE id IN orders
  → users.name, users.id, row(orders)

-- set operations
sqlite: SELECT name FROM users UNION SELECT name FROM products ORDER BY age
  → users.name, products.name, no column age
sqlite: SELECT max(users.age) FROM users UNION SELECT 1 ORDER BY max(users.age)
  → users.age, users.age
postgres: (SELECT name AS n FROM users ORDER BY age) UNION ALL (SELECT name FROM products ORDER BY price) ORDER BY n
  → users.name, users.age, products.name, products.price, ^users.name|products.name
duckdb: SELECT name, age FROM users UNION ALL BY NAME SELECT price, name FROM products ORDER BY price
  → users.name, users.age, products.price, products.name, ^products.price

-- stars
snowflake: SELECT * EXCLUDE age RENAME (name AS n) FROM users ORDER BY n
  → *(id n country created), users.age, users.name, ^users.name
duckdb: SELECT * EXCLUDE (nothing) FROM users
  → *(id name age country created), no column nothing
duckdb: SELECT d.n FROM (SELECT u.* RENAME (name AS n) FROM users u) d
  → users.name, *(id n age country created), users.name
bigquery: SELECT u.*, COUNT(*) OVER () FROM users u
  → *(id name age country created), *()
duckdb: SELECT COLUMNS('a.*') FROM users
  →
postgres: SELECT x.* FROM users
  → no source x
postgres: SELECT (u).name, (u).* FROM users u
  → users.name, row(u)
bigquery: SELECT payload.* FROM orders
  → orders.payload

-- rows, hidden columns, units, parameters
postgres: SELECT to_json(u) FROM users u
  → row(u)
mysql: SELECT u FROM users u
  → no column u
postgres: SELECT ctid FROM users
  → hidden
sqlite: SELECT rowid, u._rowid_ FROM users u
  → hidden, hidden
sqlite: SELECT rowid FROM (SELECT name FROM users)
  → no column rowid, users.name
snowflake: SELECT DATEDIFF(day, created, CURRENT_DATE), DATE_TRUNC(month, created) FROM orders
  → orders.created, orders.created
bigquery: SELECT DATE_DIFF(created, CURRENT_DATE(), DAY), DATE_TRUNC(created, WEEK(MONDAY)) FROM orders
  → orders.created, orders.created
mysql: SELECT TIMESTAMPDIFF(MONTH, created, NOW()), created + INTERVAL 1 DAY FROM orders
  → orders.created, orders.created
postgres: SELECT EXTRACT(YEAR FROM created) FROM orders
  → orders.created
duckdb: SELECT list_transform(items, x -> x + age), [y + 1 FOR y IN items IF y > id] FROM orders
  → orders.items, parameter, no column age, parameter, orders.items, parameter, orders.id
trino: SELECT filter(items, x -> x > total) FROM orders
  → orders.items, parameter, orders.total

-- functions and arrays
sqlite: SELECT value, json_each.key FROM orders, json_each(orders.items)
  → =orders.items, =orders.items, orders.items
postgres: SELECT g, n.n FROM generate_series(1, 3) AS g, generate_series(1, 3) AS n (n)
  → @g.g, @n.n
postgres: SELECT e->>'x', e.value FROM orders o, jsonb_array_elements(o.items) AS e
  → row(e), =orders.items, orders.items
postgres: SELECT x.a FROM orders, jsonb_to_recordset(items) AS x (a int, b text)
  → =orders.items, orders.items
postgres: SELECT item, place FROM orders, unnest(items) WITH ORDINALITY AS u (item, place)
  → =orders.items, =orders.items, orders.items
duckdb: SELECT range, r.range FROM range(3) r
  → @r.range, @r.range
duckdb: SELECT unnest FROM orders, unnest(items)
  → =orders.items, orders.items
bigquery: SELECT i, off FROM orders, UNNEST(items) AS i WITH OFFSET off
  → =orders.items, @i.off, orders.items
bigquery: SELECT item.sku, sku, total FROM orders AS o, o.items AS item
  → =orders.items, =orders.items, orders.total, orders.items
bigquery: SELECT id FROM orders WHERE EXISTS (SELECT 1 FROM UNNEST(items) AS item WHERE item.id = user_id)
  → orders.id, orders.items, =orders.items, orders.user_id
bigquery: SELECT (SELECT SUM(price) FROM UNNEST(items)) FROM orders
  → =orders.items, orders.items
trino: SELECT k, v FROM orders CROSS JOIN UNNEST(payload) AS m (k, v)
  → =orders.payload, =orders.payload, orders.payload
snowflake: SELECT f.value:name::STRING, g.value FROM orders o, LATERAL FLATTEN(input => o.payload:items) f, LATERAL FLATTEN(f.value:tags) g
  → =orders.payload, =orders.payload, orders.payload, =orders.payload
snowflake: SELECT t.$1, price FROM VALUES (1, 2) AS t
  → @t.column1, no column price
snowflake: SELECT seq, value FROM TABLE(SPLIT_TO_TABLE('a,b', ','))
  → @SPLIT_TO_TABLE.seq, @SPLIT_TO_TABLE.value
postgres: SELECT column1, v.column2 FROM (VALUES (1, 'a'), (2, 'b')) AS v
  → @v.column1, @v.column2
duckdb: SELECT col0 FROM (VALUES (1), (2)) v
  → @v.col0
postgres: SELECT v.b FROM (VALUES (1, 2)) AS v (a, b)
  → @v.b
duckdb: SELECT * FROM read_csv('x.csv') WHERE anything = 1
  → *( …), ?read_csv.anything

-- pivots
bigquery: SELECT region, jan FROM sales PIVOT (SUM(amount) FOR month IN ('jan', 'feb'))
  → sales.region, ?sales.jan, sales.amount, sales.month
duckdb: SELECT u.region, u.v, u.n FROM sales UNPIVOT (v FOR n IN (amount)) AS u
  → sales.region, sales.amount, @u.n, ^sales.amount, ^, sales.amount
snowflake: SELECT region, month FROM (SELECT region, amount AS a, 2 AS b FROM sales) UNPIVOT (amount FOR month IN (a, b))
  → sales.region, @month, sales.region, sales.amount, ^sales.amount, ^, sales.amount, @b

-- row patterns
trino: SELECT region, top, m.first FROM sales MATCH_RECOGNIZE (PARTITION BY region ORDER BY month MEASURES LAST(U.amount) AS top, A.month AS first PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS amount > PREV(amount)) AS m
  → sales.region, =sales.amount, =sales.month+sales.amount, sales.region, sales.month, sales.amount, sales.month, sales.amount, sales.amount
trino: SELECT month, sales.region FROM sales MATCH_RECOGNIZE (PARTITION BY region MEASURES CLASSIFIER() AS c PATTERN (A) DEFINE A AS sales.amount > 1 AND Z.amount > 1 AND A.secret > 1)
  → no column month, no source sales, sales.region, no source sales, no source Z, no column A.secret
trino: SELECT a, b, c, d FROM sales AS s MATCH_RECOGNIZE (PARTITION BY region ORDER BY month MEASURES COUNT(A.*) AS n ALL ROWS PER MATCH PATTERN (A) DEFINE A AS amount > (SELECT AVG(A.age) FROM users AS a)) AS m (a, b, c, d)
  → sales.region, sales.month, =sales.region+sales.month+sales.amount+users.age, sales.amount, sales.region, sales.month, *(region month amount), sales.amount, users.age
snowflake: SELECT * FROM sales MATCH_RECOGNIZE (MEASURES 1 AS n ALL ROWS PER MATCH PATTERN (a) DEFINE a AS a.region = 'x' AND b = 1)
  → *(region month amount n), sales.region, no column b
snowflake: SELECT company FROM unknown MATCH_RECOGNIZE (PARTITION BY company PATTERN (a) DEFINE a AS a.price > 1)
  → ?company, no table unknown, ?company, ?a.price

-- schemas
snowflake: SELECT o.id FROM db.public.orders o
  → orders.id
bigquery: SELECT id FROM \`proj.public.orders\`
  → orders.id
postgres: SELECT other.users.name FROM users
  → no source other.users
postgres: SELECT name FROM other.users
  → ?users.name, no table users
sqlite: SELECT main.users.name, temp.users.age FROM main.users
  → users.name, no source temp.users
sqlite: SELECT nmae, x.age FROM users
  → no column nmae, no source x
bigquery: SELECT user_id FROM \`proj.public.event*\`
  → events.user_id
mysql: SELECT u.name FROM users u JOIN (orders o, products p) ON o.user_id = u.id AND p.id = o.id
  → users.name, orders.user_id, users.id, products.id, orders.id
mysql: SELECT j.a FROM orders, JSON_TABLE(items, '$[*]' COLUMNS (a INT PATH '$.a')) AS j
  → =orders.items, orders.items
mysql: SELECT name FROM users WHERE country = "France"
  → users.name, users.country
mysql: SELECT \`u\`.\`name\`, "x" FROM \`users\` \`u\`
  → users.name
mysql: SELECT @row := id, @row FROM users
  → users.id
mysql: SELECT shop.orders.total FROM shop.orders
  → orders.total
mysql: SELECT GROUP_CONCAT(DISTINCT name ORDER BY age SEPARATOR ', ') FROM users
  → users.name, users.age
mysql: SELECT MATCH (name, country) AGAINST ('x') FROM users
  → users.name, users.country
mysql: SELECT column_0 FROM (VALUES ROW(1, 2)) AS v
  → @v.column_0
mysql: SELECT name FROM users u LEFT JOIN LATERAL (SELECT total FROM orders WHERE user_id = u.id) o ON TRUE WHERE o.total > 1
  → users.name, orders.total, orders.user_id, users.id, orders.total
trino: SELECT t.x, t.n FROM orders CROSS JOIN UNNEST(items, payload) WITH ORDINALITY AS t (x, y, n)
  → =orders.items, @t.n, orders.items, orders.payload
trino: SELECT "$path" FROM orders
  → hidden
trino: SELECT payload.a.b, o.payload.c FROM orders o
  → orders.payload, orders.payload
trino: SELECT reduce(items, 0, (s, x) -> s + x, s -> s) FROM orders
  → orders.items, parameter, parameter, parameter
trino: SELECT u.name FROM catalog1.public.users u
  → users.name
trino: SELECT v.a FROM (VALUES (1, 2), (3, 4)) AS v (a, b)
  → @v.a
trino: SELECT count(*) FILTER (WHERE age > 1) FROM users
  → *(), users.age
trino: SELECT count_if(age > 1), u.* FROM users u GROUP BY GROUPING SETS ((country), (name, country))
  → users.age, *(id name age country created), users.country, users.name, users.country
trino: SELECT nope FROM UNNEST(ARRAY[1, 2]) AS u (x)
  → no column nope
snowflake: SELECT * FROM users SAMPLE (10)
  → *(id name age country created)
snowflake: SELECT u.name FROM users u ASOF JOIN events e MATCH_CONDITION (u.created >= e.at) ON u.id = e.user_id
  → users.name, users.created, events.at, users.id, events.user_id
snowflake: SELECT OBJECT_CONSTRUCT(*) AS o FROM users
  → *(id name age country created)
snowflake: SELECT name FROM users WHERE age = (SELECT MAX(age) FROM users u2 WHERE u2.country = users.country)
  → users.name, users.age, users.age, users.country, users.country
snowflake: SELECT COUNT(DISTINCT user_id, kind) FROM events
  → events.user_id, events.kind
snowflake: SELECT PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY total) FROM orders
  → orders.total
snowflake: SELECT f.seq, f.key, f.path, f.index, f.value, f.this, f.nope FROM orders, TABLE(FLATTEN(input => items, outer => TRUE)) f
  → =orders.items, =orders.items, =orders.items, =orders.items, =orders.items, =orders.items, no column f.nope, orders.items
snowflake: SELECT LISTAGG(name, ',') WITHIN GROUP (ORDER BY name) OVER (PARTITION BY country) FROM users
  → users.name, users.name, users.country
snowflake: SELECT LAG(total) IGNORE NULLS OVER (ORDER BY created) FROM orders
  → orders.total, orders.created
snowflake: WITH RECURSIVE t AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM t WHERE n < 5) SELECT n FROM t
  → @t.n, @t.n, @t.n
bigquery: SELECT AS STRUCT id, name FROM users
  → users.id, users.name
bigquery: SELECT ARRAY(SELECT AS STRUCT total, created FROM orders WHERE user_id = u.id) FROM users u
  → orders.total, orders.created, orders.user_id, users.id
bigquery: SELECT name FROM users WHERE id IN UNNEST([1, 2])
  → users.name, users.id
bigquery: SELECT name FROM users, UNNEST([1, 2]) AS n WHERE n = id
  → users.name, @n.n, users.id
bigquery: SELECT u FROM users AS u
  → row(u)
bigquery: SELECT orders.id FROM public.orders
  → orders.id
bigquery: SELECT e.kind FROM \`proj.public.events_2020*\` e WHERE _TABLE_SUFFIX = '1'
  → ?e.kind, no table e, hidden
bigquery: SELECT COUNT(*) FROM orders o LEFT JOIN UNNEST(o.items) item ON item.id = o.id
  → *(), orders.items, =orders.items, orders.id
bigquery: SELECT s.n FROM (SELECT STRUCT(name AS n) AS s FROM users)
  → =users.name, users.name
bigquery: SELECT * REPLACE (age + 1 AS age) FROM users ORDER BY age
  → *(id name age country created), users.age, ^=users.age
bigquery: SELECT SAFE_DIVIDE(total, id), SAFE.SUBSTR(payload, 1) FROM orders
  → orders.total, orders.id, orders.payload
duckdb: SELECT struct_pack(a := age).a, {'b': name}.b FROM users
  → users.age, users.name
duckdb: SELECT max(total) OVER w FROM orders WINDOW w AS (PARTITION BY user_id ORDER BY created)
  → orders.total, orders.user_id, orders.created
duckdb: FROM (FROM users SELECT name AS n) SELECT n
  → users.name, users.name
duckdb: SELECT * FROM 'file.csv' f WHERE f.x = y
  → *( …), no table f, ?f.x, ?f.y
duckdb: SELECT name.upper() FROM users
  → users.name
duckdb: SELECT u.a, b FROM (VALUES (1, 2)) u(a, b)
  → @u.a, @u.b
duckdb: SELECT g.generate_series, g FROM generate_series(1, 2) AS g
  → @g.generate_series, row(g)
duckdb: SELECT total FROM users JOIN LATERAL (SELECT sum(total) AS total FROM orders WHERE user_id = users.id) ON true
  → =orders.total, orders.total, orders.user_id, users.id
duckdb: SELECT name FROM users ANTI JOIN products USING (id)
  → users.name, users.id|products.id
duckdb: SELECT price FROM users ANTI JOIN products USING (id)
  → no column price, users.id|products.id
duckdb: SELECT name FROM users GROUP BY ALL ORDER BY ALL
  → users.name
duckdb: SELECT total: age + 1, double: total * 2 FROM users
  → users.age, ^=users.age
postgres: SELECT name FROM users WHERE (age, country) = (SELECT total, payload FROM orders LIMIT 1)
  → users.name, users.age, users.country, orders.total, orders.payload
postgres: SELECT array(SELECT total FROM orders WHERE user_id = u.id) FROM users u
  → orders.total, orders.user_id, users.id
postgres: SELECT u.name FROM users AS u WHERE users.age > 1
  → users.name, no source users
postgres: SELECT sum(total) FILTER (WHERE created > now()) FROM orders
  → orders.total, orders.created
postgres: SELECT string_agg(name, ',' ORDER BY age DESC) FROM users
  → users.name, users.age
postgres: SELECT s.i FROM generate_series(1, 3) WITH ORDINALITY AS s (i, o)
  → @s.i
postgres: SELECT ordinality FROM unnest(ARRAY[1, 2]) WITH ORDINALITY
  → @ordinality
postgres: SELECT key, value FROM json_each('{}')
  → @json_each.key, @json_each.value
postgres: SELECT d.coalesce, d."case", d.name FROM (SELECT coalesce(age, 1), CASE WHEN age > 1 THEN 1 END, name::text FROM users) d
  → =users.age, =users.age, =users.name, users.age, users.age, users.name
postgres: SELECT x FROM unnest(ARRAY[1]) x
  → @x.x
postgres: SELECT id FROM orders GROUP BY ROLLUP (id, total) HAVING grouping(id) = 0
  → orders.id, orders.id, orders.total, orders.id
postgres: SELECT name FROM users FETCH FIRST 3 ROWS ONLY
  → users.name
postgres: SELECT name FROM users LIMIT (SELECT count(*) FROM orders)
  → users.name, *()
postgres: SELECT * FROM (SELECT 1 AS a) x NATURAL JOIN (SELECT 2 AS a, 3 AS b) y WHERE a = b
  → *(a b), @x.a, @y.b
postgres: SELECT u.id FROM users u FULL JOIN products p USING (id) WHERE id > 1 ORDER BY u.id
  → users.id, users.id|products.id, users.id|products.id, users.id
sqlite: SELECT u.name FROM users u LEFT JOIN orders o ON o.user_id = u.id AND o.total > (SELECT avg(total) FROM orders)
  → users.name, orders.user_id, users.id, orders.total, orders.total
sqlite: SELECT name FROM users WHERE age BETWEEN (SELECT min(total) FROM orders) AND 9
  → users.name, users.age, orders.total
sqlite: SELECT CASE age WHEN id THEN name ELSE country END FROM users
  → users.age, users.id, users.name, users.country
sqlite: SELECT t.name FROM users AS 't'
  → users.name
sqlite: SELECT a.id, b.id FROM users a, users b WHERE a.age = b.age
  → users.id, users.id, users.age, users.age
sqlite: SELECT key FROM json_tree('{}') AS j WHERE j.fullkey = atom
  → @j.key, @j.fullkey, @j.atom
sqlite: SELECT x FROM (SELECT 1 AS x UNION SELECT id FROM users) WHERE x > 0
  → users.id, users.id, users.id
sqlite: SELECT name FROM users GROUP BY "country"
  → users.name, users.country
sqlite: VALUES (1, 2)
  →
sqlite: SELECT column2 FROM (VALUES (1, 2))
  → @column2
duckdb: PIVOT sales ON month USING sum(amount) GROUP BY region ORDER BY region, jan
  → sales.month, sales.amount, sales.region, sales.region, ?jan
duckdb: SELECT p.region, p.x FROM (PIVOT sales ON month IN ('a') USING sum(amount)) p
  → sales.region, ?p.x, sales.month, sales.amount
duckdb: UNPIVOT sales ON amount INTO NAME n VALUE v
  → sales.amount
duckdb: WITH p AS (PIVOT sales ON month USING sum(amount)) SELECT region, q FROM p
  → sales.month, sales.amount, sales.region, ?p.q
snowflake: SELECT u.name FROM users u ASOF JOIN events e MATCH_CONDITION (u.created >= e.at) ON u.id = e.user_id
  → users.name, users.created, events.at, users.id, events.user_id
bigquery: SELECT WITH(name AS age + 1, y AS name + id, name + y + country) AS r FROM users
  → users.age, parameter, users.id, parameter, parameter, users.country
bigquery: FROM users AS u |> WHERE u.id > 1 |> EXTEND age + 1 AS x |> WHERE u.name = 'a' |> SELECT x, id |> WHERE x > 1
  → users.id, *(id name age country created), users.age, users.name, =users.age, users.id, =users.age
bigquery: FROM users |> AGGREGATE COUNT(*) AS n, MAX(age) AS m GROUP BY country |> ORDER BY country, n
  → users.country, *(), users.age, users.country, users.country, @n
bigquery: FROM users |> DROP age |> RENAME name AS n |> SET n = country |> SELECT n, age
  → *(id name country created), users.age, *(id n country created), users.name, *(id n country created), users.country, =users.country, no column age
bigquery: FROM users |> SET name = country |> WHERE users.name = 'a'
  → *(id name age country created), users.country, no source users
bigquery: FROM users AS u |> JOIN events AS e ON u.id = e.user_id |> AS x |> SELECT x.name, u.id
  → users.id, events.user_id, users.name, no source u
snowflake: SELECT * ILIKE '%A_E' FROM users
  → *(name age)
duckdb: SELECT * ILIKE '%a%' FROM users
  → *(id name age country created)
snowflake: SELECT d.n, d.id FROM (SELECT u.* ILIKE '%a%e%' REPLACE (UPPER(country) AS name) RENAME name AS n FROM users u) d
  → =users.country, no column d.id, *(n age created), users.country, users.name
snowflake: SELECT p.region, p.x FROM sales PIVOT (SUM(amount) FOR month IN (ANY ORDER BY month)) AS p
  → sales.region, ?p.x, sales.amount, sales.month, sales.month

-- recursion in brackets
postgres: WITH RECURSIVE r AS ((SELECT id AS a FROM users) UNION ALL (SELECT a + 1 FROM r)) SELECT a FROM r
  → users.id, users.id=users.id, users.id=users.id

-- what only one of the engines does
sqlite: SELECT 1 FROM users q WHERE EXISTS (SELECT 1 FROM products q WHERE q.age = q.price)
  → users.age, products.price
duckdb: SELECT 1 FROM users q WHERE EXISTS (SELECT 1 FROM products q WHERE q.age = q.price)
  → users.age, products.price
postgres: SELECT 1 FROM users q WHERE EXISTS (SELECT 1 FROM products q WHERE q.age = q.price)
  → no column q.age, products.price
sqlite: SELECT p.* FROM users u JOIN products p ON u.id = p.id ORDER BY name
  → *(id name price), users.id, products.id, products.name
postgres: SELECT p.* FROM users u JOIN products p ON u.id = p.id ORDER BY name
  → *(id name price), users.id, products.id, products.name
sqlite: SELECT * FROM users u JOIN products p ON u.id = p.id ORDER BY name
  → *(id name age country created id name price), users.id, products.id, users.name
duckdb: SELECT * FROM users u JOIN products p ON u.id = p.id ORDER BY name
  → *(id name age country created id name price), users.id, products.id, either(u.name p.name)
postgres: SELECT * FROM users u JOIN products p ON u.id = p.id ORDER BY name
  → *(id name age country created id name price), users.id, products.id, either(u.name p.name)
postgres: SELECT u.name, u.* FROM users u, products ORDER BY name
  → users.name, *(id name age country created), users.name
postgres: SELECT a.name, b.name FROM users a, users b ORDER BY name
  → users.name, users.name, either(a.name b.name)
duckdb: SELECT a.age AS n, b.age AS n FROM users a, users b ORDER BY n
  → users.age, users.age, ^users.age
postgres: SELECT a.age AS n, b.age AS n FROM users a, users b ORDER BY n
  → users.age, users.age, either(n n)
duckdb: SELECT id_1 FROM (SELECT u.id, p.id FROM users u, products p) d
  → products.id, users.id, products.id
sqlite: SELECT id_1 FROM (SELECT u.id, p.id FROM users u, products p) d
  → no column id_1, users.id, products.id
postgres: SELECT 1 FROM users CROSS JOIN orders NATURAL JOIN products
  → either(users.id orders.id)
sqlite: SELECT 1 FROM users CROSS JOIN orders NATURAL JOIN products
  →
duckdb: SELECT 1 FROM users, orders JOIN products USING (name)
  → no column name
sqlite: SELECT 1 FROM users, orders JOIN products USING (name)
  → users.name|products.name
postgres: SELECT 1 FROM users CROSS JOIN orders JOIN products USING (id)
  → either(users.id orders.id)
sqlite: SELECT 1 FROM users CROSS JOIN orders JOIN products USING (id)
  → users.id|products.id
postgres: SELECT d.total FROM (SELECT (SELECT total FROM orders LIMIT 1)) d
  → =orders.total, orders.total
duckdb: SELECT 1 FROM users, orders o JOIN products p ON p.name = users.name AND p.id = o.id
  → products.name, users.name, products.id, orders.id
sqlite: SELECT name FROM users UNION SELECT name FROM products ORDER BY users.name
  → users.name, products.name, users.name
postgres: SELECT name FROM users UNION SELECT name FROM products ORDER BY users.name
  → users.name, products.name, no source users
`);

describe('what names mean', () => {
  it.each([...TRICKY, ...MORE])('%s: %s', (dialect, sql, meanings) => {
    expect(describeNames(scopes(treeOf(sql, dialect), schemaOf(dialect)))).toBe(meanings);
  });

  it.each([...TRICKY, ...MORE])(
    '%s: %s — without a schema every column still has a meaning',
    (dialect, sql) => {
      const { tree, references } = scopes(treeOf(sql, dialect), EMPTY);
      const without = tree.nodes.filter(({ id, type }) => type === 'Column' && references[id] === undefined);
      expect(without).toEqual([]);
    },
  );
});

describe('a schema that knows nothing', () => {
  const ROWS: readonly (readonly [string, string])[] = [
    ['SELECT a, t.b FROM t', 'no table t'],
    ['SELECT a FROM t JOIN u ON t.x = u.y', 'no table t, no table u'],
    ['SELECT d.a FROM (SELECT a FROM t) d', 'no table t'],
  ];
  it.each(ROWS)('%s', (sql, tables) => {
    const described = describeNames(scopes(treeOf(sql, 'postgres'), EMPTY));
    expect(
      described
        .split(', ')
        .filter((meaning) => meaning.startsWith('no '))
        .join(', '),
    ).toBe(tables);
    expect(described).toContain('?');
  });

  it('gives an unqualified column to the only source there is, and to none of two', () => {
    expect(describeNames(scopes(treeOf('SELECT a FROM t', 'sqlite'), EMPTY))).toBe('?t.a, no table t');
    expect(describeNames(scopes(treeOf('SELECT a FROM t, u', 'sqlite'), EMPTY))).toBe(
      '?t|u.a, no table t, no table u',
    );
  });
});

/** Errors that say a name is wrong, as the engines write them. */
const NAME_ERRORS =
  /no such (?:column|table)|ambiguous column|does not match any column|not found|does not have a column|Ambiguous|does not exist|cannot be/;
const NAME_PROBLEM = /\bno (?:column|source|table)\b|either\(/;

/** The engine looks at more than names, so only what it says of names counts. */
function isNameError(error: unknown): boolean {
  return NAME_ERRORS.test(String(error)) && !/function|file/i.test(String(error));
}

describe('the engines think so too', () => {
  it('SQLite', () => {
    const database = new DatabaseSync(':memory:', { enableDoubleQuotedStringLiterals: true });
    for (const [name, columns] of Object.entries(TABLES)) {
      database.exec(`CREATE TABLE ${name} (${columns.map((column) => `"${column}"`).join(', ')})`);
    }
    const wrong = casesOf('sqlite').filter(([, sql, meanings]) => {
      try {
        database.prepare(sql);
        return NAME_PROBLEM.test(meanings);
      } catch (error) {
        return isNameError(error) !== NAME_PROBLEM.test(meanings);
      }
    });
    database.close();
    expect(wrong).toEqual([]);
  });

  it('DuckDB', async () => {
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    const TYPES: Readonly<Record<string, string>> = {
      name: 'VARCHAR',
      country: 'VARCHAR',
      created: 'TIMESTAMP',
      at: 'TIMESTAMP',
      items: 'INTEGER[]',
      payload: 'STRUCT(zip VARCHAR, customer STRUCT(city VARCHAR))',
    };
    for (const [name, columns] of Object.entries(TABLES)) {
      const list = columns.map((column) => `"${column}" ${TYPES[column] ?? 'INTEGER'}`);
      await connection.run(`CREATE TABLE ${name} (${list.join(', ')})`);
    }
    const wrong: unknown[] = [];
    for (const [, sql, meanings] of casesOf('duckdb')) {
      const error = await connection.run(sql).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      if (isNameError(error) !== NAME_PROBLEM.test(meanings)) wrong.push([sql, meanings, String(error)]);
    }
    connection.closeSync();
    instance.closeSync();
    expect(wrong).toEqual([]);
  });
});

function casesOf(dialect: DialectName): readonly Case[] {
  // What columns of unknown sources are called is in the data.
  return [...TRICKY, ...MORE].filter((row) => row[0] === dialect && !row[2].includes('?'));
}

describe('scopes', () => {
  it('have kinds, parents and outputs', () => {
    const sql =
      'WITH c AS (SELECT id FROM users) SELECT (SELECT max(total) AS m FROM orders) FROM c, ' +
      '(SELECT 1 AS x UNION SELECT 2) d, LATERAL (SELECT c.id AS i) l';
    const { all, places, root, tree } = scopes(treeOf(sql, 'postgres'), WITH_SCHEMAS);
    const described = all.map(
      ({ kind, parent, outer, outputs }) =>
        `${kind} in ${parent?.kind}, sees ${outer?.kind}: ${outputs.list.map((output) => output.key).join(' ')}`,
    );
    expect(described).toEqual([
      'root in undefined, sees undefined: m',
      'cte in root, sees undefined: id',
      'subquery in root, sees root: m',
      'derived in root, sees undefined: x',
      'branch in derived, sees undefined: x',
      'branch in derived, sees undefined: ',
      'lateral in root, sees root: i',
    ]);
    expect(root?.sources.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'cte c',
      'derived d',
      'derived l',
    ]);
    const max = tree.nodes.find((node) => node.value === 'max');
    expect(max && places[max.id]?.kind).toBe('subquery');
  });

  it('say which sources a column merges and which fields a name reaches into', () => {
    const merged = scopes(treeOf('SELECT id FROM users JOIN products USING (id)', 'sqlite'), WITHOUT_SCHEMAS);
    const id = merged.references.find((reference) => reference?.kind === 'column');
    expect(id?.kind === 'column' && id.merged?.map(({ name }) => name)).toEqual(['users', 'products']);
    const nested = scopes(treeOf('SELECT o.payload.a.b FROM orders o', 'bigquery'), WITH_SCHEMAS);
    const payload = nested.references.find((reference) => reference?.kind === 'column');
    expect(payload?.kind === 'column' && payload.fields).toEqual(['a', 'b']);
  });

  it('find near names', () => {
    const { references } = scopes(
      treeOf('SELECT nmae, u.cuntry, x.id FROM users u', 'sqlite'),
      WITHOUT_SCHEMAS,
    );
    const near = references.flatMap((reference) =>
      reference?.kind === 'unknown' ? [[reference.missing, reference.source?.name, reference.nearest]] : [],
    );
    expect(near).toEqual([
      ['column', undefined, ['name']],
      ['column', 'u', ['country']],
      ['source', undefined, []],
    ]);
  });
});

/** `{0}`, `{1}`, `{2}` are names that the query gives itself. */
const TEMPLATES: readonly Case[] = [
  ['postgres', 'SELECT {0}.name, {1}.total FROM users {0} JOIN orders AS {1} ON {1}.user_id = {0}.id', ''],
  ['sqlite', 'WITH {0} AS (SELECT id, age AS {1} FROM users) SELECT {2}.{1} FROM {0} {2} WHERE {1} > 1', ''],
  ['duckdb', 'SELECT {0}.{1} FROM (SELECT age + id AS {1}, * FROM users {2}) {0} ORDER BY {1}', ''],
  ['snowflake', 'SELECT age AS {0}, {0} * 2 AS {1} FROM users {2} WHERE {1} > {2}.id', ''],
  [
    'postgres',
    'WITH RECURSIVE {0} ({1}, {2}) AS (SELECT id, name FROM users UNION SELECT {1} + 1, {2} FROM {0}) SELECT {2}, {1} FROM {0}',
    '',
  ],
  ['bigquery', 'SELECT {0}.sku, {1} FROM orders AS {2}, UNNEST({2}.items) AS {0} WITH OFFSET AS {1}', ''],
  ['snowflake', 'SELECT {0}.value, {1}.id FROM orders {1}, LATERAL FLATTEN(input => {1}.items) {0}', ''],
  ['mysql', 'SELECT country AS {0}, COUNT(*) AS {1} FROM users GROUP BY {0} HAVING {1} > 1 ORDER BY {1}', ''],
  ['trino', 'SELECT {0}, {2} FROM orders CROSS JOIN UNNEST(items, payload) AS {1} ({0}, {2})', ''],
  ['duckdb', 'SELECT list_transform(items, {0} -> {0} + {1}.id) FROM orders {1}', ''],
  [
    'postgres',
    'SELECT * FROM (SELECT name AS {0} FROM users UNION SELECT name FROM products) {1} ORDER BY {1}.{0}',
    '',
  ],
];

function fill(template: string, names: readonly string[]): string {
  return template.replace(/\{(\d)\}/g, (_, index: string) => names[Number(index)] ?? '');
}

/** All that a query reads, without any name it gives itself. */
function lineagesOf(sql: string, dialect: DialectName): unknown {
  const { references, root } = scopes(treeOf(sql, dialect), schemaOf(dialect));
  const ofReference = (reference: Reference | undefined) =>
    reference && `${reference.kind} ${idsOf(reference.lineage)}`;
  const ofOutput = (output: Output) => idsOf(output.lineage);
  return { references: references.map(ofReference), outputs: root?.outputs.list.map(ofOutput) };
}

function idsOf({ physical, from }: Lineage): string {
  return [physical, from].map((columns) => columns.map(({ id }) => id).join('|')).join('=');
}

it('renaming what a query names itself changes no lineage', () => {
  const name = fc.stringMatching(/^[a-z][a-z0-9_]{0,6}$/).map((text) => `q${text}`);
  const names = fc.uniqueArray(name, { minLength: 3, maxLength: 3 });
  fc.assert(
    fc.property(fc.constantFrom(...TEMPLATES), names, ([dialect, template], chosen) => {
      const before = lineagesOf(fill(template, ['x_a', 'x_b', 'x_c']), dialect);
      expect(lineagesOf(fill(template, chosen), dialect)).toEqual(before);
    }),
  );
});

it('reads long chains and wide lists', () => {
  const chain = `SELECT nope FROM users WHERE age = 1${' OR age = 1'.repeat(900)}`;
  expect(scopes(treeOf(chain, 'postgres'), WITH_SCHEMAS).references.filter(Boolean)).toHaveLength(902);
  const ctes = Array.from({ length: 200 }, (_, index) => `c${index + 1} AS (SELECT * FROM c${index})`);
  const wide = `WITH c0 AS (SELECT * FROM users), ${ctes.join(', ')} SELECT name FROM c200`;
  expect(describeNames(scopes(treeOf(wide, 'duckdb'), WITHOUT_SCHEMAS))).toMatch(/users\.name$/);
});
