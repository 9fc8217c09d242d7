import type { Cell } from '../../../sql/cell.ts';

/** Numbers this close, relative to the gold one, are the same value. */
const TOLERANCE = 0.01;
/** What a gold value of 0 is measured by. */
const LEAST_GOLD = 1e-6;
const NUMBER_TEXT = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?$/;

/**
 * How alike two columns are as bags of cells: F1 of the cells that pair up, numbers within 1 % of the gold value, texts
 * without the white space around them. As many pairs as can be made are made, so the order of rows means nothing.
 */
export function cellLikeness(gold: readonly Cell[], predicted: readonly Cell[]): number {
  if (gold.length + predicted.length === 0) return 1;
  const [left, right] = [sortCells(gold), sortCells(predicted)];
  const pairs = pairNumbers(left.numbers, right.numbers) + pairTexts(left.texts, right.texts);
  return (2 * pairs) / (gold.length + predicted.length);
}

interface SortedCells {
  readonly numbers: Float64Array;
  /** How often each text comes. */
  readonly texts: Map<string, number>;
}

function sortCells(cells: readonly Cell[]): SortedCells {
  const numbers: number[] = [];
  const texts = new Map<string, number>();
  for (const cell of cells) {
    const value = comparedAs(cell);
    if (typeof value === 'number') numbers.push(value);
    else texts.set(value, (texts.get(value) ?? 0) + 1);
  }
  return { numbers: Float64Array.from(numbers).sort(), texts };
}

/** A number, or a text with a mark that keeps NULL and bytes apart from texts that look like them. */
function comparedAs(cell: Cell): number | string {
  if (cell === null) return 'null';
  if (typeof cell === 'string') {
    const text = cell.trim();
    // Exact decimals come as text.
    const number = NUMBER_TEXT.test(text) ? Number(text) : Number.NaN;
    return Number.isFinite(number) ? number : `text ${text}`;
  }
  if (typeof cell === 'object') return `bytes ${Buffer.from(cell).toString('hex')}`;
  const number = Number(cell);
  return Number.isFinite(number) ? number : `number ${number}`;
}

/** Both sorted. What a gold value accepts grows with it, so that taking the least that fits wastes none. */
function pairNumbers(gold: Float64Array, predicted: Float64Array): number {
  let pairs = 0;
  let at = 0;
  for (const value of gold) {
    const reach = TOLERANCE * (value === 0 ? LEAST_GOLD : Math.abs(value));
    while (at < predicted.length && (predicted[at] ?? 0) < value - reach) at += 1;
    if (at < predicted.length && (predicted[at] ?? 0) <= value + reach) {
      pairs += 1;
      at += 1;
    }
  }
  return pairs;
}

function pairTexts(gold: ReadonlyMap<string, number>, predicted: ReadonlyMap<string, number>): number {
  let pairs = 0;
  for (const [text, count] of gold) pairs += Math.min(count, predicted.get(text) ?? 0);
  return pairs;
}
