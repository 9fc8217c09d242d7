import type { Cell } from '../../sql/dialects/cell.ts';

/** The values of a column with their counts, as far as they were asked for. */
export interface Groups {
  /** Rows that hold a value. */
  readonly valueRows: number;
  readonly distinctCount: number;
  /** Distinct values that stand there once. */
  readonly onceCount: number;
  /** Most frequent first. */
  readonly values: readonly { readonly value: Cell; readonly count: number }[];
  /** The values at 5 %, 10 %, … 100 % of the rows; empty when not asked for. */
  readonly steps: readonly Cell[];
}
