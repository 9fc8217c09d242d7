import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { binEdges } from './binned-rows.ts';

const edgesOf = (values: readonly number[], bins: number) => [...binEdges(Float32Array.from(values), bins)];

describe('the edges of bins', () => {
  it.each([
    ['nothing but missing values', [Number.NaN, Number.NaN], 255, []],
    ['one value', [3, 3, 3], 255, []],
    ['few values get a bin each', [2, 0, 1, 1, Number.NaN], 255, [0.5, 1.5]],
    ['many values share bins evenly', [0, 1, 2, 3, 4, 5, 6, 7], 4, [1.5, 3.5, 5.5]],
    ['a frequent value is alone', [0, 0, 0, 0, 0, 0, 1, 2, 3, 4], 3, [0.5, 2.5]],
    ['a frequent value in the middle is alone', [0, 1, 2, 2, 2, 2, 2, 2, 3, 4], 3, [1.5, 2.5]],
    ['both zeros are one value', [-0, 0, 1], 255, [0.5]],
  ])('%s', (_, values, bins, expected) => expect(edgesOf(values, bins)).toEqual(expected));

  it('part any values into at most so many bins, none of them empty', () => {
    const value = fc.oneof(
      fc.integer({ min: 0, max: 30 }),
      fc.float({ noNaN: true, noDefaultInfinity: true }),
    );
    fc.assert(
      fc.property(
        fc.array(value, { minLength: 1, maxLength: 300 }),
        fc.integer({ min: 2, max: 40 }),
        (values, bins) => {
          const edges = edgesOf(values, bins);
          expect(edges.length).toBeLessThan(bins);
          expect(edges).toEqual([...edges].sort((a, b) => a - b));
          const binOf = (given: number): number => edges.filter((edge) => edge < given).length;
          expect(new Set(values.map(binOf)).size).toBe(edges.length + 1);
        },
      ),
    );
  });
});
