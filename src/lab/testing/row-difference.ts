/** What two results that should be the same do not share, for people. */
import { type ComparedResult, encodePair } from '../../results/index.ts';
import type { Cell } from '../../sql/dialects/cell.ts';

export interface RowDifference {
  readonly expected: { readonly rows: number; readonly columns: number };
  readonly actual: { readonly rows: number; readonly columns: number };
  /** Names of the columns that came. */
  readonly columns: readonly string[];
  /** The first expected rows that did not come, cells in the order of the expected columns, and how many there are. */
  readonly missing: { readonly count: number; readonly rows: readonly (readonly Cell[])[] };
  /** The first rows that came and were not expected, in the same order of columns where there are as many. */
  readonly extra: { readonly count: number; readonly rows: readonly (readonly Cell[])[] };
  /** The same rows came, from this one on (from 1) in another order. */
  readonly outOfOrderFrom?: number;
}

const ROWS_SHOWN = 5;

/** Compares row by row, with columns laid side by side by what they share. */
export function differRows(
  expected: ComparedResult,
  actual: ComparedResult,
  tolerance?: number,
): RowDifference {
  const width = expected.rows[0]?.length ?? expected.columns.length;
  const { left, right } = encodePair(
    { columns: Array.from({ length: width }, String), rows: expected.rows },
    actual,
    { textEqualsNumber: true, numbers: 'anchored', ...(tolerance !== undefined && { tolerance }) },
  );
  const isComparable = width === actual.columns.length;
  const order = isComparable ? alignColumns(left, right) : actual.columns.map((_, at) => at);
  const wanted = expected.rows.map((_, row) => left.map((column) => column[row]).join(' '));
  const got = actual.rows.map((_, row) => order.map((at) => right[at]?.[row]).join(' '));
  const missing = without(wanted, got);
  const extra = without(got, wanted);
  const isSameBag = isComparable && missing.length === 0 && extra.length === 0;
  const from = isSameBag ? wanted.findIndex((key, row) => key !== got[row]) : -1;
  return {
    expected: { rows: expected.rows.length, columns: width },
    actual: { rows: actual.rows.length, columns: actual.columns.length },
    columns: order.map((at) => actual.columns[at] ?? ''),
    missing: { count: missing.length, rows: missing.slice(0, ROWS_SHOWN).map((row) => expected.rows[row]!) },
    extra: {
      count: extra.length,
      rows: extra.slice(0, ROWS_SHOWN).map((row) => order.map((at) => actual.rows[row]?.[at] ?? null)),
    },
    ...(from >= 0 && { outOfOrderFrom: from + 1 }),
  };
}

type Columns = readonly Int32Array[];

/** For each left column the right one that holds most of its cells; the one at its own place where several do. */
function alignColumns(left: Columns, right: Columns): number[] {
  const free = new Set(right.keys());
  return left.map((column, at) => {
    const choices = [...free].map((other) => ({ other, shared: sharedCells(column, right[other]!) }));
    const best = choices.toSorted(
      (a, b) => b.shared - a.shared || Number(b.other === at) - Number(a.other === at) || a.other - b.other,
    )[0]!.other;
    free.delete(best);
    return best;
  });
}

function sharedCells(column: Int32Array, other: Int32Array): number {
  return column.length - without([...column], [...other]).length;
}

/** Places of what is in `from` more often than in `taken`. */
function without<T>(from: readonly T[], taken: readonly T[]): number[] {
  const counts = new Map<T, number>();
  for (const each of taken) counts.set(each, (counts.get(each) ?? 0) + 1);
  return from.flatMap((each, at) => {
    const count = counts.get(each) ?? 0;
    counts.set(each, count - 1);
    return count > 0 ? [] : [at];
  });
}
