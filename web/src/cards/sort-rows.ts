import type { Cell, Rows } from '../api/contract.ts';
import { figureOf } from './read-figure.ts';

export interface Sorting {
  readonly column: number;
  readonly isDescending: boolean;
}

const COLLATOR = new Intl.Collator(undefined, { numeric: true });

/** Rows in order of a column, equal ones as they came; nothing stored comes last whichever way. */
export function sortRows(rows: Rows, sorting: Sorting | undefined): Rows {
  if (sorting === undefined) return rows;
  const { column, isDescending } = sorting;
  const sign = isDescending ? -1 : 1;
  return rows.toSorted((one, other) => {
    const [a, b] = [one[column] ?? null, other[column] ?? null];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return sign * compare(a, b);
  });
}

function compare(a: NonNullable<Cell>, b: NonNullable<Cell>): number {
  const [one, other] = [figureOf(a), figureOf(b)];
  if (one !== undefined && other !== undefined) return one - other;
  return COLLATOR.compare(String(a), String(b));
}
