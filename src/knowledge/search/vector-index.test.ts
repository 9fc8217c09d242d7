import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codeOf } from '../../../test/fixtures/code-of.ts';
import { VectorIndex } from './vector-index.ts';

/** All rows compared, the plain way. */
function bruteForce(
  { dimensions, vectors }: { dimensions: number; vectors: Float32Array },
  query: Float32Array,
  accept: (row: number) => boolean,
): { row: number; score: number }[] {
  return Array.from({ length: vectors.length / dimensions }, (_, row) => ({
    row,
    score: query.reduce((sum, value, index) => sum + value * vectors[row * dimensions + index]!, 0),
  }))
    .filter(({ row }) => accept(row))
    .sort((a, b) => b.score - a.score || a.row - b.row);
}

/** Numbers in [-1, 1] that depend on nothing but the seed (mulberry32). */
function numbersOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 31 - 1;
  };
}

/** Unit vectors in bundles around centres, as texts of a few subjects lie. */
function clustered(seed: number, count: number, dimensions: number): Float32Array {
  const next = numbersOf(seed);
  const centres = Array.from({ length: Math.ceil(count / 25) }, () =>
    Array.from({ length: dimensions }, next),
  );
  const vectors = new Float32Array(count * dimensions);
  for (let row = 0; row < count; row++) {
    const raw = centres[row % centres.length]!.map((value) => 0.3 + value + 0.5 * next());
    const length = Math.hypot(...raw);
    vectors.set(
      raw.map((value) => value / length),
      row * dimensions,
    );
  }
  return vectors;
}

describe('VectorIndex', () => {
  it('finds what comparing all rows finds, when the codes leave none out', () => {
    fc.assert(
      fc.property(
        fc.record({
          seed: fc.integer(),
          dimensions: fc.integer({ min: 1, max: 70 }),
          count: fc.integer({ min: 0, max: 60 }),
          k: fc.integer({ min: 1, max: 70 }),
          step: fc.integer({ min: 1, max: 4 }),
          codesFrom: fc.constantFrom(0, 1_000),
        }),
        ({ seed, dimensions, count, k, step, codesFrom }) => {
          const vectors = clustered(seed, count, dimensions);
          const query = clustered(seed + 1, 1, dimensions);
          const accept = (row: number) => row % step === 0;
          const index = VectorIndex.build(dimensions, vectors, { codesFrom });
          const hits = index.search(query, k, accept);
          const expected = bruteForce({ dimensions, vectors }, query, accept).slice(0, k);
          expect(hits).toHaveLength(expected.length);
          for (const [place, { row, score }] of hits.entries()) {
            expect(accept(row)).toBe(true);
            expect(score).toBeCloseTo(expected[place]!.score, 5);
          }
          expect(new Set(hits.map(({ row }) => row)).size).toBe(hits.length);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('never gives a row that is not accepted, nor a score that is not its own, however few candidates', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 1, max: 30 }), (seed, candidates) => {
        const [dimensions, count] = [40, 200];
        const vectors = clustered(seed, count, dimensions);
        const index = VectorIndex.build(dimensions, vectors, { codesFrom: 0, candidates });
        const query = clustered(seed + 1, 1, dimensions);
        const hits = index.search(query, 10, (row) => row % 3 === 0);
        expect(hits).toHaveLength(10);
        const scores = new Map(
          bruteForce({ dimensions, vectors }, query, () => true).map(({ row, score }) => [row, score]),
        );
        for (const [place, { row, score }] of hits.entries()) {
          expect(row % 3).toBe(0);
          expect(score).toBeCloseTo(scores.get(row)!, 5);
          if (place > 0) expect(score).toBeLessThanOrEqual(hits[place - 1]!.score);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('loses next to nothing by its codes', () => {
    const [dimensions, count] = [384, 8_000];
    const vectors = clustered(7, count, dimensions);
    const exact = VectorIndex.build(dimensions, vectors, { codesFrom: Number.POSITIVE_INFINITY });
    const index = VectorIndex.build(dimensions, vectors);
    expect([exact.codeBytes, index.codeBytes]).toEqual([0, (count * dimensions) / 8]);
    let found = 0;
    for (let row = 0; row < count; row += 80) {
      const query = vectors.slice(row * dimensions, (row + 1) * dimensions);
      const right = new Set(exact.search(query, 10).map((hit) => hit.row));
      found += index.search(query, 10).filter((hit) => right.has(hit.row)).length;
    }
    expect(found / (10 * 100)).toBeGreaterThanOrEqual(0.99);
  });

  it('gives the first rows among equal ones', () => {
    const vectors = Float32Array.from({ length: 50 * 4 }, () => 0.5);
    for (const codesFrom of [0, 1_000]) {
      const index = VectorIndex.build(4, vectors, { codesFrom, candidates: 5 });
      expect(index.search(Float32Array.of(0.5, 0.5, 0.5, 0.5), 3).map(({ row }) => row)).toEqual([0, 1, 2]);
    }
  });

  it('is empty, or asked for nothing, and finds nothing', () => {
    const query = Float32Array.of(1, 0);
    expect(VectorIndex.build(2, new Float32Array(0)).search(query, 5)).toEqual([]);
    expect(VectorIndex.build(2, Float32Array.of(1, 0)).search(query, 0)).toEqual([]);
    expect(VectorIndex.build(2, Float32Array.of(1, 0)).search(query, 5, () => false)).toEqual([]);
  });

  it.each([
    ['numbers that are no whole vectors', async () => VectorIndex.build(3, new Float32Array(4))],
    ['no dimensions', async () => VectorIndex.build(0, new Float32Array(4))],
    [
      'a query of another length',
      async () => VectorIndex.build(2, new Float32Array(4)).search(new Float32Array(3), 1),
    ],
  ])('refuses %s', async (_, run) => expect(await codeOf(run())).toBe('internal.bug'));
});
