import { type ComparedResult, encodePair, matchColumns } from '../../../results/index.ts';
import type { Cell } from '../../../sql/cell.ts';

/** Fractions this close are one number (§9 of the specification); whole numbers must be equal: 2023 is not 2024. */
const RELATIVE_TOLERANCE = 1e-3;
const ABSOLUTE_TOLERANCE = 1e-6;

type Row = readonly Cell[];

/**
 * Whether two results are the same bag of rows, or list where the order matters. Columns pair by their names where both
 * have the same, each once; else by their values in any order. Empty results are the same if they have as many columns.
 * A search for an order of the columns that meets its bound counts as different.
 */
export function sameResults(
  gold: ComparedResult,
  predicted: ComparedResult,
  { orderMatters = false }: { readonly orderMatters?: boolean } = {},
): boolean {
  if (gold.columns.length !== predicted.columns.length || gold.rows.length !== predicted.rows.length)
    return false;
  if (gold.rows.length === 0) return true;
  const byName = placesByName(gold.columns, predicted.columns);
  if (byName !== undefined) {
    const rows = predicted.rows.map((row) => byName.map((place) => row[place] ?? null));
    return sameRows(gold.rows, rows, orderMatters);
  }
  const pair = encodePair(gold, predicted, { textEqualsNumber: true });
  return (
    matchColumns(pair, { orderMatters }) === 'equal' || sameRows(gold.rows, predicted.rows, orderMatters)
  );
}

/** For each gold column the place of the predicted one of that name; undefined where names do not tell. */
function placesByName(gold: readonly string[], predicted: readonly string[]): readonly number[] | undefined {
  const fold = (name: string): string => name.trim().toLowerCase();
  const places = new Map(predicted.map((name, place) => [fold(name), place]));
  if (places.size < predicted.length) return undefined;
  const found = gold.flatMap((name) => places.get(fold(name)) ?? []);
  return new Set(found).size === gold.length ? found : undefined;
}

function sameRows(gold: readonly Row[], predicted: readonly Row[], orderMatters: boolean): boolean {
  const [left, right] = orderMatters ? [gold, predicted] : [sortRows(gold), sortRows(predicted)];
  return left.every((row, at) => row.every((cell, place) => isSame(cell, right[at]?.[place] ?? null)));
}

/** Texts come before numbers, so that numbers which differ a little do not part rows that belong together. */
function sortRows(rows: readonly Row[]): readonly Row[] {
  const keyed = rows.map((row) => {
    const values = row.map(comparedAs);
    const texts = values.map((value) => (typeof value === 'number' ? '' : value)).join('\u0000');
    return { row, texts, numbers: values.filter((value) => typeof value === 'number') };
  });
  keyed.sort((a, b) => {
    if (a.texts !== b.texts) return a.texts < b.texts ? -1 : 1;
    const at = a.numbers.findIndex((number, place) => number !== b.numbers[place]);
    return at === -1 ? 0 : (a.numbers[at] ?? 0) - (b.numbers[at] ?? 0);
  });
  return keyed.map(({ row }) => row);
}

function isSame(gold: Cell, predicted: Cell): boolean {
  const [left, right] = [comparedAs(gold), comparedAs(predicted)];
  if (typeof left !== 'number' || typeof right !== 'number') return left === right;
  if (left === right || (Number.isInteger(left) && Number.isInteger(right))) return left === right;
  return Math.abs(left - right) <= Math.max(RELATIVE_TOLERANCE * Math.abs(left), ABSOLUTE_TOLERANCE);
}

const NUMBER_TEXT = /^-?(?:0|[1-9]\d{0,14})(?:\.\d+)?$/;

function comparedAs(cell: Cell): number | string {
  if (cell === null) return 'null';
  if (typeof cell === 'string') return NUMBER_TEXT.test(cell) ? Number(cell) : `text ${cell}`;
  if (typeof cell === 'object') return `bytes ${Buffer.from(cell).toString('hex')}`;
  const number = Number(cell);
  const isExact = typeof cell !== 'bigint' || Number.isSafeInteger(number);
  return isExact && Number.isFinite(number) ? number : `number ${cell}`;
}
