/** Looks for one order of the right columns that makes both results the same bag (or list) of rows. */
import type { EncodedPair, Verdict } from './encode-results.ts';

export interface MatchOptions {
  readonly orderMatters: boolean;
  /** With it, only this left column must stand in its order: rows that tie in it may change places. */
  readonly orderedColumn?: number | undefined;
  /** Cells the search may look at before it gives up as `undecided`. */
  readonly cellBudget?: number;
}

const CELL_BUDGET = 50_000_000;

/** Which rows are still alike, looking only at the columns placed so far. */
interface Partition {
  readonly left: Int32Array;
  readonly right: Int32Array;
}

/**
 * Both results must have the same number of rows and columns. The search places one left column after the other
 * and cuts a branch as soon as the rows of the placed columns differ.
 */
export function matchColumns(pair: EncodedPair, options: MatchOptions): Verdict {
  if (!options.orderMatters) return new ColumnSearch(pair, options).run();
  const inOrder = matchInOrder(pair);
  return inOrder === 'equal' || options.orderedColumn === undefined
    ? inOrder
    : new ColumnSearch(pair, options).run();
}

/** With a fixed order of rows, equal columns are interchangeable, so taking the first that fits is right. */
function matchInOrder({ left, right }: EncodedPair): Verdict {
  const rest = [...right];
  for (const column of left) {
    const at = rest.findIndex((other) => sameCodes(column, other));
    if (at === -1) return 'different';
    rest.splice(at, 1);
  }
  return 'equal';
}

/** A depth-first search with a budget; it lives for one comparison. */
class ColumnSearch {
  readonly #pair: EncodedPair;
  readonly #used: boolean[];
  /** For each left column the right columns that hold the same bag of cells, hardest column first. */
  readonly #plan: readonly { readonly left: number; readonly candidates: readonly number[] }[];
  #cellsLeft: number;

  constructor(pair: EncodedPair, options: MatchOptions) {
    this.#pair = pair;
    this.#cellsLeft = options.cellBudget ?? CELL_BUDGET;
    this.#used = pair.right.map(() => false);
    const bags = pair.right.map((column) => column.toSorted());
    this.#plan = pair.left
      .map((column, left) => {
        const bag = column.toSorted();
        const isOrdered = options.orderMatters && left === options.orderedColumn;
        const candidates = bags.flatMap((other, i) =>
          sameCodes(bag, other) && (!isOrdered || sameCodes(column, pair.right[i]!)) ? [i] : [],
        );
        return { left, candidates, kinds: new Set(column).size };
      })
      .sort((a, b) => a.candidates.length - b.candidates.length || b.kinds - a.kinds);
  }

  run(): Verdict {
    if (this.#plan.some(({ candidates }) => candidates.length === 0)) return 'different';
    const rows = this.#pair.left[0]?.length ?? 0;
    return this.#place(0, { left: new Int32Array(rows), right: new Int32Array(rows) });
  }

  #place(depth: number, partition: Partition): Verdict {
    const step = this.#plan[depth];
    if (step === undefined) return 'equal';
    const leftColumn = this.#pair.left[step.left]!;
    const tried: Int32Array[] = [];
    for (const candidate of step.candidates) {
      const column = this.#pair.right[candidate]!;
      // A twin of a column that failed here fails as well.
      if (this.#used[candidate] || tried.some((other) => sameCodes(column, other))) continue;
      tried.push(column);
      this.#cellsLeft -= column.length;
      if (this.#cellsLeft < 0) return 'undecided';
      const next = refine(partition, leftColumn, column);
      if (next === null) continue;
      this.#used[candidate] = true;
      const verdict = this.#place(depth + 1, next);
      if (verdict !== 'different') return verdict;
      this.#used[candidate] = false;
    }
    return 'different';
  }
}

/** Splits the groups of alike rows by one more column; null when the two bags of rows no longer agree. */
function refine(partition: Partition, leftColumn: Int32Array, rightColumn: Int32Array): Partition | null {
  const rows = leftColumn.length;
  const groups = new Map<number, number>();
  const counts: number[] = [];
  // Group and code are both below 2^26 for any result within limits, so the product is exact.
  const width = 2 ** 26;
  const left = new Int32Array(rows);
  for (let row = 0; row < rows; row += 1) {
    const key = partition.left[row]! * width + leftColumn[row]!;
    let group = groups.get(key);
    if (group === undefined) {
      group = groups.size;
      groups.set(key, group);
      counts.push(0);
    }
    counts[group]! += 1;
    left[row] = group;
  }
  const right = new Int32Array(rows);
  for (let row = 0; row < rows; row += 1) {
    const group = groups.get(partition.right[row]! * width + rightColumn[row]!);
    if (group === undefined) return null;
    counts[group]! -= 1;
    if (counts[group]! < 0) return null;
    right[row] = group;
  }
  return { left, right };
}

function sameCodes(a: Int32Array, b: Int32Array): boolean {
  return a.length === b.length && a.every((code, i) => code === b[i]);
}
