import type { Cell } from '../sql/dialects/cell.ts';

/** Exact decimals come as the engine's text, so that no digit of theirs is lost. */
const DECIMAL = /^-?\d{1,40}\.\d{1,60}(?:[eE][+-]?\d{1,3})?$/;

/** Whether a text is an exact decimal: `100.00`. Whole numbers never come as text. */
export function isDecimal(text: string): boolean {
  return DECIMAL.test(text);
}

/** The number that a cell is, to be compared, added up or drawn; undefined for what is none. */
export function figureOf(cell: Cell): number | undefined {
  if (typeof cell === 'number') return cell;
  if (typeof cell === 'bigint') return Number(cell);
  return typeof cell === 'string' && isDecimal(cell) ? Number(cell) : undefined;
}
