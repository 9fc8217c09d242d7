import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rowAdder, times, timesTransposed, transposedTimes } from './dense-products.ts';

/** Whole numbers, so that the order of adding does not show. */
const drawn = fc
  .tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 11 }))
  .chain(([size, rows]) => {
    const matrix = (count: number) =>
      fc
        .array(fc.integer({ min: -9, max: 9 }), { minLength: count * size, maxLength: count * size })
        .map((numbers) => Float64Array.from(numbers));
    return fc.record({
      size: fc.constant(size),
      tall: matrix(rows),
      other: matrix(rows),
      square: matrix(size),
    });
  });

function plainTimes(cell: (row: number, column: number) => number, rows: number, columns: number): number[] {
  return Array.from({ length: rows * columns }, (_, at) => cell(Math.floor(at / columns), at % columns));
}

describe('dense products', () => {
  it('are what the definition says, for any size', () => {
    fc.assert(
      fc.property(drawn, ({ size, tall, other, square }) => {
        const rows = tall.length / size;
        const sum = (count: number, term: (k: number) => number): number =>
          Array.from({ length: count }, (_, k) => term(k)).reduce((total, value) => total + value, 0);
        expect([...times(tall, square, size)]).toEqual(
          plainTimes((i, j) => sum(size, (k) => tall[i * size + k]! * square[k * size + j]!), rows, size),
        );
        expect([...timesTransposed(tall, square, size)]).toEqual(
          plainTimes((i, j) => sum(size, (k) => tall[i * size + k]! * square[j * size + k]!), rows, size),
        );
        expect([...transposedTimes(tall, other, size)]).toEqual(
          plainTimes((i, j) => sum(rows, (k) => tall[k * size + i]! * other[k * size + j]!), size, size),
        );
      }),
    );
  });

  it('add a multiple of a row to a row', () => {
    fc.assert(
      fc.property(drawn, fc.integer({ min: -3, max: 3 }), ({ size, tall, other }, factor) => {
        const target = Float64Array.from(tall);
        const last = tall.length - size;
        rowAdder(target, other, size)(last, 0, factor);
        expect([...target]).toEqual(
          [...tall].map((value, at) => (at < last ? value : value + factor * other[at - last]!)),
        );
      }),
    );
  });
});
