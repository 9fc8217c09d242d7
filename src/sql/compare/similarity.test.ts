import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SPELLINGS } from '../../../test/fixtures/sql/compare-perturb.ts';
import { readRows, treeOf } from '../../../test/fixtures/sql/compare-read.ts';
import type { DialectName } from '../dialects/dialect.ts';
import { type ComponentOptions, componentOverlap, components, similarity } from './similarity.ts';

/** Two queries and the arithmetic: shared components twice, over those of both. */
const CASES: readonly (readonly [a: string, b: string, score: number])[] = [
  // The vector of the specification: sel, from, where, where ‖ sel, from, where; 3 shared.
  ['SELECT a FROM t WHERE x=1 AND y=2', 'SELECT a FROM t WHERE y=2', (2 * 3) / (4 + 3)],
  // sel, from ‖ sel, from, of which from is shared.
  ['SELECT a FROM t', 'SELECT b FROM t', (2 * 1) / (2 + 2)],
  // The owner of a column is part of it: nothing is shared.
  ['SELECT a FROM t', 'SELECT a FROM u', 0],
  // sel, sel, from ‖ sel, sel, from: the order of items counts nothing.
  ['SELECT a, b FROM t', 'SELECT b, a FROM t', 1],
  // A multiset: sel a twice ‖ sel a once; 2 of 3 and 2.
  ['SELECT a, a FROM t', 'SELECT a FROM t', (2 * 2) / (3 + 2)],
  // distinct is one more.
  ['SELECT DISTINCT a FROM t', 'SELECT a FROM t', (2 * 2) / (3 + 2)],
  // sel, from, where ‖ sel, from, where with another value.
  ['SELECT a FROM t WHERE x = 1', 'SELECT a FROM t WHERE x = 2', (2 * 2) / (3 + 3)],
  // sel, from, from, on ‖ sel, from: an inner join is a table and a condition.
  ['SELECT t.a FROM t JOIN u ON t.i = u.i', 'SELECT t.a FROM t', (2 * 2) / (4 + 2)],
  // sel, from, from, on ‖ sel, from, join:left, on: only the kind of join differs.
  ['SELECT t.a FROM t JOIN u ON t.i = u.i', 'SELECT t.a FROM t LEFT JOIN u ON t.i = u.i', (2 * 3) / (4 + 4)],
  // The comma join has its condition in ON.
  ['SELECT t.a FROM t, u WHERE t.i = u.i', 'SELECT t.a FROM t JOIN u ON t.i = u.i', 1],
  // Joins in another order.
  ['SELECT t.a FROM t JOIN u ON t.i = u.i', 'SELECT t.a FROM u JOIN t ON t.i = u.i', 1],
  // sel, sel, from, grp, hav ‖ sel, sel, from, grp.
  [
    'SELECT c, COUNT(*) FROM t GROUP BY c HAVING COUNT(*) > 1',
    'SELECT c, COUNT(*) FROM t GROUP BY c',
    (2 * 4) / (5 + 4),
  ],
  // Direction and rank are part of a term: sel, from, ord ‖ sel, from, ord.
  ['SELECT a FROM t ORDER BY b', 'SELECT a FROM t ORDER BY b DESC', (2 * 2) / (3 + 3)],
  // sel, from, ord 1, ord 2 ‖ the same terms at other ranks.
  ['SELECT a FROM t ORDER BY b, c', 'SELECT a FROM t ORDER BY c, b', (2 * 2) / (4 + 4)],
  // sel, from, ord, lim ‖ sel, from, ord, lim, offset.
  ['SELECT a FROM t ORDER BY b LIMIT 5', 'SELECT a FROM t ORDER BY b LIMIT 5 OFFSET 2', (2 * 4) / (4 + 5)],
  // An OR is 1 and its members ½ each: sel, from, or 1 + ½ + ½ ‖ sel, from, where; the member gives ½ of the 1.
  ['SELECT a FROM t WHERE x=1 OR y=2', 'SELECT a FROM t WHERE x=1', (2 * 2.5) / (4 + 3)],
  // sel, from, or(x, y) 2 ‖ sel, from, or(x, z) 2: only the member x is shared.
  ['SELECT a FROM t WHERE x=1 OR y=2', 'SELECT a FROM t WHERE x=1 OR z=2', (2 * 2.5) / (4 + 4)],
  // sel, from, where … IN (sub), sub:sel, sub:from, sub:where ‖ one inner condition differs.
  [
    'SELECT a FROM t WHERE b IN (SELECT id FROM u WHERE z = 3)',
    'SELECT a FROM t WHERE b IN (SELECT id FROM u WHERE z = 4)',
    (2 * 5) / (6 + 6),
  ],
  // The inner query without its condition: 6 ‖ 5.
  [
    'SELECT a FROM t WHERE b IN (SELECT id FROM u WHERE z = 3)',
    'SELECT a FROM t WHERE b IN (SELECT id FROM u)',
    (2 * 5) / (6 + 5),
  ],
  // cte:1/sel, cte:1/from, cte:1/where, sel, from ‖ another value inside.
  [
    'WITH x AS (SELECT a FROM t WHERE b = 1) SELECT a FROM x',
    'WITH y AS (SELECT a FROM t WHERE b = 2) SELECT a FROM y',
    (2 * 4) / (5 + 5),
  ],
  // sel a, from t, set, sel b, from u ‖ sel a, from t.
  ['SELECT a FROM t UNION SELECT b FROM u', 'SELECT a FROM t', (2 * 2) / (5 + 2)],
  // The operator is one component of five.
  ['SELECT a FROM t UNION SELECT b FROM u', 'SELECT a FROM t UNION ALL SELECT b FROM u', (2 * 4) / (5 + 5)],
  // What EXCEPT takes away is no part of the left: sel a, from t, set, except/sel b, except/from u ‖ swapped; set stays.
  ['SELECT a FROM t EXCEPT SELECT b FROM u', 'SELECT b FROM u EXCEPT SELECT a FROM t', (2 * 1) / (5 + 5)],
  // Nothing is shared between a query and a statement that is none.
  ['SELECT a FROM t', 'DELETE FROM t', 0],
];

describe('similarity', () => {
  it.each(CASES)('%s ‖ %s', (a, b, score) => {
    expect(similarity(treeOf(a), treeOf(b))).toBeCloseTo(score, 12);
  });

  it('gives the published example to three digits', () => {
    const [gold, prediction] = ['SELECT a FROM t WHERE x=1 AND y=2', 'SELECT a FROM t WHERE y=2'];
    expect(similarity(treeOf(prediction), treeOf(gold)).toFixed(3)).toBe('0.857');
  });
});

const QUERIES = readRows<{ readonly dialect: DialectName; readonly sql: string }>('compare-queries');

describe('laws', () => {
  it('is symmetric, in [0, 1], and 1 on itself', () => {
    const query = fc.constantFrom(...QUERIES);
    fc.assert(
      fc.property(query, query, (one, other) => {
        const [a, b] = [treeOf(one.sql, one.dialect), treeOf(other.sql, other.dialect)];
        const score = similarity(a, b);
        expect(score).toBe(similarity(b, a));
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(1);
        expect(similarity(a, a)).toBe(1);
      }),
      { numRuns: 300, seed: 7 },
    );
  });

  it.each(QUERIES)('is 1 for other spellings: $sql', ({ dialect, sql }) => {
    for (const spell of Object.values(SPELLINGS)) {
      const tree = treeOf(sql, dialect);
      expect(similarity(tree, treeOf(spell(tree), dialect))).toBe(1);
    }
  });
});

describe('components', () => {
  const texts = (sql: string, options: ComponentOptions = {}) =>
    components(treeOf(sql), options).map(({ text }) => text);

  it('carry the tag of their clause', () => {
    const sql = `WITH c AS (SELECT a FROM t) SELECT DISTINCT x.a, MAX(v.b) FROM c AS x LEFT JOIN v ON v.i = x.a
      WHERE x.a > 1 OR v.b IN (SELECT q FROM w) GROUP BY x.a HAVING COUNT(*) > 1 ORDER BY 2 DESC LIMIT 3, 4`;
    expect(texts(sql)).toEqual([
      'cte:1/sel:t.a',
      'cte:1/from:t',
      'distinct',
      'sel:$1.{t.a}',
      'sel:max(v.b)',
      'from:$1',
      'join:left:v',
      'on:$1.{t.a} = v.i',
      'where:(1 < $1.{t.a}) or (v.b in ((sub)))',
      'where:1 < $1.{t.a}',
      'where:v.b in ((sub))',
      'grp:$1.{t.a}',
      'hav:1 < count(*)',
      'ord:max(v.b):desc:1',
      'lim:4',
      'lim:offset 3',
      'sub:sel:w.q',
      'sub:from:w',
    ]);
  });

  it('can keep joins as written and ORs whole', () => {
    const sql = 'SELECT t.a FROM t JOIN u ON t.i = u.i WHERE t.a = 1 OR u.b = 2';
    expect(texts(sql, { keepsJoins: true, keepsOrs: true })).toEqual([
      'sel:t.a',
      'from:t',
      'join:inner:u',
      'on:t.i = u.i',
      'where:(t.a = 1) or (u.b = 2)',
    ]);
  });

  it('can be kept for many comparisons', () => {
    const [a, b] = [treeOf('SELECT a FROM t'), treeOf('SELECT b FROM t')];
    expect(componentOverlap(components(a), components(b))).toBe(similarity(a, b));
  });
});
