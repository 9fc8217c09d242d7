import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../lib/seeded-random.ts';
import { bootstrapMean, bootstrapPercentile, percentile, wilsonInterval } from './intervals.ts';

describe('wilsonInterval', () => {
  // Values of Newcombe (1998), table I, for the score method without continuity correction.
  it.each([
    { hits: 81, total: 263, low: 0.2553, high: 0.3662 },
    { hits: 15, total: 148, low: 0.0624, high: 0.1605 },
    { hits: 0, total: 20, low: 0, high: 0.1611 },
    { hits: 1, total: 29, low: 0.0061, high: 0.1718 },
    { hits: 29, total: 29, low: 0.883, high: 1 },
  ])('$hits of $total', ({ hits, total, low, high }) => {
    const interval = wilsonInterval(hits, total);
    expect(interval.low).toBeCloseTo(low, 4);
    expect(interval.high).toBeCloseTo(high, 4);
  });

  it('says nothing about a share of no cases', () => {
    expect(wilsonInterval(0, 0)).toEqual({ low: 0, high: 1 });
  });
});

describe('percentile', () => {
  // (n - 1) p of four values: 1.5 lies halfway between the second and the third.
  it.each([
    { values: [4, 1, 3, 2], p: 0.5, wanted: 2.5 },
    { values: [10], p: 0.95, wanted: 10 },
    { values: [0, 10, 20, 30, 40], p: 0.95, wanted: 38 },
    { values: [], p: 0.5, wanted: 0 },
  ])('$p of $values', ({ values, p, wanted }) => {
    expect(percentile(values, p)).toBeCloseTo(wanted, 10);
  });
});

describe('bootstrapPercentile', () => {
  it('agrees with resampling and sorting by hand', () => {
    const values = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5];
    const random = seededRandom(11);
    const sorted = [...values].sort((a, b) => a - b);
    const figures = Array.from({ length: 500 }, () =>
      percentile(
        sorted.map(() => sorted[Math.floor(random() * sorted.length)]!),
        0.95,
      ),
    );
    const wanted = { low: percentile(figures, 0.025), high: percentile(figures, 0.975) };
    expect(bootstrapPercentile(values, 0.95, { resamples: 500, seed: 11 })).toEqual(wanted);
  });

  it('holds the binomial interval of the median of a hundred values', () => {
    // Order statistics 40 and 61 of 1…100 bound the median with 96.5 %.
    const values = Array.from({ length: 100 }, (_, i) => i + 1);
    const { low, high } = bootstrapPercentile(values, 0.5);
    expect(low).toBeGreaterThanOrEqual(38);
    expect(low).toBeLessThanOrEqual(43);
    expect(high).toBeGreaterThanOrEqual(58);
    expect(high).toBeLessThanOrEqual(63);
  });

  it('gives the same interval every time', () => {
    const values = [5, 8, 13, 21, 34, 55];
    expect(bootstrapPercentile(values, 0.95)).toEqual(bootstrapPercentile(values, 0.95));
  });
});

describe('bootstrapMean', () => {
  it('is as wide as the normal approximation of a mean of a hundred values', () => {
    // Mean 50.5 and deviation 28.9 of 1…100: the mean of a hundred draws is within 50.5 ± 1.96 · 2.89 = ± 5.66.
    const { low, high } = bootstrapMean(Array.from({ length: 100 }, (_, i) => i + 1));
    expect(low).toBeCloseTo(50.5 - 5.66, 0);
    expect(high).toBeCloseTo(50.5 + 5.66, 0);
  });

  it('is the value where all are equal, and nothing of nothing', () => {
    expect(bootstrapMean([7, 7, 7])).toEqual({ low: 7, high: 7 });
    expect(bootstrapMean([])).toEqual({ low: 0, high: 0 });
  });
});
