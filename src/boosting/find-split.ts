import { type BinnedRows, CELL } from './binned-rows.ts';
import type { TrainingSettings } from './training-settings.ts';

/** Sums over the rows of a node. */
export interface Sums {
  readonly first: number;
  readonly second: number;
  readonly rows: number;
}

/** What the outputs of a node may be, so that those beside it keep their order. */
export interface Bounds {
  readonly least: number;
  readonly most: number;
}

export interface Split {
  readonly column: number;
  /** The highest bin that goes left; −1: only missing values go left. */
  readonly bin: number;
  readonly isMissingLeft: boolean;
  /** By how much twice the loss falls, to second order. */
  readonly gain: number;
  readonly left: Sums;
  readonly right: Sums;
}

/** What all columns of a node have in common. */
export interface Node {
  readonly cells: Float64Array;
  readonly sums: Sums;
  readonly bounds: Bounds;
}

export interface SplitRules {
  readonly settings: TrainingSettings;
  /** Columns that this tree may use, ascending. */
  readonly columns: readonly number[];
  /** By column: −1, 0 or 1. */
  readonly directions: Int8Array;
}

/** Less than this is the rounding of sums. */
const NOISE = 1e-9;

/** The split with the highest gain, the first of equals; undefined where none is allowed. */
export function findSplit(node: Node, binned: BinnedRows, rules: SplitRules): Split | undefined {
  const { sums, bounds, cells } = node;
  const { l2, minGain } = rules.settings;
  const without = gainOf(sums.first, sums.second + l2, bounds);
  const best: Best = {
    gain: without + minGain + NOISE,
    column: -1,
    bin: -1,
    isMissingLeft: false,
    left: sums,
  };
  for (const column of rules.columns) {
    const { valueBins, offset } = binned.columns[column]!;
    const hasMissing = cells[offset + valueBins * CELL + 2]! > 0;
    scanColumn(best, node, rules, { column, valueBins, offset, hasMissing, isMissingLeft: false });
    if (hasMissing)
      scanColumn(best, node, rules, { column, valueBins, offset, hasMissing, isMissingLeft: true });
  }
  if (best.column < 0) return undefined;
  const { gain, column, bin, left } = best;
  const right = subtractSums(sums, left);
  const { valueBins, offset } = binned.columns[column]!;
  const hasMissing = cells[offset + valueBins * CELL + 2]! > 0;
  // Where training saw no missing value, the side that weighs more is the better guess.
  const isMissingLeft = hasMissing ? best.isMissingLeft : left.second >= right.second;
  return { column, bin, isMissingLeft, gain: gain - without, left, right };
}

/** −(first)/(second + L2), held within the bounds. */
export function outputOf({ first, second }: Sums, l2: number, { least, most }: Bounds): number {
  return Math.min(most, Math.max(least, -first / (second + l2)));
}

interface Best {
  gain: number;
  column: number;
  bin: number;
  isMissingLeft: boolean;
  left: Sums;
}

interface Scan {
  readonly column: number;
  readonly valueBins: number;
  readonly offset: number;
  readonly hasMissing: boolean;
  readonly isMissingLeft: boolean;
}

/** Moves one bin after the other to the left, and notes the best place in `best`. */
function scanColumn(best: Best, { cells, sums, bounds }: Node, rules: SplitRules, scan: Scan): void {
  const { column, valueBins, offset, hasMissing, isMissingLeft } = scan;
  const { minLeafRows, minLeafWeight, l2 } = rules.settings;
  const direction = rules.directions[column]!;
  let first = 0;
  let second = 0;
  let rows = 0;
  // Bin −1 stands for missing values, which go left alone; after the last bin they are alone on the right.
  const end = hasMissing && !isMissingLeft ? valueBins : valueBins - 1;
  for (let bin = isMissingLeft ? -1 : 0; bin < end; bin++) {
    const cell = offset + (bin < 0 ? valueBins : bin) * CELL;
    const added = cells[cell + 2]!;
    if (added === 0) continue;
    first += cells[cell]!;
    second += cells[cell + 1]!;
    rows += added;
    if (rows < minLeafRows || second < minLeafWeight) continue;
    const restSecond = sums.second - second;
    if (sums.rows - rows < minLeafRows || restSecond < minLeafWeight) break;
    const restFirst = sums.first - first;
    const gain = gainOf(first, second + l2, bounds) + gainOf(restFirst, restSecond + l2, bounds);
    if (!(gain > best.gain)) continue;
    const left = { first, second, rows };
    if (direction !== 0) {
      const step =
        outputOf({ first: restFirst, second: restSecond, rows: 0 }, l2, bounds) - outputOf(left, l2, bounds);
      if (step * direction < 0) continue;
    }
    best.gain = gain;
    best.column = column;
    best.bin = bin;
    best.isMissingLeft = isMissingLeft;
    best.left = left;
  }
}

/** Twice the loss that an output within the bounds takes away (Chen and Guestrin 2016, eq. 6). */
function gainOf(first: number, second: number, { least, most }: Bounds): number {
  const output = -first / second;
  if (output >= least && output <= most) return (first * first) / second;
  const held = output < least ? least : most;
  return -(2 * first * held + second * held * held);
}

function subtractSums(all: Sums, part: Sums): Sums {
  return { first: all.first - part.first, second: all.second - part.second, rows: all.rows - part.rows };
}
