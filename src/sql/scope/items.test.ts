import { describe, expect, it } from 'vitest';
import type { DialectName } from '../dialects/dialect.ts';
import { parse } from '../parser/parse.ts';
import { type Items, items } from './items.ts';
import type { NamedSchema } from './state/schema-index.ts';

const SCHEMA: NamedSchema = {
  tables: Object.entries({ t: ['a', 'b', 'c'], u: ['a', 'x', 'y'], v: ['x', 'list'] }).map(
    ([name, columns]) => ({
      id: name,
      name,
      columns: columns.map((column) => ({ id: `${name}.${column}`, name: column })),
    }),
  ),
};

function itemsOf(sql: string, dialect: DialectName): Items {
  const parsed = parse(sql, dialect);
  if (!parsed.ok) throw new Error(`${sql}: ${parsed.error.message}`);
  return items(parsed.tree, SCHEMA);
}

function ids(things: readonly { readonly id: string }[]): string {
  return things
    .map(({ id }) => id)
    .sort()
    .join(' ');
}

const CASES: readonly (readonly [dialect: DialectName, sql: string, tables: string, columns: string])[] = [
  ['sqlite', 'SELECT 1', '', ''],
  ['sqlite', 'SELECT a FROM t WHERE b = 1 ORDER BY c', 't', 't.a t.b t.c'],
  ['sqlite', 'SELECT * FROM t', 't', 't.a t.b t.c'],
  ['sqlite', 'SELECT t.* FROM t JOIN u ON t.a = u.a', 't u', 't.a t.b t.c u.a'],
  ['sqlite', 'SELECT count(*) FROM t', 't', ''],
  // Stars count only as far as their columns reach the outer query.
  ['sqlite', 'SELECT d.a FROM (SELECT * FROM t) d', 't', 't.a'],
  ['sqlite', 'SELECT * FROM (SELECT * FROM t) d', 't', 't.a t.b t.c'],
  ['sqlite', 'WITH c AS (SELECT * FROM t) SELECT b FROM c', 't', 't.b'],
  [
    'sqlite',
    'WITH c AS (SELECT *, a + b AS s FROM t), d AS (SELECT * FROM c) SELECT s FROM d',
    't',
    't.a t.b',
  ],
  ['sqlite', 'SELECT a FROM t WHERE EXISTS (SELECT * FROM u WHERE u.a = t.a)', 't u', 't.a u.a'],
  ['sqlite', 'SELECT a FROM t WHERE a IN (SELECT * FROM (SELECT x FROM v))', 't v', 't.a v.x'],
  ['sqlite', 'SELECT a FROM t WHERE EXISTS (SELECT * FROM u UNION SELECT * FROM u)', 't u', 't.a'],
  ['sqlite', 'SELECT * FROM t UNION SELECT * FROM u', 't u', 't.a t.b t.c u.a u.x u.y'],
  ['sqlite', 'SELECT d.b FROM (SELECT * FROM t UNION SELECT * FROM u) d', 't u', 't.b u.x'],
  ['duckdb', 'FROM t', 't', 't.a t.b t.c'],
  ['duckdb', 'SELECT * EXCLUDE (b) FROM t', 't', 't.a t.c'],
  ['bigquery', 'SELECT * REPLACE (a + c AS b) FROM t', 't', 't.a t.c'],
  // Every clause counts, and so do joins without a condition in words.
  ['sqlite', 'SELECT b FROM t JOIN u USING (a)', 't u', 't.a t.b u.a'],
  ['sqlite', 'SELECT b FROM t NATURAL JOIN u', 't u', 't.a t.b u.a'],
  ['sqlite', 'SELECT sum(b) OVER (PARTITION BY c ORDER BY a) FROM t', 't', 't.a t.b t.c'],
  ['sqlite', 'SELECT b FROM t GROUP BY b HAVING max(c) > 1', 't', 't.b t.c'],
  ['sqlite', 'WITH unused AS (SELECT x FROM v) SELECT a FROM t', 't v', 't.a v.x'],
  // Access into a column counts as the column.
  ['bigquery', 'SELECT l.k FROM v, UNNEST(v.list) AS l', 'v', 'v.list'],
  ['snowflake', 'SELECT list:k::INT, f.value FROM v, LATERAL FLATTEN(input => list) f', 'v', 'v.list'],
  ['postgres', 'SELECT to_json(v) FROM v', 'v', 'v.list v.x'],
  ['sqlite', 'SELECT a FROM t WHERE b = "text"', 't', 't.a t.b'],
];

describe('what a query uses', () => {
  it.each(CASES)('%s: %s', (dialect, sql, tables, columns) => {
    const found = itemsOf(sql, dialect);
    expect([ids(found.tables), ids(found.columns)]).toEqual([tables, columns]);
    expect(Object.values(found.unresolved).flat()).toEqual([]);
  });
});

describe('what stays unresolved', () => {
  it('is said by kind', () => {
    const found = itemsOf('SELECT a, n.k, z, t.nope, s.q FROM t, u, db.n AS n', 'postgres');
    expect(found.unresolved).toEqual({
      tables: ['db.n'],
      open: ['n.k', 'n.z'],
      unknown: ['t.nope', 's'],
      ambiguous: ['a'],
    });
    expect(ids(found.columns)).toBe('t.a u.a');
    expect(itemsOf('SELECT * FROM t, n', 'postgres').unresolved.open).toEqual(['n.*']);
  });

  it('is nothing in a statement that is no query', () => {
    expect(itemsOf('DELETE FROM t WHERE a = 1', 'postgres').tables).toEqual([]);
  });
});
