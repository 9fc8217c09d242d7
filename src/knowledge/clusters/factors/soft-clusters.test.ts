import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assignSoftly, type SoftAssignment, softClusters } from './soft-clusters.ts';

const COMPONENTS = 3;
const drawn = fc
  .array(fc.tuple(...Array.from({ length: COMPONENTS }, () => fc.double({ min: -9, max: 9, noNaN: true }))), {
    minLength: 5,
    maxLength: 30,
  })
  .map((rows) => Float32Array.from(rows.flat()));
const namesOf = (rows: number): string[] => Array.from({ length: rows }, (_, row) => `t${row}`);

/** Two panels where there are several components, as they come of a large matrix. */
function assign(scores: Float32Array, components: number, size: number): Promise<SoftAssignment> {
  const first = Math.ceil(components / 2);
  const panels = [
    { first: 0, components: first, scores, columns: components },
    {
      first,
      components: components - first,
      scores: scores.map((_, at) => scores[at + first] ?? 0),
      columns: components,
    },
  ];
  return assignSoftly(panels, scores.length / components, { components, size });
}

async function clustersOf(scores: Float32Array, components: number, size: number) {
  return softClusters(namesOf(scores.length / components), await assign(scores, components, size));
}

describe('softClusters', () => {
  it('has every table in a cluster and the best of each component in it', async () => {
    await fc.assert(
      fc.asyncProperty(drawn, fc.integer({ min: 1, max: 6 }), async (scores, size) => {
        const tables = namesOf(scores.length / COMPONENTS);
        const clusters = await clustersOf(scores, COMPONENTS, size);
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

  it('does not depend on the signs of the components', async () => {
    const signs = fc.tuple(...Array.from({ length: COMPONENTS }, () => fc.constantFrom(1, -1)));
    await fc.assert(
      fc.asyncProperty(drawn, signs, async (scores, flips) => {
        // A symmetric component has no heavy tail that would tell its sign.
        fc.pre([0, 1, 2].every((c) => Math.abs(skewness(scores, c)) > 1e-6));
        const flipped = scores.map((score, at) => score * (flips[at % COMPONENTS] ?? 1));
        expect(await clustersOf(flipped, COMPONENTS, 3)).toEqual(await clustersOf(scores, COMPONENTS, 3));
      }),
    );
  });

  it('turns the heavy tail up', async () => {
    const scores = Float32Array.of(-9, 1, 1, 1, 1, 1, 1, 1, 1, 1);
    expect((await assign(scores, 1, 1)).signs[0]).toBe(-1);
    expect((await clustersOf(scores, 1, 1))[0]?.tables[0]).toEqual({ tableId: 't0', score: 9 });
  });

  it('measures kurtosis: two below normal for two equal values, zero for none that differ', async () => {
    expect((await assign(Float32Array.of(1, -1, 1, -1), 1, 1)).kurtosis).toBe(2);
    expect((await assign(Float32Array.of(5, 5, 5), 1, 1)).kurtosis).toBe(0);
  });
});

function skewness(scores: Float32Array, component: number): number {
  const own = [...scores].filter((_, at) => at % COMPONENTS === component);
  const mean = own.reduce((sum, value) => sum + value, 0) / own.length;
  return own.reduce((sum, value) => sum + (value - mean) ** 3, 0) / own.length;
}
