import { CandorError } from '../../errors.ts';

/** The vector scaled to length 1, in place. Throws `model.bad-reply` when it has no direction. */
export function toUnit(vector: Float32Array, title: string): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares);
  if (!Number.isFinite(length) || length === 0)
    throw new CandorError(
      'model.bad-reply',
      `${title} gave a vector that is not of finite numbers, or all zero`,
    );
  for (let index = 0; index < vector.length; index++) vector[index] = (vector[index] ?? 0) / length;
  return vector;
}

/** The rows of a matrix as unit vectors. Throws `model.bad-reply` when it is not `count` × `dimensions`. */
export function toUnitRows(
  matrix: Float32Array,
  shape: { readonly count: number; readonly dimensions: number },
  title: string,
): Float32Array[] {
  const { count, dimensions } = shape;
  if (matrix.length !== count * dimensions)
    throw new CandorError(
      'model.bad-reply',
      `${title} gave ${matrix.length} numbers for ${count} texts of ${dimensions} dimensions`,
    );
  return Array.from({ length: count }, (_, row) =>
    toUnit(matrix.slice(row * dimensions, (row + 1) * dimensions), title),
  );
}
