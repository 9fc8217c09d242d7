import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../lib/seeded-random.ts';
import { ISOTONIC_SCHEMA } from './calibration-schema.ts';
import { applyIsotonic, fitIsotonic, type IsotonicMap, poolAdjacentViolators } from './fit-isotonic.ts';

const ROWS = fc
  .array(
    fc.tuple(
      fc.double({ min: -1e9, max: 1e9, noNaN: true }),
      fc.integer({ min: 0, max: 1 }),
      fc.double({ min: 1e-3, max: 1e6, noNaN: true }),
    ),
    { minLength: 1, maxLength: 200 },
  )
  .map((rows) => ({
    scores: rows.map(([score]) => score),
    labels: rows.map(([, label]) => label),
    weights: rows.map(([, , weight]) => weight),
  }));
const SCORE = fc.double({ min: -2e9, max: 2e9, noNaN: true });

describe('an isotonic map', () => {
  it('never falls, never says 0 or 1, and is a map that a model file may hold', () => {
    fc.assert(
      fc.property(ROWS, fc.array(SCORE), fc.integer({ min: 1, max: 9 }), (rows, scores, mostKnots) => {
        const map = fitIsotonic(rows, { mostKnots });
        expect(map.scores.length).toBeLessThanOrEqual(mostKnots);
        expect(ISOTONIC_SCHEMA.parse(JSON.parse(JSON.stringify(map)))).toEqual(map);
        const ascending = [...scores, ...rows.scores].sort((a, b) => a - b);
        let before = 0;
        for (const score of ascending) {
          const probability = applyIsotonic(map, score);
          expect(probability).toBeGreaterThanOrEqual(before);
          expect(probability).toBeGreaterThan(0);
          expect(probability).toBeLessThan(1);
          before = probability;
        }
      }),
    );
  });

  it('has no −0, which a model file would not hold', () =>
    expect(Object.is(fitIsotonic({ scores: [-0], labels: [0] }).scores[0], 0)).toBe(true));

  it('imagines half a wrong row at the lowest score and half a correct one at the highest', () => {
    // Blocks: (1 half wrong, 3 correct) = .5/3.5 and (2 wrong, 1 half correct) = 2/2.5, at the means of their scores.
    const map = fitIsotonic({ scores: [0, 1, 2, 5, 6], labels: [0, 0, 0, 1, 1] });
    expect(map.values[0]).toBeCloseTo(1 / 7, 12);
    expect(map.values[1]).toBeCloseTo(0.8, 12);
    expect(map.scores[0]).toBeCloseTo(3 / 3.5, 12);
    expect(map.scores[1]).toBeCloseTo(14 / 2.5, 12);
  });

  it.each([
    { score: -5, wanted: 0.1 },
    { score: 0, wanted: 0.1 },
    { score: 1, wanted: 0.25 },
    { score: 2, wanted: 0.4 },
    { score: 2.5, wanted: 0.6 },
    { score: 3, wanted: 0.8 },
    { score: 99, wanted: 0.8 },
    { score: Number.POSITIVE_INFINITY, wanted: 0.8 },
    { score: Number.NEGATIVE_INFINITY, wanted: 0.1 },
  ])('is linear between knots and level outside: $score', ({ score, wanted }) => {
    const map: IsotonicMap = { scores: [0, 2, 3], values: [0.1, 0.4, 0.8] };
    expect(applyIsotonic(map, score)).toBeCloseTo(wanted, 12);
  });

  it('has no probability for what is no number, which no threshold lets pass', () =>
    expect(applyIsotonic({ scores: [0], values: [0.1] }, Number.NaN)).toBeNaN());

  it('says of one row what its label and the imagined rows say', () => {
    for (const label of [0, 1]) {
      const map = fitIsotonic({ scores: [3], labels: [label] });
      expect(applyIsotonic(map, 3)).toBeCloseTo(label === 1 ? 0.75 : 0.25, 12);
    }
  });

  it('joins the blocks that lose least when there are too many', () => {
    // Weights make a block of every pair: 200 levels, of which the last differ most; the last one has the imagined row.
    const levels = Array.from({ length: 200 }, (_, level) =>
      level < 195 ? 0.2 + level * 1e-4 : level / 205,
    );
    const rows = levels.flatMap((share, level) => [
      { score: level, label: 1, weight: 1_000 * share },
      { score: level, label: 0, weight: 1_000 * (1 - share) },
    ]);
    const columns = {
      scores: rows.map(({ score }) => score),
      labels: rows.map(({ label }) => label),
      weights: rows.map(({ weight }) => weight),
    };
    expect(poolAdjacentViolators(columns)).toHaveLength(200);
    const map = fitIsotonic(columns, { mostKnots: 16 });
    expect(map.scores).toHaveLength(16);
    for (let level = 195; level < 199; level++)
      expect(applyIsotonic(map, level)).toBeCloseTo(levels[level] ?? 0, 12);
  });

  it('errs less between its knots than steps do, on rows that were not fitted', () => {
    const sigmoid = (odds: number) => 1 / (1 + Math.exp(-odds));
    const truths = [
      (score: number) => sigmoid(score / 2 - 1),
      (score: number) => sigmoid(2 * score),
      (score: number) => sigmoid(0.15 * score ** 3 - 1),
      (score: number) => 0.02 + 0.6 * sigmoid(2 * score - 1),
    ];
    for (const [index, truth] of truths.entries()) {
      const random = seededRandom(index);
      let [between, steps] = [0, 0];
      for (let draw = 0; draw < 20; draw++) {
        const scores = Float64Array.from({ length: 1_000 }, () => 8 * random() - 4);
        const labels = scores.map((score) => Number(random() < truth(score)));
        const map = fitIsotonic({ scores, labels });
        const blocks = poolAdjacentViolators({ scores, labels });
        for (let at = 0; at < 500; at++) {
          const score = 8 * random() - 4;
          const step = blocks.findLast(({ lowest }) => lowest <= score) ?? blocks[0];
          between += (applyIsotonic(map, score) - truth(score)) ** 2;
          steps += ((step?.value ?? 0) - truth(score)) ** 2;
        }
      }
      expect(between).toBeLessThan(0.85 * steps);
    }
  });

  it.each([
    [{ scores: [], labels: [] }, 'there is no row with a weight above 0'],
    [{ scores: [1], labels: [0], weights: [0] }, 'there is no row with a weight above 0'],
    [{ scores: [1, Number.NaN], labels: [0, 1] }, 'the score of row 1 is NaN'],
    [{ scores: [1, 2e9], labels: [0, 1] }, 'the score of row 1 is 2000000000; expected a number within'],
    [{ scores: [1, 2], labels: [0, 2] }, 'the label of row 1 is 2; expected 0 or 1'],
    [{ scores: [1, 2], labels: [0] }, 'labels has length 1; expected 2'],
    [{ scores: [1], labels: [0], weights: [-1] }, 'the weight of row 0 is -1; expected 0 to 1000000'],
    [{ scores: [1], labels: [0], weights: [] }, 'weights has length 0; expected 1'],
  ])('is not fitted to %j', (rows, message) => {
    expect(() => fitIsotonic(rows)).toThrow(message);
    expect(() => fitIsotonic(rows)).toThrow(expect.objectContaining({ code: 'uncertainty.data-invalid' }));
  });

  it('is not fitted with a number of knots that no file may hold', () =>
    expect(() => fitIsotonic({ scores: [1], labels: [1] }, { mostKnots: 257 })).toThrow(
      'mostKnots is 257; expected a whole number from 1 to 256',
    ));
});
