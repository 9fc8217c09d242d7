import type { Cell } from '../../../sql/cell.ts';

/** A result as the comparators see it; names of columns never count. */
export interface ComparedResult {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

/** `undecided`: the search for a column order met its bound; it counts as wrong and is said. */
export type Verdict = 'equal' | 'different' | 'undecided';
