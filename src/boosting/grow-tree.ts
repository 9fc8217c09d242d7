import { type BinnedRows, placeOf } from './binned-rows.ts';
import { type Bounds, findSplit, outputOf, type Split, type SplitRules, type Sums } from './find-split.ts';
import { type Derivatives, fillHistogram, subtractHistogram } from './histogram.ts';
import { BEYOND_VALUES } from './short-threshold.ts';
import { leafReference, type Tree } from './tree-model.ts';

/** What the trees of one training share. */
export interface GrowthPlan extends SplitRules {
  readonly binned: BinnedRows;
  /** By group of columns: whether this tree may use one of them. */
  readonly isWanted: readonly boolean[];
  readonly pool: HistogramPool;
}

export interface GrownTree {
  readonly tree: Tree<readonly number[]>;
  /** By split, the highest bin that goes left. */
  readonly bins: readonly number[];
  /** By split, what it gained. */
  readonly gains: readonly number[];
  /** By leaf, its rows among those the tree was grown of. */
  readonly rowsOfLeaf: readonly Int32Array[];
}

interface Leaf {
  /** A part of the rows of the tree, which splits put in order in place. */
  readonly rows: Int32Array;
  readonly sums: Sums;
  readonly bounds: Bounds;
  readonly depth: number;
  /** The split that it hangs from, and on which side; undefined for the root. */
  readonly parent: { readonly split: number; readonly isLeft: boolean } | undefined;
  readonly cells: Float64Array | undefined;
  readonly best: Split | undefined;
}

/** Histograms are large: those of the last tree serve the next. */
export class HistogramPool {
  readonly #length: number;
  readonly #free: Float64Array[] = [];

  constructor(length: number) {
    this.#length = length;
  }

  take(): Float64Array {
    return this.#free.pop() ?? new Float64Array(this.#length);
  }

  giveBack(cells: Float64Array | undefined): void {
    if (cells !== undefined) this.#free.push(cells);
  }
}

/** Of what a tree adds; hundreds of trees add up to three digits of a probability. */
const NODE_DIGITS = 4;
const UNBOUNDED: Bounds = { least: Number.NEGATIVE_INFINITY, most: Number.POSITIVE_INFINITY };

/** Grows a tree leaf by leaf, always where the gain is highest (Ke et al. 2017). Puts `rows` into another order. */
export function growTree(plan: GrowthPlan, derivatives: Derivatives, rows: Int32Array): GrownTree {
  const growth = new Growth(plan, derivatives, rows);
  const { leaves } = plan.settings;
  for (let count = 1; count < leaves; count++) if (!growth.splitBest(count + 1 === leaves)) break;
  return growth.finish();
}

class Growth {
  readonly #plan: GrowthPlan;
  readonly #derivatives: Derivatives;
  readonly #aside: Int32Array;
  readonly #leaves: Leaf[];
  readonly #splits: Split[] = [];
  readonly #values: number[] = [];
  readonly #left: number[] = [];
  readonly #right: number[] = [];

  constructor(plan: GrowthPlan, derivatives: Derivatives, rows: Int32Array) {
    this.#plan = plan;
    this.#derivatives = derivatives;
    this.#aside = new Int32Array(rows.length);
    const root = { rows, sums: sumOf(derivatives, rows), bounds: UNBOUNDED, depth: 0, parent: undefined };
    this.#leaves = [this.#withBest(root, this.#fill(rows))];
  }

  /** Splits the leaf with the highest gain; false when there is none. The last split's leaves are not looked through. */
  splitBest(isLast: boolean): boolean {
    let at = -1;
    for (const [index, { best }] of this.#leaves.entries())
      if (best !== undefined && !(best.gain <= (this.#leaves[at]?.best?.gain ?? 0))) at = index;
    const leaf = this.#leaves[at];
    if (leaf?.best === undefined) return false;
    this.#split(at, leaf, leaf.best, isLast);
    return true;
  }

  finish(): GrownTree {
    const { binned, pool } = this.#plan;
    for (const { cells } of this.#leaves) pool.giveBack(cells);
    const thresholdOf = ({ column, bin }: Split): number =>
      bin < 0 ? -BEYOND_VALUES : (binned.columns[column]?.edges[bin] ?? BEYOND_VALUES);
    return {
      tree: {
        feature: this.#splits.map(({ column }) => column),
        threshold: this.#splits.map(thresholdOf),
        missingLeft: this.#splits.map(({ isMissingLeft }) => Number(isMissingLeft)),
        left: this.#left,
        right: this.#right,
        value: this.#values,
        leaf: this.#leaves.map((leaf) => this.#valueOf(leaf)),
      },
      bins: this.#splits.map(({ bin }) => bin),
      gains: this.#splits.map(({ gain }) => gain),
      rowsOfLeaf: this.#leaves.map(({ rows }) => rows),
    };
  }

  /** The left child takes the place of the leaf, the right one comes last. */
  #split(at: number, leaf: Leaf, best: Split, isLast: boolean): void {
    const split = this.#splits.length;
    const { parent } = leaf;
    if (parent !== undefined) (parent.isLeft ? this.#left : this.#right)[parent.split] = split;
    this.#splits.push(best);
    this.#values.push(this.#valueOf(leaf));
    this.#left.push(leafReference(at));
    this.#right.push(leafReference(this.#leaves.length));
    const border = this.#part(leaf.rows, best);
    const [leftBounds, rightBounds] = this.#boundsBelow(leaf, best);
    const depth = leaf.depth + 1;
    const left = { rows: leaf.rows.subarray(0, border), sums: best.left, bounds: leftBounds, depth };
    const right = { rows: leaf.rows.subarray(border), sums: best.right, bounds: rightBounds, depth };
    const [leftCells, rightCells] = this.#cellsBelow(leaf, [left, right], isLast);
    this.#leaves[at] = this.#withBest({ ...left, parent: { split, isLeft: true } }, leftCells);
    this.#leaves.push(this.#withBest({ ...right, parent: { split, isLeft: false } }, rightCells));
  }

  /** Rows are counted for the smaller child only; the other's are what is left of the parent's. */
  #cellsBelow(
    { cells }: Leaf,
    children: readonly [Pick<Leaf, 'rows' | 'depth'>, Pick<Leaf, 'rows' | 'depth'>],
    isLast: boolean,
  ): [Float64Array | undefined, Float64Array | undefined] {
    const [left, right] = children;
    if (cells === undefined || isLast || !children.some((child) => this.#mayBeSplit(child))) {
      this.#plan.pool.giveBack(cells);
      return [undefined, undefined];
    }
    const isLeftSmaller = left.rows.length <= right.rows.length;
    const smaller = this.#fill(isLeftSmaller ? left.rows : right.rows);
    subtractHistogram(cells, smaller);
    return isLeftSmaller ? [smaller, cells] : [cells, smaller];
  }

  #mayBeSplit({ rows, depth }: Pick<Leaf, 'rows' | 'depth'>): boolean {
    const { minLeafRows, depth: most } = this.#plan.settings;
    return rows.length >= 2 * minLeafRows && depth < most;
  }

  #withBest(leaf: Omit<Leaf, 'cells' | 'best'>, cells: Float64Array | undefined): Leaf {
    const { pool, binned } = this.#plan;
    if (cells === undefined) return { ...leaf, cells, best: undefined };
    const best = this.#mayBeSplit(leaf) ? findSplit({ ...leaf, cells }, binned, this.#plan) : undefined;
    if (best !== undefined) return { ...leaf, cells, best };
    pool.giveBack(cells);
    return { ...leaf, cells: undefined, best };
  }

  #fill(rows: Int32Array): Float64Array {
    const { pool, binned, isWanted } = this.#plan;
    const cells = pool.take();
    fillHistogram(cells, binned, this.#derivatives, rows, isWanted);
    return cells;
  }

  /** Puts the rows that go left before the others, each side in its order; returns where the others begin. */
  #part(rows: Int32Array, { column, bin, isMissingLeft }: Split): number {
    const { binned } = this.#plan;
    const missing = binned.columns[column]!.valueBins;
    const { bins, shift } = placeOf(binned, column);
    const aside = this.#aside;
    let left = 0;
    let right = 0;
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at]!;
      const found = (bins[row]! >>> shift) & 255;
      const isLeft = found === missing ? isMissingLeft : found <= bin;
      if (isLeft) rows[left++] = row;
      else aside[right++] = row;
    }
    rows.set(aside.subarray(0, right), left);
    return left;
  }

  /** Outputs on both sides of a monotone split keep to their side of the middle, now and below. */
  #boundsBelow({ bounds }: Leaf, { column, left, right }: Split): [Bounds, Bounds] {
    const direction = this.#plan.directions[column];
    if (direction === 0) return [bounds, bounds];
    const { l2 } = this.#plan.settings;
    const middle = outputOf(left, l2, bounds) / 2 + outputOf(right, l2, bounds) / 2;
    const below = { ...bounds, most: middle };
    const above = { ...bounds, least: middle };
    return direction === 1 ? [below, above] : [above, below];
  }

  /** Rounded while training still sees it: a model file then holds the very number in few characters. */
  #valueOf({ sums, bounds }: Leaf): number {
    const { l2, learningRate } = this.#plan.settings;
    return Number((outputOf(sums, l2, bounds) * learningRate).toPrecision(NODE_DIGITS));
  }
}

function sumOf({ first, second }: Derivatives, rows: Int32Array): Sums {
  const sums = { first: 0, second: 0, rows: rows.length };
  for (let at = 0; at < rows.length; at++) {
    sums.first += first[rows[at]!]!;
    sums.second += second[rows[at]!]!;
  }
  return sums;
}
