import { describe, expect, it } from 'vitest';
import { treeOf } from '../../../test/fixtures/sql/compare-read.ts';
import { complexity } from './complexity.ts';

const score = (sql: string) => complexity(treeOf(sql, 'duckdb')).score;

describe('complexity', () => {
  it('counts parts and weighs them', () => {
    const sql = `WITH c AS (SELECT a FROM t) SELECT x.a, COUNT(*), RANK() OVER (ORDER BY x.a) FROM c AS x JOIN v ON v.i = x.a
      WHERE x.a > 1 AND v.b IN (SELECT q FROM w) GROUP BY x.a UNION SELECT 1, 2, 3`;
    const { score, parts } = complexity(treeOf(sql));
    expect(parts).toEqual({
      items: 8, // a | x.a, COUNT, RANK | q | 1, 2, 3
      predicates: 3, // =, >, IN
      clauses: 3, // WHERE, GROUP BY, ORDER BY of the window
      calls: 1, // RANK
      aggregates: 1,
      joins: 1,
      ctes: 1,
      depth: 1,
      subqueries: 1,
      setOperations: 1,
      windows: 1,
    });
    // 8 + 3 + 3 + 1 + 1, then 2 each for join, CTE and depth, then 3 each for subquery, set operation and window.
    expect(score).toBe(16 + 6 + 9);
  });

  const STEPS: readonly (readonly [what: string, less: string, more: string])[] = [
    ['an item', 'SELECT a FROM t', 'SELECT a, b FROM t'],
    ['a condition', 'SELECT a FROM t', 'SELECT a FROM t WHERE b = 1'],
    ['another condition', 'SELECT a FROM t WHERE b = 1', 'SELECT a FROM t WHERE b = 1 AND c = 2'],
    ['a join', 'SELECT a FROM t', 'SELECT a FROM t JOIN u ON t.i = u.i'],
    ['a comma', 'SELECT a FROM t', 'SELECT a FROM t, u'],
    ['an aggregate', 'SELECT a FROM t', 'SELECT MAX(a) FROM t'],
    ['DISTINCT', 'SELECT a FROM t', 'SELECT DISTINCT a FROM t'],
    ['ORDER BY', 'SELECT a FROM t', 'SELECT a FROM t ORDER BY a'],
    ['LIMIT', 'SELECT a FROM t ORDER BY a', 'SELECT a FROM t ORDER BY a LIMIT 1'],
    ['HAVING', 'SELECT a FROM t GROUP BY a', 'SELECT a FROM t GROUP BY a HAVING COUNT(*) > 1'],
    ['a subquery', 'SELECT a FROM t WHERE b = 1', 'SELECT a FROM t WHERE b = (SELECT 1)'],
    ['a deeper one', 'SELECT (SELECT 1)', 'SELECT (SELECT (SELECT 1))'],
    ['a derived table', 'SELECT a FROM t', 'SELECT a FROM (SELECT a FROM t) AS x'],
    ['a CTE', 'SELECT a FROM t', 'WITH x AS (SELECT a FROM t) SELECT a FROM x'],
    ['a set operation', 'SELECT a FROM t', 'SELECT a FROM t UNION SELECT a FROM u'],
    ['a window', 'SELECT SUM(a) FROM t', 'SELECT SUM(a) OVER () FROM t'],
    ['CASE', 'SELECT a FROM t', 'SELECT CASE WHEN a = 1 THEN 2 END FROM t'],
    ['CAST', 'SELECT a FROM t', 'SELECT CAST(a AS INT) FROM t'],
  ];
  it.each(STEPS)('%s makes it more complex', (_, less, more) => {
    expect(score(more)).toBeGreaterThan(score(less));
  });

  const SAME: readonly (readonly [string, string])[] = [
    ['SELECT a FROM t', '(select A from t)'],
    ['SELECT t.a FROM t WHERE (b = 1)', 'SELECT x.a FROM t AS x WHERE b = 1'],
  ];
  it.each(SAME)('brackets, aliases and layout count nothing: %s', (one, other) => {
    expect(score(one)).toBe(score(other));
  });
});
