/** The matrix of accesses in the memory of the kernels, and its walk: rows, times a panel, and back. */
import type { AccessMatrix } from '../accesses/access-matrix.ts';
import { type KernelCall, type KernelSpace, type KernelTask, ROW_BYTES } from './kernel-space.ts';

/** Addresses in the memory of the kernels. */
export interface SparseCells {
  readonly rows: number;
  readonly users: number;
  /** Rows of a panel that has one for every user: what is beyond them stays zero. */
  readonly height: number;
  readonly starts: number;
  readonly columns: number;
  readonly values: number;
  /** Of each user over all rows; they are the first row. */
  readonly means: number;
  /** Of the cells. */
  readonly squares: number;
}

type Cells = Pick<AccessMatrix, 'starts' | 'columns' | 'values'>;

/** Rows whose sums are added up in single precision; the sums of these parts are added in double. */
const ROWS_AT_ONCE = 4_096;
const SUMS_BYTES = 2 * ROW_BYTES;
const HEIGHT_STEP = 16;

export function heightOf(users: number): number {
  return Math.ceil(users / HEIGHT_STEP) * HEIGHT_STEP;
}

/** Bytes that `loadCells` takes. */
export function bytesOfCells({ starts, columns }: Cells, users: number): number {
  return (starts.length + 1) * 4 + (columns.length + users) * 8 + 4 * ROW_BYTES;
}

/** One row more than the matrix has, before all others: the means, so that they are unmixed as every row is. */
export function loadCells(space: KernelSpace, cells: Cells, users: number): SparseCells {
  const { starts, columns, values } = cells;
  const rows = starts.length - 1;
  const bytes = (columns.length + users) * 4;
  const at = { starts: space.take((rows + 2) * 4), columns: space.take(bytes), values: space.take(bytes) };
  for (const [row, start] of starts.entries()) space.integers[at.starts / 4 + 1 + row] = users + start;
  space.integers.set(columns, at.columns / 4 + users);
  space.floats.set(values, at.values / 4 + users);
  const means = new Float64Array(users);
  let squares = 0;
  for (const [cell, column] of columns.entries()) {
    const value = values[cell] ?? 0;
    means[column]! += value / rows;
    squares += value * value;
  }
  space.floats.set(means, at.values / 4);
  for (let user = 0; user < users; user += 1) space.integers[at.columns / 4 + user] = user;
  return { ...at, rows, users, height: heightOf(users), means: at.values, squares };
}

/** What a walk needs beside the cells, for each panel of the matrix that rows are multiplied with. */
export interface WalkPlaces {
  readonly panels: number;
  readonly centres: number;
  readonly sums: number;
}

export function bytesOfWalk({ starts }: Cells, panels: number): number {
  return panels * (ROW_BYTES + partsOf(starts.length - 1) * SUMS_BYTES) + 2 * ROW_BYTES;
}

export function takeWalkPlaces(space: KernelSpace, { rows }: SparseCells, panels: number): WalkPlaces {
  return {
    panels,
    centres: space.take(panels * ROW_BYTES),
    sums: space.take(panels * partsOf(rows) * SUMS_BYTES),
  };
}

export interface PanelWalk {
  readonly panel: number;
  /** Address of the panel that rows are multiplied with. */
  readonly part: number;
  /** Where the rows go; 0: nowhere. */
  readonly out?: number;
  /** The panel that rows are added back to; 0: none. */
  readonly gathered?: number;
  /** Rows are sent through tanh. */
  readonly bends?: boolean;
}

/** Walks over all rows with one panel. Rows are centred: what the means come to is taken from each. */
export function walkTask(
  { starts, columns, values, rows, height }: SparseCells,
  { centres, sums }: WalkPlaces,
  { panel, part, out = 0, gathered = 0, bends = false }: PanelWalk,
): KernelTask {
  const centre = centres + panel * ROW_BYTES;
  const walk = (from: number, to: number, ...rest: readonly number[]): KernelCall => [
    ...(['walk', starts, columns, values] as const),
    ...[from, to, part, ...rest],
  ];
  // The centre of the row of means is nothing: the bytes before everything else.
  const calls: KernelCall[] = [walk(0, 1, 0, centre, 0, 0, 0)];
  if (gathered !== 0) calls.push(['clear', gathered, height * ROW_BYTES]);
  for (let at = 0; at < partsOf(rows); at += 1) {
    const place = sums + (panel * partsOf(rows) + at) * SUMS_BYTES;
    const from = 1 + at * ROWS_AT_ONCE;
    const to = Math.min(rows + 1, from + ROWS_AT_ONCE);
    calls.push(walk(from, to, centre, out && out - ROW_BYTES, gathered, place, bends ? 1 : 0));
  }
  return calls;
}

/** What the walks of all panels added up: of each column the rows, and the slopes of tanh. */
export function walkedSums(
  space: KernelSpace,
  { rows }: SparseCells,
  { panels, sums }: WalkPlaces,
): { readonly rows: Float64Array; readonly slopes: Float64Array } {
  const width = ROW_BYTES / 4;
  const found = { rows: new Float64Array(panels * width), slopes: new Float64Array(panels * width) };
  for (let panel = 0; panel < panels; panel += 1)
    for (let at = 0; at < partsOf(rows); at += 1) {
      const from = sums / 4 + (panel * partsOf(rows) + at) * 2 * width;
      for (let column = 0; column < width; column += 1) {
        found.rows[panel * width + column]! += space.floats[from + column]!;
        found.slopes[panel * width + column]! += space.floats[from + width + column]!;
      }
    }
  return found;
}

/**
 * Sends every panel of `from` through the centred rows and back into `into`: (X - 1m')' f((X - 1m') a), where f is
 * tanh or nothing. Gives the sum of slopes of each column.
 */
export async function thereAndBack(
  space: KernelSpace,
  cells: SparseCells,
  places: WalkPlaces,
  {
    from,
    into,
    bends,
    signal,
  }: {
    readonly from: number;
    readonly into: number;
    readonly bends: boolean;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<Float64Array> {
  const bytes = cells.height * ROW_BYTES;
  const panels = Array.from({ length: places.panels }, (_, panel) => panel);
  await space.run(
    panels.map((panel) =>
      walkTask(cells, places, {
        ...{ panel, bends },
        part: from + panel * bytes,
        gathered: into + panel * bytes,
      }),
    ),
    signal,
  );
  const { rows, slopes } = walkedSums(space, cells, places);
  // The centres were used; now they hold what the rows add up to.
  space.floats.set(rows, places.centres / 4);
  await space.run(
    panels.map((panel) => [
      ['less', into + panel * bytes, cells.means, cells.users, places.centres + panel * ROW_BYTES],
    ]),
    signal,
  );
  return slopes;
}

function partsOf(rows: number): number {
  return Math.max(1, Math.ceil(rows / ROWS_AT_ONCE));
}
