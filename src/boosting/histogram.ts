import { type BinnedRows, CELL, GROUP } from './binned-rows.ts';

/** First and second derivatives of the loss, by row. */
export interface Derivatives {
  readonly first: Float64Array;
  readonly second: Float64Array;
}

/**
 * Rows added at a time: their derivatives stay in the fast cache while the groups of columns are walked. One buffer
 * serves every training of the process, since a histogram is filled without a pause.
 */
const BLOCK = 4_096;
const blockRows = new Int32Array(BLOCK);
const blockDerivatives = new Float64Array(2 * BLOCK);

/** Sums derivatives and rows into the cells of every group of columns that is wanted. */
export function fillHistogram(
  cells: Float64Array,
  binned: BinnedRows,
  { first, second }: Derivatives,
  rows: Int32Array,
  isWanted: readonly boolean[],
): void {
  cells.fill(0);
  for (let from = 0; from < rows.length; from += BLOCK) {
    const count = Math.min(BLOCK, rows.length - from);
    for (let at = 0; at < count; at++) {
      const row = rows[from + at]!;
      blockRows[at] = row;
      blockDerivatives[2 * at] = first[row]!;
      blockDerivatives[2 * at + 1] = second[row]!;
    }
    for (let group = 0; group < binned.groups.length; group++)
      if (isWanted[group]) addGroup(cells, binned, group, count);
  }
}

function addGroup(cells: Float64Array, { groups, columns }: BinnedRows, group: number, count: number): void {
  const bins = groups[group]!;
  const [a, b, c, d] = columns.slice(group * GROUP, (group + 1) * GROUP).map(({ offset }) => offset);
  if (a !== undefined && b !== undefined && c !== undefined && d !== undefined)
    addFour(cells, bins, [a, b, c, d], count);
  else {
    const offsets = [a, b, c].filter((offset) => offset !== undefined);
    for (const [at, offset] of offsets.entries()) addOne(cells, bins, { offset, shift: 8 * at }, count);
  }
}

/** The hot loop of training: four columns a row, so that row, derivatives and bins are read once. */
function addFour(
  cells: Float64Array,
  bins: Uint32Array,
  [a, b, c, d]: readonly [number, number, number, number],
  count: number,
): void {
  for (let at = 0; at < count; at++) {
    const packed = bins[blockRows[at]!]!;
    const first = blockDerivatives[2 * at]!;
    const second = blockDerivatives[2 * at + 1]!;
    let cell = a + (packed & 255) * CELL;
    cells[cell]! += first;
    cells[cell + 1]! += second;
    cells[cell + 2]! += 1;
    cell = b + ((packed >>> 8) & 255) * CELL;
    cells[cell]! += first;
    cells[cell + 1]! += second;
    cells[cell + 2]! += 1;
    cell = c + ((packed >>> 16) & 255) * CELL;
    cells[cell]! += first;
    cells[cell + 1]! += second;
    cells[cell + 2]! += 1;
    cell = d + (packed >>> 24) * CELL;
    cells[cell]! += first;
    cells[cell + 1]! += second;
    cells[cell + 2]! += 1;
  }
}

/** A column of the last group, where fewer than four are left. */
function addOne(
  cells: Float64Array,
  bins: Uint32Array,
  { offset, shift }: { readonly offset: number; readonly shift: number },
  count: number,
): void {
  for (let at = 0; at < count; at++) {
    const cell = offset + ((bins[blockRows[at]!]! >>> shift) & 255) * CELL;
    cells[cell]! += blockDerivatives[2 * at]!;
    cells[cell + 1]! += blockDerivatives[2 * at + 1]!;
    cells[cell + 2]! += 1;
  }
}

/** What the other child has: the parent less one child. Costs a pass over cells instead of one over rows. */
export function subtractHistogram(parent: Float64Array, child: Float64Array): void {
  for (let at = 0; at < parent.length; at++) parent[at]! -= child[at]!;
}
