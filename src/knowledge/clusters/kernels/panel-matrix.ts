/** Dense matrices in the memory of the kernels, in panels of 16 columns. */
import { type KernelSpace, PANEL, ROW_BYTES } from './kernel-space.ts';

export interface PanelMatrix {
  readonly address: number;
  /** Rows of each panel. */
  readonly height: number;
  readonly panels: number;
}

export function bytesOfMatrix({ height, panels }: Omit<PanelMatrix, 'address'>): number {
  return height * panels * ROW_BYTES;
}

export function takeMatrix(space: KernelSpace, shape: Omit<PanelMatrix, 'address'>): PanelMatrix {
  return { ...shape, address: space.take(bytesOfMatrix(shape)) };
}

/** What is multiplied, and where it goes: every panel of `b` gives one of `out`. */
export type ProductPlaces = Readonly<Record<'out' | 'a' | 'b', PanelMatrix>>;

/** out ← a · b, where b has as many rows as a has columns. */
export function times(space: KernelSpace, places: ProductPlaces, signal?: AbortSignal): Promise<void> {
  return multiply(space, 'times', places, signal);
}

/** out ← a' · b, where both have as many rows. */
export function transposedTimes(
  space: KernelSpace,
  places: ProductPlaces,
  signal?: AbortSignal,
): Promise<void> {
  return multiply(space, 'transposedTimes', places, signal);
}

function multiply(
  space: KernelSpace,
  kernel: 'times' | 'transposedTimes',
  { out, a, b }: ProductPlaces,
  signal: AbortSignal | undefined,
): Promise<void> {
  const panels = Array.from({ length: b.panels }, (_, panel) => panel);
  return space.run(
    panels.map((panel) => [
      [kernel, addressOf(out, panel), a.address, a.height, a.panels, addressOf(b, panel)],
    ]),
    signal,
  );
}

/** Its first `rows` and `columns`, row-major. */
export function readMatrix(
  space: KernelSpace,
  matrix: PanelMatrix,
  { rows, columns }: { readonly rows: number; readonly columns: number },
): Float64Array {
  const read = new Float64Array(rows * columns);
  for (let column = 0; column < columns; column += 1) {
    const from = placeOf(matrix, column);
    for (let row = 0; row < rows; row += 1) read[row * columns + column] = space.floats[from + row * PANEL]!;
  }
  return read;
}

/** Sets every number of a matrix; what `cell` does not have is zero. */
export function fillMatrix(
  space: KernelSpace,
  matrix: PanelMatrix,
  cell: (row: number, column: number) => number,
): void {
  for (let column = 0; column < matrix.panels * PANEL; column += 1) {
    const from = placeOf(matrix, column);
    for (let row = 0; row < matrix.height; row += 1) space.floats[from + row * PANEL] = cell(row, column);
  }
}

/** Place of the first number of a column among the numbers of the space. */
export function placeOf({ address, height }: PanelMatrix, column: number): number {
  return address / 4 + Math.floor(column / PANEL) * height * PANEL + (column % PANEL);
}

function addressOf({ address, height }: PanelMatrix, panel: number): number {
  return address + panel * height * ROW_BYTES;
}
