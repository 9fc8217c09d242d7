import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../lib/seeded-random.ts';
import { parseRiskCurve } from './calibration-schema.ts';
import { aurc, riskCoverage } from './risk-coverage.ts';

const ROWS = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 1 })), {
    minLength: 1,
    maxLength: 60,
  })
  .map((rows) => ({ risks: rows.map(([risk]) => risk / 20), labels: rows.map(([, label]) => label) }));

describe('a risk–coverage curve', () => {
  it('is as worked by hand', () => {
    // By ascending risk: correct, wrong, correct, wrong. Shares of errors: 0/1, 1/2, 1/3, 2/4.
    const curve = riskCoverage({ risks: [0.9, 0.1, 0.2, 0.5], labels: [1, 0, 1, 0] });
    expect(curve.points).toEqual([
      { threshold: 0.1, shown: 1, wrong: 0 },
      { threshold: 0.2, shown: 2, wrong: 1 },
      { threshold: 0.5, shown: 3, wrong: 1 },
      { threshold: 0.9, shown: 4, wrong: 2 },
    ]);
    expect(curve.aurc).toBeCloseTo((0 + 1 / 2 + 1 / 3 + 1 / 2) / 4, 12);
    expect(curve).toMatchObject({ rows: 4, wrong: 2, coverageAt5: 0.25, coverageAt10: 0.25 });
  });

  it('shows rows of equal risk together, and means the area over their orders', () => {
    // One of two tied rows is wrong: mean of (1, 1/2) and (0, 1/2) over both orders.
    const curve = riskCoverage({ risks: [0.3, 0.3], labels: [1, 0] });
    expect(curve.points).toEqual([{ threshold: 0.3, shown: 2, wrong: 1 }]);
    expect(curve.aurc).toBeCloseTo((0.75 + 0.25) / 2, 12);
    expect(curve.coverageAt5).toBe(0);
  });

  it('finds the largest coverage at a rate of errors, also beyond a worse one', () => {
    // The first of 40 is wrong: 1 of 20 is 5 %, 1 of 10 is 10 %; the last 20 are wrong.
    const labels = Array.from({ length: 60 }, (_, row) => Number(row === 0 || row >= 40));
    const risks = labels.map((_, row) => row / 60);
    const curve = riskCoverage({ risks, labels });
    // 1 + k of 40 + k: k = 1 at 5 % (2/41 < 2.05), k = 3 at 10 % (4/43 < 4.3).
    expect(curve.coverageAt5).toBeCloseTo(41 / 60, 12);
    expect(curve.coverageAt10).toBeCloseTo(43 / 60, 12);
  });

  it('has an area that does not depend on the order of rows and equals its definition without ties', () => {
    fc.assert(
      fc.property(ROWS, fc.infiniteStream(fc.nat()), ({ risks, labels }, keys) => {
        const order = risks
          .map((_, row) => ({ row, key: keys.next().value ?? 0 }))
          .sort((a, b) => a.key - b.key)
          .map(({ row }) => row);
        const shuffled = {
          scores: order.map((row) => risks[row] ?? 0),
          labels: order.map((row) => labels[row] ?? 0),
        };
        expect(aurc(shuffled)).toBeCloseTo(aurc({ scores: risks, labels }), 12);
        const distinct = risks.map((_, row) => row / risks.length);
        const shares = labels.map(
          (_, last) => labels.slice(0, last + 1).reduce((sum, own) => sum + own, 0) / (last + 1),
        );
        const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
        expect(aurc({ scores: distinct, labels })).toBeCloseTo(mean, 12);
      }),
    );
  });

  it('is one that a model file may hold', () => {
    fc.assert(
      fc.property(ROWS, (rows) => {
        const curve = riskCoverage(rows);
        expect(parseRiskCurve(JSON.parse(JSON.stringify(curve)), 'model.json')).toEqual(curve);
      }),
    );
  });

  it('keeps 200 points of many rows, half a percent of coverage apart', () => {
    const random = seededRandom(4);
    const risks = Float64Array.from({ length: 12_345 }, () => random());
    const labels = risks.map((risk) => Number(random() < risk));
    const { points, rows, wrong } = riskCoverage({ risks, labels });
    expect(points).toHaveLength(200);
    expect(points.at(-1)).toMatchObject({ shown: rows, wrong });
    let before = 0;
    for (const { shown } of points) {
      expect((shown - before) / rows).toBeLessThan(0.0055);
      before = shown;
    }
  });

  it('keeps points that do not depend on the labels', () => {
    const random = seededRandom(5);
    const risks = Float64Array.from({ length: 3_000 }, () => Math.round(random() * 500) / 500);
    const place = (labels: Float64Array) =>
      riskCoverage({ risks, labels }).points.map(({ threshold }) => threshold);
    expect(place(risks.map(() => 0))).toEqual(place(risks.map(() => Number(random() < 0.3))));
  });

  it('is refused for no rows and for risks that are no probabilities', () => {
    expect(() => riskCoverage({ risks: [], labels: [] })).toThrow('there is no row to measure');
    expect(() => riskCoverage({ risks: [0.2, 1.5], labels: [0, 1] })).toThrow('a risk is 1.5');
    expect(() => riskCoverage({ risks: [-0.2, 0.5], labels: [0, 1] })).toThrow('a risk is -0.2');
  });
});
