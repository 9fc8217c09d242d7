/** FastICA on a sparse matrix. Source: Hyvärinen, Fast and robust fixed-point algorithms for ICA, 1999. */
import type { AccessMatrix } from './access-matrix.ts';
import { rowAdder, times, timesTransposed, transposedTimes } from './dense-products.ts';
import { normalRandom } from './normal-random.ts';
import { symmetricEigen } from './symmetric-eigen.ts';
import { takeTurn } from './take-turn.ts';
import type { Whitening } from './whiten.ts';

type Cells = Pick<AccessMatrix, 'starts' | 'columns' | 'values'>;

const COMPONENTS_AT_ONCE = 16;

export interface IcaOptions {
  readonly seed: number;
  /** No row of the rotation turns by more than this, as 1 - |cosine|. */
  readonly tolerance: number;
  readonly maxIterations: number;
  readonly onIteration?: (iteration: number, change: number) => void;
  readonly signal?: AbortSignal | undefined;
}

export interface IcaResult {
  /** Row-major, users × components: the independent components of a row are (row - means) · unmixing. */
  readonly unmixing: Float64Array;
  readonly isConverged: boolean;
  readonly iterations: number;
}

/**
 * Symmetric FastICA with the tanh contrast. Each step is one walk over the cells: a row is unmixed, sent through tanh
 * and added back to the users it came from, so that time grows with the cells and the dense whitened matrix is never
 * made. Throws `knowledge.cancelled`; between iterations the event loop gets its turn.
 */
export async function fastIca(cells: Cells, whitening: Whitening, options: IcaOptions): Promise<IcaResult> {
  const { components, projection } = whitening;
  const random = normalRandom(options.seed);
  let rotation = orthogonalise(Float64Array.from({ length: components ** 2 }, random.normal), components);
  for (let iteration = 1; ; iteration += 1) {
    const unmixing = timesTransposed(projection, rotation, components);
    const next = orthogonalise(step(cells, whitening, { rotation, unmixing }), components);
    const change = turnBetween(next, rotation, components);
    rotation = next;
    options.onIteration?.(iteration, change);
    const isConverged = change < options.tolerance;
    if (isConverged || iteration >= options.maxIterations)
      return {
        unmixing: timesTransposed(projection, rotation, components),
        isConverged,
        iterations: iteration,
      };
    await takeTurn(options.signal);
  }
}

/** E[g(Wz)z'] - diag(E[g'(Wz)])W for g = tanh, where z = projection'(row - means) is left as the product it is. */
function step(
  cells: Cells,
  whitening: Whitening,
  { rotation, unmixing }: { readonly rotation: Float64Array; readonly unmixing: Float64Array },
): Float64Array {
  const rows = cells.starts.length - 1;
  const { components, projection } = whitening;
  const { gathered, slopes } = gather(cells, whitening, unmixing);
  return transposedTimes(gathered, projection, components).map(
    (value, at) => (value - slopes[Math.floor(at / components)]! * rotation[at]!) / rows,
  );
}

interface Gathered {
  /** Row-major, users × components: the sum over rows of (value - mean) · tanh(unmixed row). */
  readonly gathered: Float64Array;
  /** The sum over rows of the derivative of tanh, of each component. */
  readonly slopes: Float64Array;
}

/**
 * The walk over the cells, for a few components at a time: what belongs to them is so little that it stays in the
 * cache of the processor, which is three times as fast as all components at once.
 */
function gather(cells: Cells, { means, components }: Whitening, unmixing: Float64Array): Gathered {
  const gathered = new Float64Array(means.length * components);
  const slopes = new Float64Array(components);
  for (let first = 0; first < components; first += COMPONENTS_AT_ONCE) {
    const width = COMPONENTS_AT_ONCE;
    // Columns beyond the last are zero, and what comes of them is dropped.
    const real = Math.min(width, components - first);
    const part = columnsOf(unmixing, components, { first, width });
    const found = gatherPart(cells, means, { part, width });
    slopes.set(found.slopes.subarray(0, real), first);
    for (let user = 0; user < means.length; user += 1)
      for (let c = 0; c < real; c += 1)
        gathered[user * components + first + c] = found.gathered[user * width + c]!;
  }
  return { gathered, slopes };
}

/** Loops are written out four numbers at a time: called for every cell, they are where the time goes. */
function gatherPart(
  { starts, columns, values }: Cells,
  means: Float64Array,
  { part, width }: { readonly part: Float64Array; readonly width: number },
): Gathered {
  const gathered = new Float64Array(means.length * width);
  const slopes = new Float64Array(width);
  const sums = new Float64Array(width);
  const atMeans = unmixedMeans(means, part, width);
  const row = new Float64Array(width);
  for (let at = 0; at < starts.length - 1; at += 1) {
    const [from, to] = [starts[at]!, starts[at + 1]!];
    for (let c = 0; c < width; c += 1) row[c] = -atMeans[c]!;
    for (let cell = from; cell < to; cell += 1) {
      const value = values[cell]!;
      for (let c = 0, of = columns[cell]! * width; c < width; c += 4, of += 4) {
        row[c]! += value * part[of]!;
        row[c + 1]! += value * part[of + 1]!;
        row[c + 2]! += value * part[of + 2]!;
        row[c + 3]! += value * part[of + 3]!;
      }
    }
    for (let c = 0; c < width; c += 1) {
      // tanh, several times as fast as Math.tanh and exact but for the last digits.
      const bent = 1 - 2 / (1 + Math.exp(2 * row[c]!));
      row[c] = bent;
      sums[c]! += bent;
      slopes[c]! += 1 - bent * bent;
    }
    for (let cell = from; cell < to; cell += 1) {
      const value = values[cell]!;
      for (let c = 0, of = columns[cell]! * width; c < width; c += 4, of += 4) {
        gathered[of]! += value * row[c]!;
        gathered[of + 1]! += value * row[c + 1]!;
        gathered[of + 2]! += value * row[c + 2]!;
        gathered[of + 3]! += value * row[c + 3]!;
      }
    }
  }
  const centre = rowAdder(gathered, sums, width);
  for (let user = 0; user < means.length; user += 1) centre(user * width, 0, -means[user]!);
  return { gathered, slopes };
}

/** Some columns of a row-major matrix as one of their own; those beyond the last are zero. */
function columnsOf(
  matrix: Float64Array,
  size: number,
  { first, width }: { readonly first: number; readonly width: number },
): Float64Array {
  const part = new Float64Array((matrix.length / size) * width);
  for (let from = first, to = 0; to < part.length; from += size, to += width)
    for (let c = 0; c < Math.min(width, size - first); c += 1) part[to + c] = matrix[from + c]!;
  return part;
}

/** The independent components of every row, row-major. */
export function unmixRows(
  { starts, columns, values }: Cells,
  { means, components }: Whitening,
  unmixing: Float64Array,
): Float64Array {
  const rows = starts.length - 1;
  const unmixed = new Float64Array(rows * components);
  const unmix = rowAdder(unmixed, unmixing, components);
  const centre = rowAdder(unmixed, unmixedMeans(means, unmixing, components), components);
  for (let at = 0; at < rows; at += 1) {
    centre(at * components, 0, -1);
    for (let cell = starts[at]!; cell < starts[at + 1]!; cell += 1)
      unmix(at * components, columns[cell]! * components, values[cell]!);
  }
  return unmixed;
}

function unmixedMeans(means: Float64Array, unmixing: Float64Array, components: number): Float64Array {
  const unmixed = new Float64Array(components);
  const unmix = rowAdder(unmixed, unmixing, components);
  for (let user = 0; user < means.length; user += 1) unmix(0, user * components, means[user]!);
  return unmixed;
}

/** Symmetric decorrelation: (WW')^(-1/2) W, the orthogonal matrix nearest to W. */
function orthogonalise(matrix: Float64Array, size: number): Float64Array {
  const { values, vectors } = symmetricEigen(timesTransposed(matrix, matrix, size), size);
  const scaled = new Float64Array(size * size);
  for (let row = 0; row < size * size; row += size)
    for (let at = 0; at < size; at += 1) scaled[row + at] = vectors[row + at]! / Math.sqrt(values[at]!);
  return times(timesTransposed(scaled, vectors, size), matrix, size);
}

/** How far the row that turned most did: 1 - |cosine|; the sign of a component means nothing. */
function turnBetween(a: Float64Array, b: Float64Array, size: number): number {
  let most = 0;
  for (let row = 0; row < size * size; row += size) {
    let cosine = 0;
    for (let at = row; at < row + size; at += 1) cosine += a[at]! * b[at]!;
    most = Math.max(most, Math.abs(Math.abs(cosine) - 1));
  }
  return most;
}
