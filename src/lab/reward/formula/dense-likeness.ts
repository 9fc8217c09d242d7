/** S_dense of BAR-SQL: how alike two results are where they are not equal. */
import type { ComparedResult } from '../../../results/index.ts';
import type { Cell } from '../../../sql/dialects/cell.ts';

export interface DenseLikeness {
  /** 0.4·schema + 0.1·rows + 0.5·values, rounded to four digits. */
  readonly total: number;
  /** Columns whose names mean the same. */
  readonly schema: number;
  /** Numbers of rows. */
  readonly rows: number;
  /** Cells of the columns that pair up. */
  readonly values: number;
}

export interface DenseOptions {
  /** Two empty results share no values, as in the published code. */
  readonly emptyIsUnlike?: boolean;
}

/** Columns pair up only if their names are nearer than this. */
const LEAST_COSINE = 0.75;
const EXTRA_COLUMN_WEIGHT = 0.2;
const ROW_RATIO_WEIGHT = 0.3;

/** `cosines[gold column][predicted column]` of the names of columns; it may leave out the last predicted ones. */
export function denseLikeness(
  gold: ComparedResult,
  predicted: ComparedResult,
  cosines: readonly (readonly number[])[],
  { emptyIsUnlike = false }: DenseOptions = {},
): DenseLikeness {
  const pairs = pairColumns(cosines);
  const schema = headerLikeness(gold, predicted, pairs);
  const rows = rowCountLikeness(gold.rows.length, predicted.rows.length);
  const areEmpty = gold.rows.length === 0 && predicted.rows.length === 0;
  const values = areEmpty && emptyIsUnlike ? 0 : valueLikeness(gold, predicted, pairs);
  return { total: round(0.4 * schema + 0.1 * rows + 0.5 * values), schema, rows, values };
}

interface ColumnPair {
  readonly gold: number;
  readonly predicted: number;
  readonly cosine: number;
}

function pairColumns(cosines: readonly (readonly number[])[]): readonly ColumnPair[] {
  return assignPairs(cosines).flatMap((predicted, gold) => {
    const cosine = cosines[gold]?.[predicted] ?? 0;
    return cosine > LEAST_COSINE ? [{ gold, predicted, cosine }] : [];
  });
}

function headerLikeness(
  gold: ComparedResult,
  predicted: ComparedResult,
  pairs: readonly ColumnPair[],
): number {
  const wanted = gold.columns.length;
  if (wanted === 0) return predicted.columns.length === 0 ? 1 : 0;
  const shared = pairs.reduce((sum, { cosine }) => sum + cosine, 0) / wanted;
  const extra = Math.max(0, predicted.columns.length - wanted);
  return Math.min(1, Math.max(0, shared / (1 + (EXTRA_COLUMN_WEIGHT * extra) / wanted)));
}

/** 1 for equal numbers, 0 where one result alone is empty, else by the logarithm of their ratio. */
export function rowCountLikeness(gold: number, predicted: number): number {
  if (gold === predicted) return 1;
  const [least, most] = [Math.min(gold, predicted), Math.max(gold, predicted)];
  return least === 0 ? 0 : 1 / (1 + ROW_RATIO_WEIGHT * Math.log(most / least));
}

/** The mean over the gold columns; one without a partner has nothing in common with anything. */
function valueLikeness(
  gold: ComparedResult,
  predicted: ComparedResult,
  pairs: readonly ColumnPair[],
): number {
  if (gold.columns.length === 0) return 0;
  const cellsOf = ({ rows }: ComparedResult, column: number) => rows.map((row) => row[column] ?? null);
  const sum = pairs.reduce(
    (total, pair) => total + cellLikeness(cellsOf(gold, pair.gold), cellsOf(predicted, pair.predicted)),
    0,
  );
  return sum / gold.columns.length;
}

function round(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}

/**
 * The assignment of rows to columns with the largest sum of weights (Hungarian method with potentials, Kuhn 1955, in
 * the O(n²·m) form of Jonker and Volgenant): for each row its column, −1 where there are more rows than columns. Weights
 * must be finite, every row as long as the first.
 */
export function assignPairs(weights: readonly (readonly number[])[]): readonly number[] {
  const rows = weights.length;
  const columns = weights[0]?.length ?? 0;
  if (rows <= columns) return assignRows(weights);
  const turned = Array.from({ length: columns }, (_, column) => weights.map((row) => row[column] ?? 0));
  const assigned = new Array<number>(rows).fill(-1);
  assignRows(turned).forEach((row, column) => {
    assigned[row] = column;
  });
  return assigned;
}

/** At most as many rows as columns. Place 0 of every array is the start of a search, so that all counts begin at 1. */
function assignRows(weights: readonly (readonly number[])[]): readonly number[] {
  const rows = weights.length;
  const columns = weights[0]?.length ?? 0;
  const rowPotential = new Float64Array(rows + 1);
  const columnPotential = new Float64Array(columns + 1);
  /** The row that a column belongs to; 0: none yet. */
  const owner = new Int32Array(columns + 1);
  const before = new Int32Array(columns + 1);
  for (let row = 1; row <= rows; row += 1) {
    owner[0] = row;
    const slack = new Float64Array(columns + 1).fill(Number.POSITIVE_INFINITY);
    const isDone = new Uint8Array(columns + 1);
    let at = 0;
    while (owner[at] !== 0) {
      isDone[at] = 1;
      const from = owner[at] ?? 0;
      let [least, next] = [Number.POSITIVE_INFINITY, 0];
      for (let column = 1; column <= columns; column += 1) {
        if (isDone[column] === 1) continue;
        const cost = -(weights[from - 1]?.[column - 1] ?? 0);
        const reduced = cost - (rowPotential[from] ?? 0) - (columnPotential[column] ?? 0);
        if (reduced < (slack[column] ?? 0)) {
          slack[column] = reduced;
          before[column] = at;
        }
        if ((slack[column] ?? 0) < least) [least, next] = [slack[column] ?? 0, column];
      }
      for (let column = 0; column <= columns; column += 1) {
        if (isDone[column] === 1) {
          const of = owner[column] ?? 0;
          rowPotential[of] = (rowPotential[of] ?? 0) + least;
          columnPotential[column] = (columnPotential[column] ?? 0) - least;
        } else slack[column] = (slack[column] ?? 0) - least;
      }
      at = next;
    }
    // The path found hands every column on it to the row before.
    while (at !== 0) {
      const previous = before[at] ?? 0;
      owner[at] = owner[previous] ?? 0;
      at = previous;
    }
  }
  const assigned = new Array<number>(rows).fill(-1);
  for (let column = 1; column <= columns; column += 1) {
    const row = owner[column] ?? 0;
    if (row > 0) assigned[row - 1] = column - 1;
  }
  return assigned;
}

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
