import { describe, expect, it } from 'vitest';
import { treeOf } from '../../../test/fixtures/sql/compare-read.ts';
import { queryEffort } from './select-candidate.ts';

describe('queryEffort', () => {
  it.each<{ sql: string; effort: number }>([
    // SELECT a FROM t: 4 tokens, a table.
    { sql: 'SELECT a FROM t', effort: 4 + 2 },
    // Spaces and comments are no tokens.
    { sql: 'SELECT  a -- all of it\n FROM t', effort: 4 + 2 },
    // SELECT a FROM t WHERE b = 1: 8 tokens, a table, WHERE.
    { sql: 'SELECT a FROM t WHERE b = 1', effort: 8 + 2 + 3 },
    // SELECT t.a FROM t JOIN u ON t.i = u.i: 16 tokens, 2 tables, a join.
    { sql: 'SELECT t.a FROM t JOIN u ON t.i = u.i', effort: 16 + 2 * 2 + 5 },
    // 20 tokens, a table, two functions, GROUP BY, HAVING, ORDER BY.
    {
      sql: 'SELECT MAX(a) FROM t GROUP BY b HAVING COUNT(*) > 1 ORDER BY b',
      effort: 20 + 2 + 2 * 2 + 4 + 6 + 2,
    },
    // 17 tokens, 2 tables, 2 × WHERE, a subquery, one level of nesting.
    {
      sql: 'SELECT a FROM t WHERE b IN (SELECT c FROM u WHERE d = 1)',
      effort: 17 + 2 * 2 + 2 * 3 + 10 + 8,
    },
    // 18 tokens, a table, two subqueries, two levels of nesting.
    { sql: 'SELECT a FROM (SELECT a FROM (SELECT a FROM t) AS x) AS y', effort: 18 + 2 + 2 * 10 + 2 * 8 },
    // Branches of a UNION are no subqueries.
    { sql: 'SELECT a FROM t UNION SELECT b FROM u', effort: 9 + 2 * 2 },
  ])('$sql', ({ sql, effort }) => expect(queryEffort(treeOf(sql))).toBe(effort));
});
