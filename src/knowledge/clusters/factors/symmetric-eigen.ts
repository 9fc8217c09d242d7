/** Eigenvalues and eigenvectors of symmetric matrices, in plain typed arrays. */

export interface Eigen {
  /** Largest first. */
  readonly values: Float64Array;
  /** Row-major; column `i` belongs to value `i`. */
  readonly vectors: Float64Array;
}

/** Sweeps after which one eigenvalue must have been found; real matrices need two or three. */
const MOST_SWEEPS = 60;

/**
 * All eigenpairs of a symmetric matrix of `size` rows, row-major: Householder reduction to tridiagonal form, then
 * implicit QL (Golub and Van Loan, Matrix Computations, sections 8.3.1 and 8.3.3).
 */
export function symmetricEigen(matrix: Float64Array, size: number): Eigen {
  const { diagonal, below, vectors } = tridiagonalise(matrix, size);
  return tridiagonalEigen(diagonal, below, vectors);
}

/**
 * All eigenpairs of a symmetric tridiagonal matrix; `below[i]` stands beside `diagonal[i]` and `diagonal[i + 1]`.
 * `basis` (row-major, identity where absent) is what the vectors are told in; it is overwritten.
 */
export function tridiagonalEigen(
  diagonal: Float64Array,
  below: Float64Array,
  basis: Float64Array = identity(diagonal.length),
): Eigen {
  const size = diagonal.length;
  const d = Float64Array.from(diagonal);
  const e = new Float64Array(size);
  e.set(below.subarray(0, Math.max(0, size - 1)));
  const norm = d.reduce((most, value, row) => Math.max(most, Math.abs(value) + Math.abs(e[row]!)), 0);
  const reduction = { d, e, basis, size, negligible: Number.EPSILON * norm };
  for (let low = 0; low < size; low += 1) {
    for (let sweep = 0; ; sweep += 1) {
      const high = endOfBlock(reduction, low);
      if (high === low) break;
      if (sweep === MOST_SWEEPS) throw new RangeError('the eigenvalues of this matrix were not found');
      sweepQl(reduction, low, high);
    }
  }
  return sorted(d, basis, size);
}

interface Reduction {
  readonly d: Float64Array;
  readonly e: Float64Array;
  readonly basis: Float64Array;
  readonly size: number;
  /** What rounding makes of zero in a matrix of this norm. */
  readonly negligible: number;
}

/** The last row of the block that starts at `low`: below it stands a number that rounding could have made. */
function endOfBlock({ d, e, negligible }: Reduction, low: number): number {
  let high = low;
  while (high < d.length - 1 && Math.abs(e[high]!) > negligible) high += 1;
  return high;
}

/** One implicit QL sweep with Wilkinson's shift over rows `low` to `high`. */
function sweepQl({ d, e, basis, size }: Reduction, low: number, high: number): void {
  const half = (d[low + 1]! - d[low]!) / (2 * e[low]!);
  const root = Math.hypot(half, 1);
  let g = d[high]! - d[low]! + e[low]! / (half + (half < 0 ? -root : root));
  let sine = 1;
  let cosine = 1;
  let shift = 0;
  for (let row = high - 1; row >= low; row -= 1) {
    let f = sine * e[row]!;
    const b = cosine * e[row]!;
    const length = Math.hypot(f, g);
    e[row + 1] = length;
    if (length === 0) {
      // The matrix splits here; the next sweep goes on with the smaller block.
      d[row + 1]! -= shift;
      e[high] = 0;
      return;
    }
    sine = f / length;
    cosine = g / length;
    g = d[row + 1]! - shift;
    const turned = (d[row]! - g) * sine + 2 * cosine * b;
    shift = sine * turned;
    d[row + 1] = g + shift;
    g = cosine * turned - b;
    for (let at = row; at < size * size; at += size) {
      f = basis[at + 1]!;
      basis[at + 1] = sine * basis[at]! + cosine * f;
      basis[at] = cosine * basis[at]! - sine * f;
    }
  }
  d[low]! -= shift;
  e[low] = g;
  e[high] = 0;
}

interface Tridiagonal {
  readonly diagonal: Float64Array;
  readonly below: Float64Array;
  /** Row-major: the matrix is vectors · tridiagonal · vectors'. */
  readonly vectors: Float64Array;
}

/** Householder reflections, each applied to both sides of the trailing square and gathered in `vectors`. */
function tridiagonalise(matrix: Float64Array, size: number): Tridiagonal {
  const a = Float64Array.from(matrix);
  const vectors = identity(size);
  const below = new Float64Array(size);
  for (let step = 0; step < size - 1; step += 1) {
    const from = step + 1;
    const v = new Float64Array(size);
    let largest = 0;
    for (let row = from; row < size; row += 1) {
      v[row] = a[row * size + step]!;
      largest = Math.max(largest, Math.abs(v[row]!));
    }
    if (largest === 0) continue;
    // Divided by the largest, no square vanishes or overflows.
    let squares = 0;
    for (let row = from; row < size; row += 1) {
      v[row]! /= largest;
      squares += v[row]! * v[row]!;
    }
    const norm = Math.sqrt(squares);
    // The sign that adds: nothing cancels.
    const first = v[from]! > 0 ? -norm : norm;
    below[step] = first * largest;
    const own = Math.sqrt(2 * norm * (norm + Math.abs(v[from]!)));
    v[from]! -= first;
    for (let row = from; row < size; row += 1) v[row]! /= own;
    reflectBothSides(a, v, from);
    reflectRight(vectors, v, from);
  }
  return { diagonal: a.filter((_, at) => at % (size + 1) === 0), below, vectors };
}

/** a ← H a H for H = 1 - 2vv', on the rows and columns from `from` on. */
function reflectBothSides(a: Float64Array, v: Float64Array, from: number): void {
  const size = v.length;
  const w = new Float64Array(size);
  let along = 0;
  for (let row = from; row < size; row += 1) {
    let sum = 0;
    for (let column = from; column < size; column += 1) sum += a[row * size + column]! * v[column]!;
    w[row] = sum;
    along += v[row]! * sum;
  }
  for (let row = from; row < size; row += 1) w[row]! -= along * v[row]!;
  for (let row = from; row < size; row += 1) {
    const [ofV, ofW] = [2 * v[row]!, 2 * w[row]!];
    for (let column = from; column < size; column += 1)
      a[row * size + column]! -= ofV * w[column]! + ofW * v[column]!;
  }
}

/** a ← a H. */
function reflectRight(a: Float64Array, v: Float64Array, from: number): void {
  const size = v.length;
  for (let row = 0; row < size * size; row += size) {
    let along = 0;
    for (let column = from; column < size; column += 1) along += a[row + column]! * v[column]!;
    for (let column = from; column < size; column += 1) a[row + column]! -= 2 * along * v[column]!;
  }
}

function identity(size: number): Float64Array {
  const matrix = new Float64Array(size * size);
  for (let at = 0; at < matrix.length; at += size + 1) matrix[at] = 1;
  return matrix;
}

function sorted(d: Float64Array, basis: Float64Array, size: number): Eigen {
  const order = Array.from(d.keys()).sort((a, b) => d[b]! - d[a]!);
  const vectors = new Float64Array(size * size);
  for (let row = 0; row < size * size; row += size)
    for (let column = 0; column < size; column += 1) vectors[row + column] = basis[row + order[column]!]!;
  return { values: Float64Array.from(order, (at) => d[at]!), vectors };
}
