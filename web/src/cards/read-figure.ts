import type { Cell } from '../api/contract.ts';

/** The number that a cell is: exact decimals come as text, so that no digit of theirs is lost. Undefined for what is none. */
export function figureOf(cell: Cell): number | undefined {
  if (typeof cell === 'number') return cell;
  return typeof cell === 'string' && /^-?\d{1,40}\.\d{1,60}(?:[eE][+-]?\d{1,3})?$/.test(cell)
    ? Number(cell)
    : undefined;
}
