import type { ComparedResult, Verdict } from '../../../results/index.ts';
import type { Cell } from '../../../sql/cell.ts';

/** The same rows in the same order, the same columns in the same order, every cell of the same type and value. */
export function compareStrict(gold: ComparedResult, predicted: ComparedResult): Verdict {
  const isEqual =
    gold.columns.length === predicted.columns.length &&
    gold.rows.length === predicted.rows.length &&
    gold.rows.every((row, i) => row.every((cell, column) => sameCell(cell, predicted.rows[i]?.[column])));
  return isEqual ? 'equal' : 'different';
}

function sameCell(a: Cell, b: Cell | undefined): boolean {
  if (a instanceof Uint8Array) return b instanceof Uint8Array && Buffer.compare(a, b) === 0;
  return Object.is(a, b);
}
