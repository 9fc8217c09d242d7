import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { averagePrecision, precisionRecallAt } from './precision-recall.ts';

const ROWS = { scores: [0.9, 0.8, 0.3, 0.3, 0.1], labels: [1, 0, 1, 0, 1] };

describe('precision and recall', () => {
  it.each([
    { threshold: 0.3, wanted: { flagged: 4, precision: 0.5, recall: 2 / 3 } },
    { threshold: 0.85, wanted: { flagged: 1, precision: 1, recall: 1 / 3 } },
    { threshold: 0, wanted: { flagged: 5, precision: 0.6, recall: 1 } },
    { threshold: 1, wanted: { flagged: 0, precision: Number.NaN, recall: 0 } },
  ])('at $threshold are $wanted', ({ threshold, wanted }) =>
    expect(precisionRecallAt(ROWS, threshold)).toEqual(wanted),
  );

  it('count rows by weight', () =>
    expect(precisionRecallAt({ ...ROWS, weights: [1, 3, 0, 0, 1] }, 0.5)).toEqual({
      flagged: 4,
      precision: 0.25,
      recall: 0.5,
    }));
});

describe('average precision', () => {
  it('is as worked by hand', () => {
    // Recall rises by 1/3 at .9 (1 of 1), at .3 (2 of 4) and at .1 (3 of 5).
    expect(averagePrecision(ROWS)).toBeCloseTo((1 + 2 / 4 + 3 / 5) / 3, 12);
    expect(averagePrecision({ scores: [1, 2], labels: [0, 0] })).toBeNaN();
  });

  it('reads a weight as that many rows', () => {
    const row = fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 1 }), fc.nat(3));
    fc.assert(
      fc.property(fc.array(row, { maxLength: 30 }), (rows) => {
        const repeated = rows.flatMap(([score, label, weight]) => Array(weight).fill({ score, label }));
        const weighted = averagePrecision({
          scores: rows.map(([score]) => score),
          labels: rows.map(([, label]) => label),
          weights: rows.map(([, , weight]) => weight),
        });
        const plain = averagePrecision({
          scores: repeated.map(({ score }) => score),
          labels: repeated.map(({ label }) => label),
        });
        if (Number.isNaN(plain)) expect(weighted).toBeNaN();
        else expect(weighted).toBeCloseTo(plain, 12);
      }),
    );
  });
});
