import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Cell } from '../../../sql/dialects/cell.ts';
import { assignPairs, cellLikeness } from './dense-likeness.ts';

const CASES: readonly (readonly [gold: Cell[], predicted: Cell[], likeness: number])[] = [
  [['A', 'B'], ['B', 'A'], 1],
  // 21 is 5 % away from 20: one pair of 2 + 2 cells.
  [[10, 20], [10, 21], 0.5],
  [[100], [101], 1],
  [[100], [101.1], 0],
  [[-100], [-101], 1],
  [[0], [0], 1],
  [[0], [1e-9], 1],
  [[0], [0.001], 0],
  // Each cell pairs once: 1 pair of 2 + 1 cells.
  [['A', 'A'], ['A'], 2 / 3],
  [[' A '], ['A'], 1],
  [['a'], ['A'], 0],
  [[null], [null], 1],
  [[null], ['null'], 0],
  [['2024'], [2024], 1],
  [['12.50'], [12.5], 1],
  [[10n], [10], 1],
  [[true], [1], 1],
  [[new Uint8Array([1])], [new Uint8Array([1])], 1],
  [[new Uint8Array([1])], ['01'], 0],
  [[Number.POSITIVE_INFINITY], [Number.POSITIVE_INFINITY], 1],
  [['1e999'], [Number.POSITIVE_INFINITY], 0],
  [[1], [], 0],
  [[], [], 1],
  // 100 takes 99.5, so that 101.5, which takes 100.6 and not 99.5, has one too.
  [[101.5, 100], [99.5, 100.6], 1],
];

describe('cellLikeness', () => {
  it.each(CASES)('%o ‖ %o', (gold, predicted, likeness) =>
    expect(cellLikeness(gold, predicted)).toBeCloseTo(likeness, 9),
  );

  it('makes as many pairs of numbers as an assignment can', () => {
    const cells = fc.array(fc.integer({ min: -120, max: 120 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(cells, cells, (gold, predicted) => {
        const fits = gold.map((value) =>
          predicted.map((other) => (Math.abs(other - value) <= 0.01 * (Math.abs(value) || 1e-6) ? 1 : 0)),
        );
        const pairs = assignPairs(fits).reduce((sum, place, row) => sum + (fits[row]?.[place] ?? 0), 0);
        expect(cellLikeness(gold, predicted)).toBeCloseTo((2 * pairs) / (gold.length + predicted.length), 9);
      }),
      { numRuns: 500, seed: 11 },
    );
  });
});
