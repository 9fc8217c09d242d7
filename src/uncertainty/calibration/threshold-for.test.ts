import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../lib/seeded-random.ts';
import { riskCoverage } from './risk-coverage.ts';
import { binomialTail, thresholdFor } from './threshold-for.ts';

/** Risks that are even, and true chances of an error that are their square. */
const truth = (risk: number): number => risk ** 2;

function drawCurve(seed: number, rows: number) {
  const random = seededRandom(seed);
  const risks = Float64Array.from({ length: rows }, () => random());
  return riskCoverage({ risks, labels: risks.map((risk) => Number(random() < truth(risk))) });
}

describe('the tail of a binomial', () => {
  it.each([
    // By hand: .95^59; (1 + 10)/2^10; all but .3^3; everything.
    { wrong: 0, shown: 59, probability: 0.05, wanted: 0.95 ** 59 },
    { wrong: 1, shown: 10, probability: 0.5, wanted: 11 / 1024 },
    { wrong: 2, shown: 3, probability: 0.3, wanted: 1 - 0.027 },
    { wrong: 3, shown: 3, probability: 0.3, wanted: 1 },
    // scipy 1.17.1: binom.cdf(30, 1000, .05) and binom.cdf(4800, 100000, .05).
    { wrong: 30, shown: 1_000, probability: 0.05, wanted: 0.0012770679174797827 },
    { wrong: 4_800, shown: 100_000, probability: 0.05, wanted: 0.0018013236697115536 },
  ])('$wrong of $shown at $probability', ({ wrong, shown, probability, wanted }) =>
    expect(binomialTail(wrong, shown, probability) / wanted).toBeCloseTo(1, 8),
  );

  it('equals the sum of its terms', () => {
    const sizes = fc
      .integer({ min: 1, max: 60 })
      .chain((shown) => fc.tuple(fc.nat(shown), fc.constant(shown)));
    fc.assert(
      fc.property(sizes, fc.double({ min: 0.01, max: 0.99, noNaN: true }), ([wrong, shown], probability) => {
        let sum = 0;
        let choose = 1;
        for (let k = 0; k <= wrong; k++) {
          sum += choose * probability ** k * (1 - probability) ** (shown - k);
          choose *= (shown - k) / (k + 1);
        }
        expect(binomialTail(wrong, shown, probability)).toBeCloseTo(sum, 9);
      }),
    );
  });
});

describe('the threshold for a target risk', () => {
  it('keeps its promise in at least 95 of 100 draws, and shows most of what it could', () => {
    for (const [target, rows, least] of [
      [0.05, 1_500, 0.65],
      [0.1, 1_500, 0.8],
      [0.1, 400, 0.4],
      [0.1, 4_000, 0.85],
    ] as const) {
      let kept = 0;
      let shown = 0;
      const draws = 120;
      for (let seed = 0; seed < draws; seed++) {
        // Even risks up to t are wrong with t²/3 in the mean, and t of them are shown.
        const threshold = thresholdFor(drawCurve(seed, rows), target) ?? 0;
        kept += Number(threshold ** 2 / 3 <= target);
        shown += threshold / draws;
      }
      expect(kept / draws).toBeGreaterThanOrEqual(0.95);
      expect(shown).toBeGreaterThan(least * Math.sqrt(3 * target));
    }
  });

  it('shows more for a higher target, and with more rows behind the same curve', () => {
    const few = drawCurve(7, 500);
    const many = drawCurve(7, 20_000);
    const thresholds = [0.05, 0.1, 0.2, 0.3].map((target) => thresholdFor(many, target) ?? 0);
    expect(thresholds).toEqual([...thresholds].sort((a, b) => a - b));
    expect(thresholds[0]).toBeGreaterThan(0);
    expect(thresholdFor(many, 0.1)).toBeGreaterThan(thresholdFor(few, 0.1) ?? 0);
    expect(thresholdFor(many, 0.1, { confidence: 0.5 })).toBeGreaterThanOrEqual(
      thresholdFor(many, 0.1, { confidence: 0.999 }) ?? 1,
    );
  });

  it('shows everything where hardly anything is wrong', () => {
    const risks = Array.from({ length: 1_000 }, (_, row) => row / 1_000);
    const curve = riskCoverage({ risks, labels: risks.map(() => 0) });
    expect(thresholdFor(curve, 0.05)).toBe(0.999);
  });

  it.each([
    { about: 'few rows prove nothing', rows: 40, labelOf: () => 0 },
    {
      about: 'the least risk is wrong too often',
      rows: 2_000,
      labelOf: (row: number) => Number(row % 4 === 0),
    },
  ])('is none where $about', ({ rows, labelOf }) => {
    const risks = Array.from({ length: rows }, (_, row) => row / rows);
    const curve = riskCoverage({ risks, labels: risks.map((_, row) => labelOf(row)) });
    expect(thresholdFor(curve, 0.05)).toBeUndefined();
  });

  it('is refused for what is no share', () => {
    const curve = drawCurve(1, 100);
    for (const target of [0, 1, 5, Number.NaN])
      expect(() => thresholdFor(curve, target)).toThrow(`targetRisk is ${target}; expected a share`);
    expect(() => thresholdFor(curve, 0.1, { confidence: 95 })).toThrow('confidence is 95; expected a share');
  });
});
