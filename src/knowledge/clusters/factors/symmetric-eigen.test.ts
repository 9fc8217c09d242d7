import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { symmetricEigen, tridiagonalEigen } from './symmetric-eigen.ts';

function symmetric(size: number, entries: readonly number[]): Float64Array {
  const matrix = new Float64Array(size * size);
  for (let row = 0; row < size; row += 1)
    for (let column = 0; column <= row; column += 1)
      matrix[row * size + column] = matrix[column * size + row] =
        entries[(row * (row + 1)) / 2 + column] ?? 0;
  return matrix;
}

function expectEigen(matrix: Float64Array, size: number): void {
  const { values, vectors } = symmetricEigen(matrix, size);
  const scale = Math.max(1, ...matrix.map(Math.abs));
  expect([...values]).toEqual([...values].sort((a, b) => b - a));
  for (let i = 0; i < size; i += 1) {
    for (let j = 0; j < size; j += 1) {
      let along = 0;
      let image = 0;
      for (let k = 0; k < size; k += 1) {
        along += vectors[k * size + i]! * vectors[k * size + j]!;
        image += matrix[i * size + k]! * vectors[k * size + j]!;
      }
      expect(along).toBeCloseTo(i === j ? 1 : 0, 9);
      expect((image - values[j]! * vectors[i * size + j]!) / scale).toBeCloseTo(0, 9);
    }
  }
}

describe('symmetricEigen', () => {
  it('gives orthogonal vectors that the matrix stretches by the values', () => {
    // Numbers so small that they have lost digits already are taken for zero.
    const entry = fc
      .double({ min: -1e3, max: 1e3, noNaN: true })
      .map((value) => (Math.abs(value) < 1e-290 ? 0 : value));
    const drawn = fc
      .integer({ min: 1, max: 9 })
      .chain((size) =>
        fc.tuple(fc.constant(size), fc.array(entry, { minLength: size ** 2, maxLength: size ** 2 })),
      );
    fc.assert(fc.property(drawn, ([size, entries]) => expectEigen(symmetric(size, entries), size)));
  });

  it.each([
    ['zero', 4, []],
    ['one row', 1, [7]],
    ['the identity, whose values are equal', 3, [1, 0, 1, 0, 0, 1]],
    ['of rank one', 3, [1, 2, 4, 3, 6, 9]],
    ['of very small and very large numbers', 3, [1e-12, 0, 1e12, 1e-3, 5, 1]],
  ])('takes a matrix that is %s', (_, size, entries) => expectEigen(symmetric(size, entries), size));

  it('takes a tridiagonal matrix that falls into blocks', () => {
    const { values } = tridiagonalEigen(Float64Array.of(2, 2, 5, 1), Float64Array.of(1, 0, 0, 0));
    expect([...values].map((value) => Math.round(value * 1e9) / 1e9)).toEqual([5, 3, 1, 1]);
  });
});
