/** FastICA on a sparse matrix. Source: Hyvärinen, Fast and robust fixed-point algorithms for ICA, 1999. */
import { type KernelSpace, PANEL } from './kernels/kernel-space.ts';
import { fillMatrix, type PanelMatrix, placeOf, times, transposedTimes } from './kernels/panel-matrix.ts';
import { type SparseCells, thereAndBack, type WalkPlaces } from './kernels/sparse-cells.ts';
import { normalRandom } from './normal-random.ts';
import { orthogonalise, type SquarePlaces } from './orthogonalise.ts';
import type { Whitening } from './whiten.ts';

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
