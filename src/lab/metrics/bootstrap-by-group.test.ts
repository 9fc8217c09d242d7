import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../lib/seeded-random.ts';
import { aurc } from '../../uncertainty/index.ts';
import { auc, differenceOf, makeAuc } from './auc.ts';
import { bootstrapByGroup } from './bootstrap-by-group.ts';
import { makeAurc } from './make-aurc.ts';

interface Drawn {
  readonly scores: number[];
  readonly labels: number[];
  readonly groups: number[];
}

/** Questions with a difficulty of their own, of 1 to 9 rows each. */
function draw(seed: number, questions: number, lift = 1): Drawn {
  const random = seededRandom(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const drawn: Drawn = { scores: [], labels: [], groups: [] };
  for (let group = 0; group < questions; group++) {
    const own = 0.7 * normal();
    const rows = 1 + Math.floor(9 * random());
    for (let row = 0; row < rows; row++) {
      const label = Number(random() < 0.3);
      drawn.labels.push(label);
      drawn.scores.push(lift * label + own + normal());
      drawn.groups.push(group);
    }
  }
  return drawn;
}

describe('the bootstrap by group', () => {
  it('holds the truth in about 95 of 100 draws, where one by rows does not', () => {
    // The label is drawn apart from the question: the AUC of many questions is that of a normal shift.
    const large = draw(1, 30_000);
    const truth = auc(large.scores, large.labels);
    const meanOf = (values: readonly number[]) => (weights?: Float64Array) => {
      let [sum, all] = [0, 0];
      for (let row = 0; row < values.length; row++) {
        const weight = weights === undefined ? 1 : (weights[row] ?? 0);
        sum += weight * (values[row] ?? 0);
        all += weight;
      }
      return sum / all;
    };
    let [ofAuc, ofMean, ofMeanByRow] = [0, 0, 0];
    const draws = 120;
    for (let seed = 0; seed < draws; seed++) {
      const { scores, labels, groups } = draw(1_000 + seed, 80);
      const holds = (wanted: number, { low, high }: { low: number; high: number }) =>
        Number(low <= wanted && wanted <= high);
      const options = { resamples: 120, seed };
      ofAuc += holds(truth, bootstrapByGroup(makeAuc(scores, labels), groups, options));
      ofMean += holds(0.3, bootstrapByGroup(meanOf(scores), groups, options));
      const rows = scores.map((_, row) => row);
      ofMeanByRow += holds(0.3, bootstrapByGroup(meanOf(scores), rows, options));
    }
    for (const held of [ofAuc, ofMean]) {
      expect(held / draws).toBeGreaterThan(0.9);
      expect(held / draws).toBeLessThan(0.99);
    }
    expect(ofMeanByRow / draws).toBeLessThan(0.85);
  });

  it('tells two scores of the same rows apart that their own intervals do not', () => {
    const { scores, labels, groups } = draw(5, 300);
    const random = seededRandom(9);
    const noisier = scores.map((score) => score + 1.8 * (random() - 0.5));
    const [better, worse] = [makeAuc(scores, labels), makeAuc(noisier, labels)];
    const [high, low] = [bootstrapByGroup(better, groups), bootstrapByGroup(worse, groups)];
    expect(high.low).toBeLessThan(low.high);
    const difference = bootstrapByGroup(differenceOf(better, worse), groups);
    expect(difference.low).toBeGreaterThan(0);
    expect(difference.value).toBeCloseTo(high.value - low.value, 12);
  });

  it('draws whole groups: a weight for all rows of one', () => {
    const seen: number[][] = [];
    bootstrapByGroup(
      (weights) => {
        if (weights !== undefined) seen.push(Array.from(weights));
        return 0;
      },
      ['a', 'b', 'a', 'c'],
      { resamples: 50 },
    );
    expect(seen).toHaveLength(50);
    for (const [a1 = 0, b = 0, a2 = 0, c = 0] of seen) {
      expect(a1).toBe(a2);
      expect(a1 + b + c).toBe(3);
    }
  });

  it('gives the same interval every time, and another for another seed', () => {
    const { scores, labels, groups } = draw(3, 40);
    const estimate = (seed: number) => bootstrapByGroup(makeAuc(scores, labels), groups, { seed });
    expect(estimate(1)).toEqual(estimate(1));
    expect(estimate(2)).not.toEqual(estimate(1));
  });

  it('sets aside and counts resamples with nothing to measure', () => {
    const estimate = bootstrapByGroup(makeAuc([1, 2], [0, 1]), ['a', 'b'], { resamples: 400 });
    expect(estimate).toMatchObject({ value: 1, low: 1, high: 1 });
    expect(estimate.resamples + estimate.skipped).toBe(400);
    expect(estimate.skipped).toBeGreaterThan(150);
    const none = bootstrapByGroup(makeAuc([1, 2], [1, 1]), ['a', 'b'], { resamples: 20 });
    expect(none).toEqual({
      value: Number.NaN,
      low: Number.NaN,
      high: Number.NaN,
      resamples: 0,
      skipped: 20,
    });
  });

  it('reads a weight of the area under risk and coverage as that many rows', () => {
    const risks = [0.1, 0.4, 0.4, 0.8];
    const labels = [0, 1, 0, 1];
    const repeated = [0.1, 0.1, 0.4, 0.8, 0.8, 0.8];
    expect(makeAurc(risks, labels)(Float64Array.of(2, 1, 0, 3))).toBeCloseTo(
      aurc({ scores: repeated, labels: [0, 0, 1, 1, 1, 1] }),
      12,
    );
    expect(makeAurc(risks, labels)()).toBeCloseTo(aurc({ scores: risks, labels }), 12);
  });
});
