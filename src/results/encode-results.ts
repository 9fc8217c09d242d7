/** Turns the cells of results into small integers, so that equal cells have equal codes. */
import type { Cell } from '../sql/dialects/cell.ts';
import { isDecimal } from './read-figure.ts';

/** A result as comparing sees it; names of columns never count. */
export interface ComparedResult {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

/** `undecided`: the search for a column order met its bound; who compares says what follows. */
export type Verdict = 'equal' | 'different' | 'undecided';

/** Codes by column: `encoded[column][row]`. */
export type EncodedResult = readonly Int32Array[];

/** Two results of one table of codes. */
export interface EncodedPair {
  readonly left: EncodedResult;
  readonly right: EncodedResult;
}

export interface EncodeOptions {
  /** `'3'` equals `3`. */
  readonly textEqualsNumber: boolean;
  /** Numbers this close, relative to the larger one, are equal unless both are whole; 1e-6 where absent. */
  readonly tolerance?: number;
  /**
   * `chained`: neighbours within the tolerance share a code, so that two close numbers always do. `anchored`: no two
   * numbers of a code are further apart than the tolerance, so that many numbers do not run together; `chained` where
   * absent.
   */
  readonly numbers?: 'chained' | 'anchored';
}

const RELATIVE_TOLERANCE = 1e-6;
/** Near zero a relative tolerance means nothing. */
const ABSOLUTE_TOLERANCE = 1e-9;

const NUMBER_TEXT = /^-?(?:0|[1-9]\d{0,14})(?:\.\d+)?$/;

/** Encodes all results with one table of codes, so that codes of one compare with codes of the others. */
export function encodeResults(
  results: readonly ComparedResult[],
  options: EncodeOptions,
): readonly EncodedResult[] {
  const numbers = new Set<number>();
  const texts = new Map<string, number>();
  for (const { rows } of results) {
    for (const row of rows) {
      for (const cell of row) {
        const key = keyOf(cell, options);
        if (typeof key === 'number') numbers.add(key);
        else if (!texts.has(key)) texts.set(key, texts.size);
      }
    }
  }
  const numberCodes = groupNumbers(numbers, texts.size, options);
  const codeOf = (cell: Cell): number => {
    const key = keyOf(cell, options);
    return (typeof key === 'number' ? numberCodes.get(key) : texts.get(key)) ?? -1;
  };
  return results.map(({ columns, rows }) =>
    columns.map((_, column) => Int32Array.from(rows, (row) => codeOf(row[column] ?? null))),
  );
}

/** Two results with one table of codes. */
export function encodePair(left: ComparedResult, right: ComparedResult, options: EncodeOptions): EncodedPair {
  const [encodedLeft = [], encodedRight = []] = encodeResults([left, right], options);
  return { left: encodedLeft, right: encodedRight };
}

function keyOf(cell: Cell, { textEqualsNumber }: EncodeOptions): number | string {
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
    const isNumber = isDecimal(cell) || (textEqualsNumber && NUMBER_TEXT.test(cell));
    // 100.00 and 100 are one number, and -0 is 0.
    return isNumber ? Number(cell) + 0 : `text ${cell}`;
  }
  return `bytes ${Buffer.from(cell).toString('hex')}`;
}

function groupNumbers(
  numbers: ReadonlySet<number>,
  firstCode: number,
  { tolerance = RELATIVE_TOLERANCE, numbers: gathered = 'chained' }: EncodeOptions,
): Map<number, number> {
  const sorted = Float64Array.from(numbers).sort();
  const codes = new Map<number, number>();
  let code = firstCode;
  /** What the next number must be close to. */
  let anchor: number | undefined;
  let holdsWhole = false;
  for (const number of sorted) {
    const isWhole = Number.isInteger(number);
    const isClash = gathered === 'anchored' && isWhole && holdsWhole;
    const joins = anchor !== undefined && !isClash && areClose(anchor, number, tolerance);
    if (anchor !== undefined && !joins) code += 1;
    if (!joins) holdsWhole = false;
    holdsWhole ||= isWhole;
    if (!joins || gathered === 'chained') anchor = number;
    codes.set(number, code);
  }
  return codes;
}

function areClose(a: number, b: number, tolerance: number): boolean {
  if (Number.isInteger(a) && Number.isInteger(b)) return a === b;
  return Math.abs(a - b) <= Math.max(tolerance * Math.max(Math.abs(a), Math.abs(b)), ABSOLUTE_TOLERANCE);
}

/**
 * A value as JSON can hold it: whole numbers beyond 2^53 and numbers that are none as text, bytes as `{base64}`.
 * Not a replacer of `JSON.stringify`: `Buffer.toJSON` would run before it.
 */
export function toJsonValue(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString('base64') };
  if (Array.isArray(value)) return value.map(toJsonValue);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, toJsonValue(inner)]));
}
