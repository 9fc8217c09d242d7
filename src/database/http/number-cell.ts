/** Numbers that came as text, as cells: a JavaScript number where it loses nothing. */
import type { Cell } from '../../sql/cell.ts';

/** Digits that a JavaScript number holds without loss. */
const EXACT_DIGITS = 15;

/** `'42'` → 42, `'9007199254740993'` → 9007199254740993n. */
export function toWholeCell(text: string): Cell {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

/** `'1.50'` → 1.5, `'123456789012345.67'` as it is: beyond 15 digits the text stays. */
export function toDecimalCell(text: string): Cell {
  const digits = text.replace(/[^0-9]/g, '').replace(/^0+/, '');
  return digits.length <= EXACT_DIGITS ? Number(text) : text;
}
