/** Turns the cells of two results into small integers, so that equal cells have equal codes. */
import type { Cell } from '../../../sql/cell.ts';
import type { ComparedResult } from './comparison.ts';

/** Codes by column: `gold[column][row]`. */
export interface EncodedPair {
  readonly gold: readonly Int32Array[];
  readonly predicted: readonly Int32Array[];
}

export interface EncodeOptions {
  /** `'3'` equals `3`. */
  readonly textEqualsNumber: boolean;
  /** Exact decimals with more digits than a number holds, which come as text, are numbers. */
  readonly areDecimalsNumbers?: boolean;
}

/** Numbers this close, relative to the larger one, are equal unless both are whole. */
const RELATIVE_TOLERANCE = 1e-6;
/** Near zero a relative tolerance means nothing. */
const ABSOLUTE_TOLERANCE = 1e-9;

const LONG_DECIMAL = /^-?\d{1,30}\.\d{1,60}$/;
const EXACT_DIGITS = 15;
const NUMBER_TEXT = /^-?(?:0|[1-9]\d{0,14})(?:\.\d+)?$/;

/** Encodes both results with one table of codes, so that codes of one compare with codes of the other. */
export function encodeCells(
  gold: ComparedResult,
  predicted: ComparedResult,
  options: EncodeOptions,
): EncodedPair {
  const numbers = new Set<number>();
  const texts = new Map<string, number>();
  for (const { rows } of [gold, predicted]) {
    for (const row of rows) {
      for (const cell of row) {
        const key = keyOf(cell, options);
        if (typeof key === 'number') numbers.add(key);
        else if (!texts.has(key)) texts.set(key, texts.size);
      }
    }
  }
  const numberCodes = groupNumbers(numbers, texts.size);
  const codeOf = (cell: Cell): number => {
    const key = keyOf(cell, options);
    return (typeof key === 'number' ? numberCodes.get(key) : texts.get(key)) ?? -1;
  };
  const encode = ({ columns, rows }: ComparedResult): Int32Array[] =>
    columns.map((_, column) => Int32Array.from(rows, (row) => codeOf(row[column] ?? null)));
  return { gold: encode(gold), predicted: encode(predicted) };
}

function keyOf(cell: Cell, { textEqualsNumber, areDecimalsNumbers }: EncodeOptions): number | string {
  if (cell === null) return 'null';
  // -0 and 0 are one number.
  if (typeof cell === 'number') return cell === 0 ? 0 : cell;
  if (typeof cell === 'boolean') return cell ? 1 : 0;
  if (typeof cell === 'bigint') {
    const number = Number(cell);
    // Beyond 2^53 two whole numbers may not be told apart as floating numbers.
    return Number.isSafeInteger(number) ? number : `whole ${cell}`;
  }
  if (typeof cell === 'string') {
    if (textEqualsNumber && NUMBER_TEXT.test(cell)) return Number(cell) === 0 ? 0 : Number(cell);
    const isDecimal = areDecimalsNumbers === true && cell.length > EXACT_DIGITS && LONG_DECIMAL.test(cell);
    return isDecimal ? Number(cell) : `text ${cell}`;
  }
  return `bytes ${Buffer.from(cell).toString('hex')}`;
}

/** Neighbours on the number line within the tolerance share a code. */
function groupNumbers(numbers: ReadonlySet<number>, firstCode: number): Map<number, number> {
  const sorted = Float64Array.from(numbers).sort();
  const codes = new Map<number, number>();
  let code = firstCode;
  let before: number | undefined;
  for (const number of sorted) {
    if (before !== undefined && !areClose(before, number)) code += 1;
    codes.set(number, code);
    before = number;
  }
  return codes;
}

function areClose(a: number, b: number): boolean {
  if (Number.isInteger(a) && Number.isInteger(b)) return a === b;
  return (
    Math.abs(a - b) <= Math.max(RELATIVE_TOLERANCE * Math.max(Math.abs(a), Math.abs(b)), ABSOLUTE_TOLERANCE)
  );
}
