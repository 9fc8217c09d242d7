/** Looks for one order of the predicted columns that makes both results the same bag (or list) of rows. */
import type { Verdict } from './comparison.ts';
import type { EncodedPair } from './encode-cells.ts';

export interface MatchOptions {
  readonly orderMatters: boolean;
  /** With it, only this gold column must stand in its order: rows that tie in it may change places. */
  readonly orderedColumn?: number | undefined;
  /** Cells the search may look at before it gives up as `undecided`. */
  readonly cellBudget?: number;
}

const CELL_BUDGET = 50_000_000;

/** Which rows are still alike, looking only at the columns placed so far. */
interface Partition {
  readonly gold: Int32Array;
  readonly predicted: Int32Array;
}

/**
 * Both results must have the same number of rows and columns. The search places one gold column after the other
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
function matchInOrder({ gold, predicted }: EncodedPair): Verdict {
  const left = [...predicted];
  for (const column of gold) {
    const at = left.findIndex((other) => sameCodes(column, other));
    if (at === -1) return 'different';
    left.splice(at, 1);
  }
  return 'equal';
}

/** A depth-first search with a budget; it lives for one comparison. */
class ColumnSearch {
  readonly #pair: EncodedPair;
  readonly #used: boolean[];
  /** For each gold column the predicted columns that hold the same bag of cells, hardest column first. */
  readonly #plan: readonly { readonly gold: number; readonly candidates: readonly number[] }[];
  #cellsLeft: number;

  constructor(pair: EncodedPair, options: MatchOptions) {
    this.#pair = pair;
    this.#cellsLeft = options.cellBudget ?? CELL_BUDGET;
    this.#used = pair.predicted.map(() => false);
    const bags = pair.predicted.map((column) => column.toSorted());
    this.#plan = pair.gold
      .map((column, gold) => {
        const bag = column.toSorted();
        const isOrdered = options.orderMatters && gold === options.orderedColumn;
        const candidates = bags.flatMap((other, i) =>
          sameCodes(bag, other) && (!isOrdered || sameCodes(column, pair.predicted[i]!)) ? [i] : [],
        );
        return { gold, candidates, kinds: new Set(column).size };
      })
      .sort((a, b) => a.candidates.length - b.candidates.length || b.kinds - a.kinds);
  }

  run(): Verdict {
    if (this.#plan.some(({ candidates }) => candidates.length === 0)) return 'different';
    const rows = this.#pair.gold[0]?.length ?? 0;
    return this.#place(0, { gold: new Int32Array(rows), predicted: new Int32Array(rows) });
  }

  #place(depth: number, partition: Partition): Verdict {
    const step = this.#plan[depth];
    if (step === undefined) return 'equal';
    const goldColumn = this.#pair.gold[step.gold]!;
    const tried: Int32Array[] = [];
    for (const candidate of step.candidates) {
      const column = this.#pair.predicted[candidate]!;
      // A twin of a column that failed here fails as well.
      if (this.#used[candidate] || tried.some((other) => sameCodes(column, other))) continue;
      tried.push(column);
      this.#cellsLeft -= column.length;
      if (this.#cellsLeft < 0) return 'undecided';
      const next = refine(partition, goldColumn, column);
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
function refine(partition: Partition, goldColumn: Int32Array, predictedColumn: Int32Array): Partition | null {
  const rows = goldColumn.length;
  const groups = new Map<number, number>();
  const counts: number[] = [];
  // Group and code are both below 2^26 for any result within limits, so the product is exact.
  const width = 2 ** 26;
  const gold = new Int32Array(rows);
  for (let row = 0; row < rows; row += 1) {
    const key = partition.gold[row]! * width + goldColumn[row]!;
    let group = groups.get(key);
    if (group === undefined) {
      group = groups.size;
      groups.set(key, group);
      counts.push(0);
    }
    counts[group]! += 1;
    gold[row] = group;
  }
  const predicted = new Int32Array(rows);
  for (let row = 0; row < rows; row += 1) {
    const group = groups.get(partition.predicted[row]! * width + predictedColumn[row]!);
    if (group === undefined) return null;
    counts[group]! -= 1;
    if (counts[group]! < 0) return null;
    predicted[row] = group;
  }
  return { gold, predicted };
}

function sameCodes(a: Int32Array, b: Int32Array): boolean {
  return a.length === b.length && a.every((code, i) => code === b[i]);
}
