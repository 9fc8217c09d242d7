/** Principal components of a sparse matrix that is centred in thought only: it never becomes dense. */
import { seededRandom } from '../../../lib/index.ts';
import { type KernelSpace, PANEL } from '../kernels/kernel-space.ts';
import { fillMatrix, type PanelMatrix, readMatrix, times, transposedTimes } from '../kernels/panel-matrix.ts';
import { type SparseCells, thereAndBack, type WalkPlaces } from '../kernels/sparse-cells.ts';
import { symmetricEigen } from './symmetric-eigen.ts';

export interface WhitenPlaces {
  readonly walk: WalkPlaces;
  /** Two of users × directions, and one of directions × directions. */
  readonly one: PanelMatrix;
  readonly other: PanelMatrix;
  readonly square: PanelMatrix;
}

/**
 * What turns a row of the matrix into whitened coordinates: (row - means) · projection has, over all rows, mean zero
 * and unit covariance.
 */
export interface Whitening {
  /** Users × components; columns beyond the components are zero. It lies in one of the two places. */
  readonly projection: PanelMatrix;
  /** The other of the two places, free again. */
  readonly free: PanelMatrix;
  /** May be fewer than asked for: a matrix has no more components than its rank. */
  readonly components: number;
}

export interface WhitenOptions {
  readonly components: number;
  readonly seed: number;
  readonly signal?: AbortSignal | undefined;
}

/** A variance below this part of the largest, or of the squares of all cells, is what rounding left. */
const NO_VARIANCE = 1e-6;
const NO_SQUARES = 1e-7;
/** A direction that has less than this of its square outside of those before it is none. */
const DEPENDENT = 1e-6;
/** Directions beyond the components that are wanted: with them these are found in fewer rounds. */
const MORE_DIRECTIONS = 0.1;
const FEWEST_MORE = 16;
/**
 * So many rounds find the components that stand out. Those in the noise are found nearly, which costs nothing:
 * whitened coordinates of any directions that the process gives have unit covariance.
 */
const ROUNDS = 5;

/** Panels of the directions that are looked for. */
export function panelsFor(components: number): number {
  return Math.ceil((components * (1 + MORE_DIRECTIONS)) / PANEL + FEWEST_MORE / PANEL);
}

/**
 * Whitens to the leading components: the thin SVD of the centred matrix, from its Gram operator by subspace iteration
 * and a Rayleigh-Ritz step (Halko, Martinsson and Tropp, Finding structure with randomness, algorithms 4.4 and 5.3).
 * Throws `knowledge.cancelled`.
 */
export async function whiten(
  space: KernelSpace,
  cells: SparseCells,
  places: WhitenPlaces,
  { components: wanted, seed, signal }: WhitenOptions,
): Promise<Whitening> {
  let { one, other } = places;
  const { square, walk } = places;
  const size = square.height;
  const random = seededRandom(seed);
  fillMatrix(space, one, (row) => (row < cells.users ? random() - 0.5 : 0));
  const apply = (): Promise<unknown> =>
    thereAndBack(space, cells, walk, { from: one.address, into: other.address, bends: false, signal });
  const orthonormalise = async (from: PanelMatrix, into: PanelMatrix): Promise<void> => {
    await transposedTimes(space, { out: square, a: from, b: from }, signal);
    const inverse = inverseRoot(readMatrix(space, square, { rows: size, columns: size }), size);
    fillMatrix(space, square, (row, column) => inverse[row * size + column]!);
    await times(space, { out: into, a: from, b: square }, signal);
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    await apply();
    await orthonormalise(other, one);
  }
  // A second time: single precision leaves them a little askew.
  await orthonormalise(one, other);
  [one, other] = [other, one];
  await apply();
  await transposedTimes(space, { out: square, a: one, b: other }, signal);
  const { values, vectors } = symmetricEigen(
    symmetric(readMatrix(space, square, { rows: size, columns: size }), size),
    size,
  );
  const least = Math.max(NO_VARIANCE * (values[0] ?? 0), NO_SQUARES * cells.squares);
  const components = Math.min(wanted, values.filter((value) => value > least).length);
  fillMatrix(space, square, (row, column) =>
    column < components ? vectors[row * size + column]! * Math.sqrt(cells.rows / values[column]!) : 0,
  );
  await times(space, { out: other, a: one, b: square }, signal);
  return { projection: other, free: one, components };
}

function symmetric(matrix: Float64Array, size: number): Float64Array {
  return matrix.map((value, at) => {
    const [row, column] = [Math.floor(at / size), at % size];
    return (value + matrix[column * size + row]!) / 2;
  });
}

/**
 * R⁻¹ for R'R = gram, so that a · R⁻¹ has orthonormal columns where gram = a'a. A column that depends on those before
 * it becomes zero.
 */
function inverseRoot(gram: Float64Array, size: number): Float64Array {
  const inverse = new Float64Array(size * size);
  const lower = new Float64Array(size * size);
  for (let row = 0; row < size; row += 1) {
    const own = row * size;
    for (let column = 0; column < row; column += 1) {
      const other = column * size;
      const pivot = lower[other + column]!;
      if (pivot === 0) continue;
      let sum = gram[own + column]!;
      for (let at = 0; at < column; at += 1) sum -= lower[own + at]! * lower[other + at]!;
      lower[own + column] = sum / pivot;
    }
    let rest = gram[own + row]!;
    for (let at = 0; at < row; at += 1) rest -= lower[own + at]! ** 2;
    const isDependent = !(rest > DEPENDENT * gram[own + row]!);
    if (isDependent) {
      lower.fill(0, own, own + row + 1);
      continue;
    }
    lower[own + row] = Math.sqrt(rest);
  }
  // Row by row of L⁻¹, which is R⁻¹ turned over.
  const turned = new Float64Array(size * size);
  for (let row = 0; row < size; row += 1) {
    const own = row * size;
    const pivot = lower[own + row]!;
    if (pivot === 0) continue;
    for (let at = 0; at < row; at += 1) {
      const factor = lower[own + at]!;
      if (factor === 0) continue;
      const other = at * size;
      for (let column = 0; column <= at; column += 1)
        turned[own + column]! -= factor * turned[other + column]!;
    }
    for (let column = 0; column < row; column += 1) turned[own + column]! /= pivot;
    turned[own + row] = 1 / pivot;
  }
  for (let row = 0; row < size; row += 1)
    for (let column = 0; column <= row; column += 1)
      inverse[column * size + row] = turned[row * size + column]!;
  return inverse;
}
