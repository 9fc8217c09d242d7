import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { auc, makeAuc } from './auc.ts';

const ROWS = fc.array(
  fc.record({
    score: fc.integer({ min: -4, max: 4 }),
    label: fc.integer({ min: 0, max: 1 }),
    weight: fc.integer({ min: 0, max: 4 }),
  }),
  { maxLength: 40 },
);

/** By its definition, over all pairs of a wrong and a correct row. */
function slowAuc(rows: readonly { score: number; label: number; weight: number }[]): number {
  let [above, all] = [0, 0];
  for (const wrong of rows.filter(({ label }) => label === 1)) {
    for (const correct of rows.filter(({ label }) => label === 0)) {
      const weight = wrong.weight * correct.weight;
      all += weight;
      if (wrong.score > correct.score) above += weight;
      if (wrong.score === correct.score) above += weight / 2;
    }
  }
  return above / all;
}

describe('the area under the ROC curve', () => {
  it.each([
    { scores: [1, 2, 3, 4], labels: [0, 0, 1, 1], wanted: 1 },
    { scores: [1, 2, 3, 4], labels: [1, 1, 0, 0], wanted: 0 },
    { scores: [5, 5, 5, 5], labels: [1, 0, 1, 0], wanted: 0.5 },
    // Pairs: 3 over 1, 3 over 2, 2 over 1, and 2 beside 2.
    { scores: [1, 2, 2, 3], labels: [0, 0, 1, 1], wanted: 3.5 / 4 },
    { scores: [1, 2], labels: [1, 1], wanted: Number.NaN },
    { scores: [], labels: [], wanted: Number.NaN },
  ])('of $scores with $labels is $wanted', ({ scores, labels, wanted }) =>
    expect(auc(scores, labels)).toBe(wanted),
  );

  it('equals its definition over all pairs, ties and weights included', () => {
    fc.assert(
      fc.property(ROWS, (rows) => {
        const scores = rows.map(({ score }) => score);
        const labels = rows.map(({ label }) => label);
        const weights = rows.map(({ weight }) => weight);
        fc.pre(!Number.isNaN(slowAuc(rows)));
        expect(auc(scores, labels, weights)).toBeCloseTo(slowAuc(rows), 12);
        const even = rows.map((row) => ({ ...row, weight: 1 }));
        expect(makeAuc(scores, labels)()).toBeCloseTo(slowAuc(even), 12);
      }),
    );
  });

  it('turns into its complement when the scores turn round', () => {
    fc.assert(
      fc.property(ROWS, (rows) => {
        const labels = rows.map(({ label }) => label);
        const up = auc(
          rows.map(({ score }) => score),
          labels,
        );
        const down = auc(
          rows.map(({ score }) => -score),
          labels,
        );
        fc.pre(labels.includes(0) && labels.includes(1));
        expect(down).toBeCloseTo(1 - up, 12);
      }),
    );
  });

  it('is refused for scores that are no numbers', () =>
    expect(() => auc([1, Number.NaN], [0, 1])).toThrow('the score of row 1 is NaN'));
});
