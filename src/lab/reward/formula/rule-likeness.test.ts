import { describe, expect, it } from 'vitest';
import { parse } from '../../../sql/index.ts';
import type { SqlTree } from '../../../sql/tree/index.ts';
import { ruleLikeness } from './rule-likeness.ts';

function treeOf(sql: string): SqlTree {
  const parsed = parse(sql, 'sqlite');
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.tree;
}

/** Gold, prediction, and tables·0.3 + columns·0.3 + clauses·0.2 + literals·0.2. */
const CASES: readonly (readonly [gold: string, predicted: string, likeness: number])[] = [
  // The vector of §7.2: two of three columns, one of two clauses, no literal.
  [
    'SELECT city, SUM(n) FROM s WHERE y=2024 GROUP BY city',
    'SELECT city, SUM(n) FROM s GROUP BY city',
    0.3 + 0.2 + 0.1 + 0,
  ],
  ['SELECT a FROM t', 'SELECT a FROM t', 1],
  // Spelling does not count.
  ['SELECT A FROM T', 'select x."a" from t as x', 1],
  // An empty gold set counts 1; the clause too many is one of none.
  ['SELECT a FROM t', 'SELECT a FROM t WHERE b = 3', 0.3 + 0.3 + 0 + 0.2],
  // A near name counts 0.8: 8/9 is more than 0.85.
  ['SELECT a FROM sales', 'SELECT a FROM sale', 0.3 * 0.8 + 0.3 + 0.2 + 0.2],
  ['SELECT a FROM sales', 'SELECT a FROM cars', 0 + 0.3 + 0.2 + 0.2],
  // A CTE is a clause and no table.
  [
    'WITH x AS (SELECT a FROM t) SELECT a FROM x ORDER BY a LIMIT 3',
    'SELECT a FROM t ORDER BY a LIMIT 3',
    0.3 + 0.3 + 0.2 * (2 / 3) + 0.2,
  ],
  // The ORDER BY of a window is none of the query.
  ['SELECT a, RANK() OVER (ORDER BY b) FROM t', 'SELECT a, b FROM t', 1],
  // A number and its text are one literal.
  ["SELECT a FROM t WHERE y = '2024'", 'SELECT a FROM t WHERE y = 2024', 1 - 0],
  ['SELECT DISTINCT a FROM t JOIN u ON t.i = u.i', 'SELECT a FROM t', 0.15 + 0.15 + 0 + 0.2],
];

describe('ruleLikeness', () => {
  it.each(CASES)('%s ‖ %s', (gold, predicted, likeness) => {
    expect(ruleLikeness(treeOf(gold), treeOf(predicted))).toBeCloseTo(likeness, 9);
  });
});
