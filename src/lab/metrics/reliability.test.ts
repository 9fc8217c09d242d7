import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../lib/seeded-random.ts';
import { brier, ece, reliabilityBins } from './reliability.ts';

const PROBABILITY = fc.integer({ min: 0, max: 20 }).map((part) => part / 20);
const ROWS = fc.array(fc.tuple(PROBABILITY, fc.integer({ min: 0, max: 1 }), fc.nat(3)), {
  minLength: 1,
  maxLength: 60,
});

describe('bins of equal weight', () => {
  it('are as worked by hand', () => {
    const rows = { scores: [0.1, 0.2, 0.6, 0.9], labels: [0, 1, 1, 1] };
    const bins = reliabilityBins(rows, 2);
    expect(bins).toHaveLength(2);
    expect(bins[0]?.meanProbability).toBeCloseTo(0.15, 12);
    expect(bins[0]?.errorRate).toBeCloseTo(0.5, 12);
    expect(bins[1]?.meanProbability).toBeCloseTo(0.75, 12);
    expect(bins[1]?.errorRate).toBeCloseTo(1, 12);
    expect(ece(rows, 2)).toBeCloseTo((0.35 + 0.25) / 2, 12);
    expect(brier(rows)).toBeCloseTo((0.01 + 0.64 + 0.16 + 0.01) / 4, 12);
  });

  it('share out rows of equal probability with their mean label', () => {
    // Three rows at .5, one of them wrong, over two bins of one and a half rows each.
    const bins = reliabilityBins({ scores: [0.5, 0.5, 0.5], labels: [1, 0, 0] }, 2);
    expect(bins.map(({ weight }) => weight)).toEqual([1.5, 1.5]);
    for (const { errorRate } of bins) expect(errorRate).toBeCloseTo(1 / 3, 12);
  });

  it('hold all weight, equally, in ascending order, whatever the order of the rows', () => {
    fc.assert(
      fc.property(ROWS, fc.integer({ min: 1, max: 20 }), (rows, count) => {
        const columns = (part: typeof rows) => ({
          scores: part.map(([score]) => score),
          labels: part.map(([, label]) => label),
          weights: part.map(([, , weight]) => weight),
        });
        const all = rows.reduce((sum, [, , weight]) => sum + weight, 0);
        const bins = reliabilityBins(columns(rows), count);
        if (all === 0) expect(bins).toEqual([]);
        else expect(bins).toHaveLength(count);
        for (const { weight } of bins) expect(weight).toBeCloseTo(all / count, 9);
        bins.forEach(({ meanProbability }, at) => {
          expect(meanProbability).toBeGreaterThanOrEqual((bins[at - 1]?.meanProbability ?? 0) - 1e-12);
        });
        const turned = reliabilityBins(columns([...rows].reverse()), count);
        bins.forEach(({ errorRate }, at) => {
          expect(turned[at]?.errorRate).toBeCloseTo(errorRate, 9);
        });
      }),
    );
  });

  it('show a small error of calibrated probabilities and the whole one of shifted ones', () => {
    const random = seededRandom(6);
    const scores = Float64Array.from({ length: 50_000 }, () => 0.8 * random());
    const labels = scores.map((probability) => Number(random() < probability));
    expect(ece({ scores, labels })).toBeLessThan(0.01);
    const shifted = scores.map((probability) => probability + 0.15);
    expect(ece({ scores: shifted, labels })).toBeCloseTo(0.15, 2);
  });

  it('show nothing of no rows', () => {
    expect(reliabilityBins({ scores: [], labels: [] })).toEqual([]);
    expect(ece({ scores: [], labels: [] })).toBeNaN();
    expect(brier({ scores: [], labels: [] })).toBeNaN();
  });
});
