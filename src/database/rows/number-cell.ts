/** Exact numbers that came as text, as cells. */
import type { Cell } from '../../sql/dialects/cell.ts';

/** `'42'` → 42, `'9007199254740993'` → 9007199254740993n. */
export function toWholeCell(text: string): Cell {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

/**
 * A decimal with a fraction stays the engine's own text: as a number 100.00 would be 100, and 0.0000000001 be 1e-10.
 * NaN and the infinities are what they are as floating numbers.
 */
export function toDecimalCell(text: string): Cell {
  if (/^-?\d+$/.test(text)) return toWholeCell(text);
  return /^-?[\d.]/.test(text) ? text : Number(text);
}
