import type { Cell } from '../sql/dialects/cell.ts';

/** A result as comparing sees it; names of columns never count. */
export interface ComparedResult {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

/** `undecided`: the search for a column order met its bound; who compares says what follows. */
export type Verdict = 'equal' | 'different' | 'undecided';
