import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { meanKurtosis, softClusters, turnTailsUp } from './soft-clusters.ts';

const COMPONENTS = 3;
const drawn = fc
  .array(fc.tuple(...Array.from({ length: COMPONENTS }, () => fc.double({ min: -9, max: 9, noNaN: true }))), {
    minLength: 5,
    maxLength: 30,
  })
  .map((rows) => Float64Array.from(rows.flat()));
const namesOf = (scores: Float64Array): string[] =>
  Array.from({ length: scores.length / COMPONENTS }, (_, row) => `t${row}`);

describe('softClusters', () => {
  it('has every table in a cluster and the best of each component in it', () => {
    fc.assert(
      fc.property(drawn, fc.integer({ min: 1, max: 6 }), (scores, size) => {
        const tables = namesOf(scores);
        const clusters = softClusters(tables, { scores, components: COMPONENTS }, size);
        expect(new Set(clusters.flatMap((cluster) => cluster.tables.map(({ tableId }) => tableId)))).toEqual(
          new Set(tables),
        );
        for (const { tables: own } of clusters) {
          expect(own.length).toBeGreaterThanOrEqual(Math.min(size, tables.length));
          const ordered = own.map(({ score }) => score);
          expect(ordered).toEqual([...ordered].sort((a, b) => b - a));
        }
      }),
    );
  });

  it('does not depend on the signs of the components', () => {
    const signs = fc.tuple(...Array.from({ length: COMPONENTS }, () => fc.constantFrom(1, -1)));
    fc.assert(
      fc.property(drawn, signs, (scores, flips) => {
        const skewed = turnTailsUp({ scores, components: COMPONENTS });
        const third = [0, 1, 2].map((c) => skewness(skewed, c));
        // A symmetric component has no heavy tail that would tell its sign.
        fc.pre(third.every((moment) => Math.abs(moment) > 1e-6));
        const flipped = scores.map((score, at) => score * (flips[at % COMPONENTS] ?? 1));
        const tables = namesOf(scores);
        expect(softClusters(tables, { scores: flipped, components: COMPONENTS }, 3)).toEqual(
          softClusters(tables, { scores, components: COMPONENTS }, 3),
        );
      }),
    );
  });

  it('turns the heavy tail up', () => {
    const scores = Float64Array.of(-9, 1, 1, 1, 1, 1, 1, 1, 1, 1);
    expect(turnTailsUp({ scores, components: 1 })[0]).toBe(9);
    expect(softClusters(namesOf(new Float64Array(30)), { scores, components: 1 }, 1)[0]?.tables[0]).toEqual({
      tableId: 't0',
      score: 9,
    });
  });
});

function skewness(scores: Float64Array, component: number): number {
  const own = [...scores].filter((_, at) => at % COMPONENTS === component);
  const mean = own.reduce((sum, value) => sum + value, 0) / own.length;
  return own.reduce((sum, value) => sum + (value - mean) ** 3, 0) / own.length;
}

describe('meanKurtosis', () => {
  it('is two below normal for two equal values, and zero for none that differ', () => {
    expect(meanKurtosis({ scores: Float64Array.of(1, -1, 1, -1), components: 1 })).toBe(2);
    expect(meanKurtosis({ scores: Float64Array.of(5, 5, 5), components: 1 })).toBe(0);
  });
});
