import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assignPairs } from './dense-likeness.ts';

const CASES: readonly (readonly [weights: number[][], assigned: number[]])[] = [
  [[], []],
  [
    [[], []],
    [-1, -1],
  ],
  [[[1]], [0]],
  // Taking the best pair first, 0.9, would leave 0.1: 1.0 in all against 1.6.
  [
    [
      [0.9, 0.8],
      [0.8, 0.1],
    ],
    [1, 0],
  ],
  [[[0.1, 0.7, 0.2]], [1]],
  [
    [[0.1], [0.7], [0.2]],
    [-1, 0, -1],
  ],
];

const WEIGHTS = fc
  .tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 5 }))
  .chain(([rows, columns]) => {
    const weight = fc.double({ min: -1, max: 1, noNaN: true });
    const row = fc.array(weight, { minLength: columns, maxLength: columns });
    return fc.array(row, { minLength: rows, maxLength: rows });
  });

describe('assignPairs', () => {
  it.each(CASES)('%j', (weights, assigned) => expect(assignPairs(weights)).toEqual(assigned));

  it('finds what trying all assignments up to 5 × 5 finds', () => {
    fc.assert(
      fc.property(WEIGHTS, (weights) => {
        const assigned = assignPairs(weights);
        const used = assigned.filter((column) => column >= 0);
        expect(used).toHaveLength(Math.min(weights.length, weights[0]?.length ?? 0));
        expect(new Set(used).size).toBe(used.length);
        expect(sumOf(weights, assigned)).toBeCloseTo(bestSum(weights, 0, new Set()), 9);
      }),
      { numRuns: 1_000, seed: 3 },
    );
  });

  it('gives the same sum when rows and columns change places', () => {
    fc.assert(
      fc.property(WEIGHTS, (weights) => {
        const turned = (weights[0] ?? []).map((_, column) => weights.map((row) => row[column] ?? 0));
        expect(sumOf(turned, assignPairs(turned))).toBeCloseTo(sumOf(weights, assignPairs(weights)), 9);
      }),
    );
  });
});

function sumOf(weights: readonly (readonly number[])[], assigned: readonly number[]): number {
  return assigned.reduce((sum, column, row) => sum + (column < 0 ? 0 : (weights[row]?.[column] ?? 0)), 0);
}

/** Every row takes each free column in turn, or none where there are more rows than columns. */
function bestSum(weights: readonly (readonly number[])[], row: number, used: ReadonlySet<number>): number {
  const columns = weights[0]?.length ?? 0;
  const wanted = Math.min(weights.length, columns);
  if (row === weights.length) return used.size === wanted ? 0 : Number.NEGATIVE_INFINITY;
  let best = bestSum(weights, row + 1, used);
  for (let column = 0; column < columns; column += 1) {
    if (used.has(column)) continue;
    const sum = (weights[row]?.[column] ?? 0) + bestSum(weights, row + 1, new Set([...used, column]));
    best = Math.max(best, sum);
  }
  return best;
}
