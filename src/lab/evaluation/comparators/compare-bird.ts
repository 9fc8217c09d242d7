import { type ComparedResult, isDecimal, type Verdict } from '../../../results/index.ts';
import type { Cell } from '../../../sql/cell.ts';

/** BIRD's script: equal sets of rows. Columns keep their order, rows lose order and repetition, numbers are exact. */
export function compareBird(gold: ComparedResult, predicted: ComparedResult): Verdict {
  const wanted = new Set(gold.rows.map(rowKey));
  const got = new Set(predicted.rows.map(rowKey));
  return wanted.size === got.size && [...got].every((key) => wanted.has(key)) ? 'equal' : 'different';
}

function rowKey(row: readonly Cell[]): string {
  return JSON.stringify(row.map(cellKey));
}

/** Numbers of every type compare by value, as they do in Python, where the script runs. */
function cellKey(cell: Cell): string {
  if (cell === null) return 'null';
  if (typeof cell === 'string')
    return isDecimal(cell) ? `number ${wholeOrFraction(Number(cell))}` : `text ${cell}`;
  if (typeof cell === 'bigint') return `number ${cell}`;
  if (typeof cell === 'number' || typeof cell === 'boolean') return `number ${wholeOrFraction(Number(cell))}`;
  return `bytes ${Buffer.from(cell).toString('hex')}`;
}

/** Every whole number is written with all its digits, so that `1e21` meets the bigint of the same value. */
function wholeOrFraction(number: number): string {
  return Number.isInteger(number) ? BigInt(number).toString() : String(number);
}
