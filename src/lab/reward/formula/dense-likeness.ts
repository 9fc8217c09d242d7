/** S_dense of BAR-SQL: how alike two results are where they are not equal. */
import type { ComparedResult } from '../../../results/index.ts';
import { assignPairs } from './assign-pairs.ts';
import { cellLikeness } from './cell-likeness.ts';

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
