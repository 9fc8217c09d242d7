/** FastICA on a sparse matrix. Source: Hyvärinen, Fast and robust fixed-point algorithms for ICA, 1999. */

import { seededRandom } from '../../../lib/index.ts';
import { type KernelSpace, PANEL } from '../kernels/kernel-space.ts';
import { fillMatrix, type PanelMatrix, placeOf, times, transposedTimes } from '../kernels/panel-matrix.ts';
import { type SparseCells, thereAndBack, type WalkPlaces } from '../kernels/sparse-cells.ts';
import type { Whitening } from './whitening.ts';

export interface IcaPlaces {
  readonly walk: WalkPlaces;
  /** Users × components: what rows are added back to. */
  readonly gathered: PanelMatrix;
  /** Users × components: (row - means) · unmixing are the independent components of a row. */
  readonly unmixing: PanelMatrix;
  readonly squares: SquarePlaces;
}

export interface IcaOptions {
  readonly seed: number;
  /** No component turns by more than this from one step to the next, as 1 - |cosine|. */
  readonly tolerance: number;
  readonly maxIterations: number;
  readonly onIteration?: (iteration: number, change: number) => void;
  readonly signal?: AbortSignal | undefined;
}

export interface IcaResult {
  readonly isConverged: boolean;
  readonly iterations: number;
}

/**
 * Symmetric FastICA with the tanh contrast. Each step is one walk over the cells for every 16 components: a row is
 * unmixed, sent through tanh and added back to the users it came from, so that time grows with the cells and the dense
 * whitened matrix is never made. What was found lies in `places.unmixing`. Throws `knowledge.cancelled`.
 */
export async function fastIca(
  space: KernelSpace,
  cells: SparseCells,
  { projection, components }: Whitening,
  places: IcaPlaces,
  options: IcaOptions,
): Promise<IcaResult> {
  const { walk, gathered, unmixing, squares } = places;
  const { signal } = options;
  const random = normalRandom(options.seed);
  const size = components;
  let [rotation, next, spare] = squares;
  fillMatrix(space, next, (row, column) => (row < size && column < size ? random.normal() : 0));
  const turn = async (): Promise<void> => {
    const straight = await orthogonalise(space, [next, rotation, spare], size, signal);
    [rotation, next, spare] = straight;
  };
  [rotation, next, spare] = await orthogonalise(space, [next, rotation, spare], size, signal);
  for (let iteration = 1; ; iteration += 1) {
    await times(space, { out: unmixing, a: projection, b: rotation }, signal);
    const slopes = await thereAndBack(space, cells, walk, {
      ...{ from: unmixing.address, into: gathered.address, bends: true, signal },
    });
    // E[z g(z'w)] - E[g'(z'w)] w for every column w of the rotation, where z = projection'(row - means).
    await transposedTimes(space, { out: next, a: projection, b: gathered }, signal);
    step(space, { rotation, next, slopes, rows: cells.rows });
    const before = copyOf(space, rotation);
    await turn();
    const change = turnBetween(space, before, rotation, size);
    options.onIteration?.(iteration, change);
    const isConverged = change < options.tolerance;
    if (!isConverged && iteration < options.maxIterations) continue;
    await times(space, { out: unmixing, a: projection, b: rotation }, signal);
    return { isConverged, iterations: iteration };
  }
}

function step(
  { floats }: KernelSpace,
  {
    rotation,
    next,
    slopes,
    rows,
  }: {
    readonly rotation: PanelMatrix;
    readonly next: PanelMatrix;
    readonly slopes: Float64Array;
    readonly rows: number;
  },
): void {
  for (let column = 0; column < next.panels * PANEL; column += 1) {
    const [to, from] = [placeOf(next, column), placeOf(rotation, column)];
    const slope = slopes[column]!;
    for (let at = 0; at < next.height * PANEL; at += PANEL)
      floats[to + at] = (floats[to + at]! - slope * floats[from + at]!) / rows;
  }
}

function copyOf({ floats }: KernelSpace, { address, height, panels }: PanelMatrix): Float32Array {
  return floats.slice(address / 4, address / 4 + height * panels * PANEL);
}

/** How far the column that turned most did: 1 - |cosine|; the sign of a component means nothing. */
function turnBetween(
  { floats }: KernelSpace,
  before: Float32Array,
  after: PanelMatrix,
  size: number,
): number {
  let most = 0;
  for (let column = 0; column < size; column += 1) {
    const at = placeOf(after, column);
    const from = at - after.address / 4;
    let cosine = 0;
    for (let row = 0; row < size * PANEL; row += PANEL) cosine += before[from + row]! * floats[at + row]!;
    most = Math.max(most, Math.abs(Math.abs(cosine) - 1));
  }
  return most;
}

/** Three square matrices of the same size; which holds what changes with every step. */
type SquarePlaces = readonly [PanelMatrix, PanelMatrix, PanelMatrix];

/** No product of two columns is further from what it should be. */
const ASKEW = 1e-5;
/** Even a matrix that is nearly singular needs fewer. */
const MOST_STEPS = 60;

/**
 * Symmetric decorrelation: W (W'W)^(-1/2), the orthogonal matrix nearest to W, by Newton and Schulz's iteration (Higham,
 * Functions of matrices, section 8.3). W is the first of the three; so is what comes of it.
 */
async function orthogonalise(
  space: KernelSpace,
  [given, spare, gram]: SquarePlaces,
  size: number,
  signal?: AbortSignal,
): Promise<SquarePlaces> {
  let [matrix, next] = [given, spare];
  for (let step = 0; step < MOST_STEPS; step += 1) {
    await transposedTimes(space, { out: gram, a: matrix, b: matrix }, signal);
    const { askew, rowSum } = look(space, gram, size);
    if (askew < ASKEW) break;
    // Only singular values below √3 go to 1: at first all are made smaller than 1.
    const scale = step === 0 ? 1 / rowSum : 1;
    change(space, gram, size, scale);
    await times(space, { out: next, a: matrix, b: gram }, signal);
    [matrix, next] = [next, matrix];
  }
  return [matrix, next, gram];
}

/** How far a Gram matrix is from the identity, and the largest sum of a row, which no eigenvalue exceeds. */
function look({ floats }: KernelSpace, gram: PanelMatrix, size: number) {
  let [askew, rowSum] = [0, 0];
  for (let column = 0; column < size; column += 1) {
    const at = placeOf(gram, column);
    let sum = 0;
    for (let row = 0; row < size; row += 1) {
      const value = floats[at + row * PANEL]!;
      sum += Math.abs(value);
      askew = Math.max(askew, Math.abs(value - (row === column ? 1 : 0)));
    }
    rowSum = Math.max(rowSum, sum);
  }
  return { askew, rowSum };
}

/** gram ← (3 - scale · gram) / 2 · √scale: what a step multiplies with. */
function change({ floats }: KernelSpace, gram: PanelMatrix, size: number, scale: number): void {
  const root = Math.sqrt(scale);
  for (let column = 0; column < size; column += 1) {
    const at = placeOf(gram, column);
    for (let row = 0; row < size; row += 1) {
      const value = floats[at + row * PANEL]!;
      floats[at + row * PANEL] = (((row === column ? 3 : 0) - scale * value) / 2) * root;
    }
  }
}

/** Chance that repeats: the same seed gives the same numbers on every machine. */
export interface NormalRandom {
  /** In [0, 1). */
  next(): number;
  /** Standard normal. */
  normal(): number;
}

/** Normal numbers by Box and Muller's method. */
export function normalRandom(seed: number): NormalRandom {
  const next = seededRandom(seed);
  // 1 - next() is never zero, so that its logarithm is finite.
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  return { next, normal };
}
