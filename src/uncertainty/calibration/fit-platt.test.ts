import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../lib/seeded-random.ts';
import { applyPlatt, fitPlatt } from './fit-platt.ts';

describe('Platt scaling', () => {
  it('finds the line that labels were drawn from', () => {
    const random = seededRandom(8);
    const scores = Float64Array.from({ length: 50_000 }, () => 6 * random() - 3);
    const labels = scores.map((score) =>
      Number(random() < applyPlatt({ slope: 0.7, intercept: -1.2 }, score)),
    );
    const { slope, intercept } = fitPlatt({ scores, labels });
    expect(Math.abs(slope - 0.7)).toBeLessThan(0.03);
    expect(Math.abs(intercept + 1.2)).toBeLessThan(0.03);
  });

  it('fits as scikit-learn does', () => {
    const path = join(import.meta.dirname, '../../../test/fixtures/uncertainty/scikit-learn-metrics.jsonl');
    for (const line of readFileSync(path, 'utf8').trim().split('\n')) {
      const { scores, labels, plattSlope, plattIntercept } = JSON.parse(line);
      const { slope, intercept } = fitPlatt({ scores, labels });
      // Its solver stops at a gradient that leaves about four digits.
      expect(slope / plattSlope).toBeCloseTo(1, 3);
      expect(intercept / plattIntercept).toBeCloseTo(1, 3);
    }
  });

  it('has no gradient left at its result', () => {
    const scores = [-2, -1, 0, 1, 2, 3];
    const labels = [0, 0, 1, 0, 1, 1];
    const map = fitPlatt({ scores, labels });
    // Three of each label: targets 4/5 and 1/5.
    const off = scores.map((score, row) => applyPlatt(map, score) - (labels[row] === 1 ? 0.8 : 0.2));
    expect(off.reduce((sum, own) => sum + own, 0)).toBeCloseTo(0, 8);
    expect(off.reduce((sum, own, row) => sum + own * (scores[row] ?? 0), 0)).toBeCloseTo(0, 8);
  });

  it('does not end in certainty where the rows are separable', () => {
    const map = fitPlatt({ scores: [-2, -1, 1, 2], labels: [0, 0, 1, 1] });
    expect(applyPlatt(map, 2)).toBeLessThan(0.9);
    expect(applyPlatt(map, -2)).toBeGreaterThan(0.1);
    for (const score of [1e9, -1e9]) {
      expect(applyPlatt(map, score)).toBeGreaterThan(0);
      expect(applyPlatt(map, score)).toBeLessThan(1);
    }
  });

  it('does not let a higher score mean less risk', () => {
    const { slope, intercept } = fitPlatt({ scores: [1, 2, 3, 4], labels: [1, 1, 0, 0] });
    expect(slope).toBe(0);
    expect(intercept).toBeCloseTo(0, 12);
  });

  it('of one label alone gives its smoothed share: (0 + 1)/(n + 2)', () => {
    const map = fitPlatt({ scores: [1, 2, 3], labels: [0, 0, 0] });
    expect(applyPlatt(map, -7)).toBeCloseTo(1 / 5, 8);
    expect(applyPlatt(map, 7)).toBeCloseTo(1 / 5, 8);
  });

  it('reads a weight as that many rows', () => {
    const weighted = fitPlatt({ scores: [0, 1, 2], labels: [0, 1, 1], weights: [2, 1, 2] });
    const repeated = fitPlatt({ scores: [0, 0, 1, 2, 2], labels: [0, 0, 1, 1, 1] });
    expect(weighted.slope).toBeCloseTo(repeated.slope, 8);
    expect(weighted.intercept).toBeCloseTo(repeated.intercept, 8);
  });

  it('gives finite numbers and a slope of 0 or more for any rows', () => {
    const row = fc.tuple(fc.double({ min: -1e9, max: 1e9, noNaN: true }), fc.integer({ min: 0, max: 1 }));
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 30 }), (rows) => {
        const scores = rows.map(([score]) => score);
        const { slope, intercept } = fitPlatt({ scores, labels: rows.map(([, label]) => label) });
        expect(slope).toBeGreaterThanOrEqual(0);
        expect(Number.isFinite(slope) && Number.isFinite(intercept)).toBe(true);
      }),
    );
  });

  it('is refused without rows', () =>
    expect(() => fitPlatt({ scores: [], labels: [] })).toThrow('there is no row with a weight above 0'));
});
