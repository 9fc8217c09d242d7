import { unreachable } from '../../../errors.ts';
import {
  type ComparedResult,
  encodePair,
  isDecimal,
  type MatchOptions,
  matchColumns,
  type Verdict,
} from '../../../results/index.ts';
import type { Cell } from '../../../sql/dialects/cell.ts';
import type { ComparisonPolicy } from '../../corpus/index.ts';

/** Compares a predicted result with the gold one under a named policy. */
export function compareResults(
  gold: ComparedResult,
  predicted: ComparedResult,
  options: MatchOptions & { readonly policy: ComparisonPolicy },
): Verdict {
  switch (options.policy) {
    case 'spider':
      return compareSpider(gold, predicted, options);
    case 'answer':
      return compareAnswer(gold, predicted, options);
    case 'bird':
      return compareBird(gold, predicted);
    case 'defog':
      return compareDefog(gold, predicted, options);
    case 'strict':
      return compareStrict(gold, predicted);
    default:
      return unreachable(options.policy);
  }
}

/**
 * The policy for our own suites: as Spider's, but a number equals its text, because a reader of the answer sees no
 * difference between a year written `2024` and one written `'2024'`.
 */
function compareAnswer(gold: ComparedResult, predicted: ComparedResult, options: MatchOptions): Verdict {
  return comparePermuted(gold, predicted, { ...options, textEqualsNumber: true });
}

/** The same rows in the same order, the same columns in the same order, every cell of the same type and value. */
function compareStrict(gold: ComparedResult, predicted: ComparedResult): Verdict {
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

/** BIRD's script: equal sets of rows. Columns keep their order, rows lose order and repetition, numbers are exact. */
function compareBird(gold: ComparedResult, predicted: ComparedResult): Verdict {
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

/**
 * defog's rule: the gold columns stand somewhere among the predicted ones, row by row; columns too many do not count.
 * Where both have the same number of columns, repeated rows do not count either. As in the official script, which sorts
 * both results by the ORDER BY of their queries, rows that tie in the ordered column may stand in any order.
 */
function compareDefog(gold: ComparedResult, predicted: ComparedResult, options: MatchOptions): Verdict {
  if (gold.rows.length === 0 && predicted.rows.length === 0) return 'equal';
  const asGiven = matchWithin(gold, predicted, options);
  if (asGiven !== 'different' || gold.columns.length !== predicted.columns.length) return asGiven;
  return matchWithin(withoutRepeats(gold), withoutRepeats(predicted), options);
}

function matchWithin(gold: ComparedResult, predicted: ComparedResult, options: MatchOptions): Verdict {
  if (gold.rows.length !== predicted.rows.length || gold.columns.length > predicted.columns.length)
    return 'different';
  return matchColumns(encodePair(gold, predicted, { textEqualsNumber: false }), options);
}

/** Keeps the first of equal rows. */
function withoutRepeats({ columns, rows }: ComparedResult): ComparedResult {
  const seen = new Set<string>();
  return { columns, rows: rows.filter((row) => !seen.has(keyOf(row)) && seen.add(keyOf(row))) };
}

function keyOf(row: readonly Cell[]): string {
  return JSON.stringify(row.map((cell) => (typeof cell === 'bigint' ? Number(cell) : cell)));
}

/**
 * Spider's execution match: the same bag of rows under one order of the columns for all rows; the order of rows
 * counts only where `orderMatters`. A number never equals a text. Two empty results are equal, whatever their columns.
 */
function compareSpider(gold: ComparedResult, predicted: ComparedResult, options: MatchOptions): Verdict {
  return comparePermuted(gold, predicted, { ...options, textEqualsNumber: false });
}

/** The common part of the policies that let columns be permuted. */
function comparePermuted(
  gold: ComparedResult,
  predicted: ComparedResult,
  options: MatchOptions & { readonly textEqualsNumber: boolean },
): Verdict {
  if (gold.rows.length === 0 && predicted.rows.length === 0) return 'equal';
  const hasSameShape =
    gold.rows.length === predicted.rows.length && gold.columns.length === predicted.columns.length;
  return hasSameShape ? matchColumns(encodePair(gold, predicted, options), options) : 'different';
}
