/** From a matrix of accesses to independent components and what they say of every table. */
import { availableParallelism } from 'node:os';
import type { AccessMatrix } from '../accesses/access-matrix.ts';
import { KernelSpace, PANEL, ROW_BYTES } from '../kernels/kernel-space.ts';
import { bytesOfMatrix, type PanelMatrix, placeOf, takeMatrix } from '../kernels/panel-matrix.ts';
import {
  bytesOfCells,
  bytesOfWalk,
  heightOf,
  loadCells,
  type SparseCells,
  takeWalkPlaces,
  walkTask,
} from '../kernels/sparse-cells.ts';
import { fastIca, type IcaPlaces } from './fast-ica.ts';
import { assignSoftly, type ScorePanel, type SoftAssignment } from './soft-clusters.ts';
import { panelsFor, type Whitening, whiten } from './whitening.ts';

export interface SeparateOptions {
  /** Wanted: a matrix has no more than its rank. */
  readonly components: number;
  /** Tables kept of each component. */
  readonly size: number;
  readonly seed: number;
  /** Threads; absent: as many as there are processors, two at most, and none where the work is little. */
  readonly workers?: number;
  readonly tolerance?: number;
  /** Of each start; absent: as many as the work allows. */
  readonly maxIterations?: number;
  readonly onIteration?: (done: number, total: number) => void;
  readonly signal?: AbortSignal | undefined;
}

export interface Separation {
  readonly assignment: SoftAssignment;
  readonly model: UnmixingModel;
  readonly isSettled: boolean;
  readonly iterations: number;
}

/** What turns the accesses of a table into its scores: Σ value · weights of the user, less the centre. */
interface UnmixingModel {
  readonly components: number;
  /** Row-major, users × components, with the signs of the components. */
  readonly weights: Float32Array;
  readonly centre: Float32Array;
}

const TOLERANCE = 1e-4;
/** Starts that are tried while none settles, and iterations that each may take. */
const MOST_STARTS = 3;
const MOST_ITERATIONS = 500;
/** Multiplications of all starts together: some minutes of two processors. */
const MOST_WORK = 4e12;
const FEWEST_ITERATIONS = 40;
/** Below these multiplications for one iteration, threads cost more than they save. */
const WORTH_THREADS = 2e7;
const MOST_WORKERS = 2;

/**
 * Of several starts the first that settles; where none does, the one whose components are furthest from normal. Equal
 * cells and options give the same bytes, whatever the number of workers. Throws `knowledge.cancelled` and
 * `knowledge.too-large`.
 */
export async function separate(cells: AccessMatrix, options: SeparateOptions): Promise<Separation> {
  const users = cells.users.length;
  const panels = panelsFor(options.components);
  const own = Math.ceil(options.components / PANEL);
  const height = heightOf(users);
  const wide = { height, panels };
  const square = { height: panels * PANEL, panels };
  const workers = options.workers ?? workersFor(cells, options.components);
  const buffers = Math.max(1, workers);
  const bytes =
    bytesOfCells(cells, users) +
    bytesOfWalk(cells, panels) +
    3 * bytesOfMatrix(wide) +
    3 * bytesOfMatrix(square) +
    buffers * cells.tables.length * ROW_BYTES +
    32 * ROW_BYTES;
  const space = new KernelSpace({ bytes, workers });
  try {
    const loaded = loadCells(space, cells, users);
    const walk = takeWalkPlaces(space, loaded, panels);
    const [one, other, third] = [takeMatrix(space, wide), takeMatrix(space, wide), takeMatrix(space, wide)];
    const squares = [
      takeMatrix(space, square),
      takeMatrix(space, square),
      takeMatrix(space, square),
    ] as const;
    const scores = Array.from({ length: buffers }, () => space.take(loaded.rows * ROW_BYTES));
    const whitening = await whiten(space, loaded, { walk, one, other, square: squares[0] }, options);
    const narrow = (matrix: PanelMatrix): PanelMatrix => ({ ...matrix, panels: own });
    const small = (matrix: PanelMatrix): PanelMatrix => ({ ...narrow(matrix), height: own * PANEL });
    const found = { ...whitening, projection: narrow(whitening.projection) };
    const places: IcaPlaces = {
      walk: { ...walk, panels: own },
      gathered: narrow(whitening.free),
      unmixing: narrow(third),
      squares: [small(squares[0]), small(squares[1]), small(squares[2])],
    };
    return await bestOfStarts({ space, cells: loaded, whitening: found, places, scores }, options);
  } finally {
    await space.close();
  }
}

interface Prepared {
  readonly space: KernelSpace;
  readonly cells: SparseCells;
  readonly whitening: Whitening;
  readonly places: IcaPlaces;
  readonly scores: readonly number[];
}

async function bestOfStarts(prepared: Prepared, options: SeparateOptions): Promise<Separation> {
  const { space, cells, whitening, places } = prepared;
  const { components } = whitening;
  const plan = planStarts(cells, components);
  const { starts } = plan;
  const maxIterations = options.maxIterations ?? plan.maxIterations;
  let best: Separation | undefined;
  for (let start = 0; start < starts; start += 1) {
    const { isConverged, iterations } = await fastIca(space, cells, whitening, places, {
      seed: options.seed + start,
      tolerance: options.tolerance ?? TOLERANCE,
      maxIterations,
      onIteration: (done) => options.onIteration?.(start * maxIterations + done, starts * maxIterations),
      signal: options.signal,
    });
    const assignment = await assignSoftly(scorePanels(prepared, options.signal), cells.rows, {
      components,
      size: options.size,
    });
    if (best !== undefined && !isConverged && assignment.kurtosis <= best.assignment.kurtosis) continue;
    best = { assignment, model: modelOf(prepared, assignment.signs), isSettled: isConverged, iterations };
    if (isConverged) break;
  }
  if (best === undefined) throw new RangeError('no start was made');
  return best;
}

/** The components of all rows, a few panels at a time. */
async function* scorePanels(
  { space, cells, whitening, places, scores }: Prepared,
  signal: AbortSignal | undefined,
): AsyncGenerator<ScorePanel> {
  const { walk, unmixing } = places;
  for (let first = 0; first < walk.panels; first += scores.length) {
    const panels = Array.from(
      { length: Math.min(scores.length, walk.panels - first) },
      (_, at) => first + at,
    );
    await space.run(
      panels.map((panel, at) =>
        walkTask(cells, walk, {
          panel,
          part: unmixing.address + panel * unmixing.height * ROW_BYTES,
          out: scores[at]!,
        }),
      ),
      signal,
    );
    for (const [at, panel] of panels.entries())
      yield {
        first: panel * PANEL,
        components: Math.min(PANEL, whitening.components - panel * PANEL),
        scores: space.floatsAt(scores[at]!, cells.rows * PANEL),
        columns: PANEL,
      };
  }
}

function modelOf({ space, cells, whitening, places }: Prepared, signs: Int8Array): UnmixingModel {
  const { components } = whitening;
  const weights = new Float32Array(cells.users * components);
  const centre = new Float32Array(components);
  for (let component = 0; component < components; component += 1) {
    const from = placeOf(places.unmixing, component);
    const sign = signs[component]!;
    let sum = 0;
    for (let user = 0; user < cells.users; user += 1) {
      const weight = sign * space.floats[from + user * PANEL]!;
      weights[user * components + component] = weight;
      sum += weight * space.floats[cells.means / 4 + user]!;
    }
    centre[component] = sum;
  }
  return { components, weights, centre };
}

/** As many starts as the work allows, each long enough to be worth it. */
function planStarts(
  cells: SparseCells,
  components: number,
): { readonly starts: number; readonly maxIterations: number } {
  const affordable = Math.floor(MOST_WORK / workOf(cellCount(cells), cells.users, components));
  const starts = Math.max(1, Math.min(MOST_STARTS, Math.floor(affordable / FEWEST_ITERATIONS)));
  const maxIterations = Math.max(
    FEWEST_ITERATIONS,
    Math.min(MOST_ITERATIONS, Math.floor(affordable / starts)),
  );
  return { starts, maxIterations };
}

function cellCount({ columns, values, users }: SparseCells): number {
  return Math.max(1, (values - columns) / 4 - users);
}

/** Of one iteration: the walk there and back, and the products with the projection. */
function workOf(cells: number, users: number, components: number): number {
  return Math.max(1, 2 * cells * components + 2 * users * components ** 2);
}

function workersFor(cells: AccessMatrix, components: number): number {
  if (workOf(cells.values.length, cells.users.length, components) < WORTH_THREADS) return 0;
  return Math.min(MOST_WORKERS, availableParallelism());
}
