import { expect, it } from 'vitest';
import { parse } from '../parser/parse.ts';
import { writtenTables } from './written-tables.ts';

it.each([
  ['SELECT 1', []],
  ['SELECT * FROM orders', ['orders']],
  ['SELECT * FROM sales.orders o JOIN "Big Shop".items ON true', ['sales.orders', 'Big Shop.items']],
  ['SELECT (SELECT max(x) FROM a) FROM b WHERE y IN (SELECT z FROM c.d.e)', ['b', 'a', 'c.d.e']],
  ['WITH recent AS (SELECT * FROM orders) SELECT * FROM recent', ['orders', 'recent']],
  ['SELECT * FROM a UNION SELECT * FROM b', ['a', 'b']],
])('%s', (sql, names) => {
  const parsed = parse(sql, 'postgres');
  if (!parsed.ok) throw new Error(parsed.error.message);
  expect([...writtenTables(parsed.tree)].sort()).toEqual([...names].sort());
});
