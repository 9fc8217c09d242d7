/** Trains the forests that rank columns and tables for a question, from questions with gold queries. */
import type { TrainingSettings, TreeModel, TreeScorer } from '../../../boosting/index.ts';
import { seededRandom } from '../../../lib/index.ts';
import {
  COLUMN_FEATURES,
  CONTEXT_FEATURES,
  type ColumnMatrix,
  formOpinion,
  scoreColumns,
  TABLE_FEATURES,
  tableMatrix,
  withContext,
} from '../../../reasoning/grounded/linking/index.ts';
import { type FoldForests, foldForests } from '../../stacking/fold-forests.ts';
import { SampledRows } from '../../stacking/sampled-rows.ts';
import { rowsOf, type TrainingCase } from './training-case.ts';

export interface TrainedLinker {
  readonly first: TreeModel;
  readonly second: TreeModel;
  readonly table: TreeModel;
  /** By case: what forests that have not seen its database give its tables, in the order of its schema. */
  readonly leftOut: readonly Float64Array[];
  readonly rows: { readonly first: number; readonly second: number; readonly table: number };
}

export interface TrainLinkerOptions {
  readonly folds: number;
  readonly seed?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (stage: string, done: number, total: number) => void;
}

const SETTINGS: Partial<TrainingSettings> = {
  trees: 150,
  learningRate: 0.08,
  leaves: 31,
  minLeafRows: 60,
  l2: 5,
  rowShare: 0.7,
  columnShare: 0.7,
};
const TABLE_SETTINGS: Partial<TrainingSettings> = { ...SETTINGS, leaves: 8, minLeafRows: 40 };
/** Of the columns that are not needed; they are sixteen times as many. */
const SHARE = 0.35;

const SECOND_FEATURES = [...COLUMN_FEATURES, ...CONTEXT_FEATURES];

/**
 * Three forests, each learning from opinions about questions that the one before it has not seen: cases are put in
 * folds by database, and the opinion on a fold comes from the others (stacking, Wolpert 1992).
 */
export async function trainLinker(
  cases: readonly TrainingCase[],
  options: TrainLinkerOptions,
): Promise<TrainedLinker> {
  const random = seededRandom(options.seed ?? 1);
  const first = new SampledRows(COLUMN_FEATURES, SHARE, random);
  eachCase(cases, options, 'first opinions', (each) => {
    const matrix = rowsOf(each);
    addColumns(first, each, matrix, matrix.data);
  });
  const firstForests = await foldForests(first, SETTINGS, options);

  const second = new SampledRows(SECOND_FEATURES, SHARE, random);
  eachCase(cases, options, 'second opinions', (each) => {
    const matrix = rowsOf(each);
    addColumns(second, each, matrix, wideRows(each, matrix, firstForests));
  });
  const secondForests = await foldForests(second, SETTINGS, options);

  const table = new SampledRows(TABLE_FEATURES, 1, random);
  const rowsOfCases: Float32Array[] = [];
  eachCase(cases, options, 'tables', (each) => {
    const { schema } = each.linker;
    const matrix = rowsOf(each);
    const wide = wideRows(each, matrix, firstForests);
    const opinion = formOpinion(scoreColumns(matrix, wide, secondForests.of(each.fold), schema), schema);
    const rows = tableMatrix(each.asked, schema, matrix.tables, opinion);
    rowsOfCases.push(rows);
    for (const { index } of schema.tables)
      table.add(rows.subarray(index * WIDTH, (index + 1) * WIDTH), each.tables.has(index), {
        fold: each.fold,
        weight: each.tableWeight,
      });
  });
  const tableForests = await foldForests(table, TABLE_SETTINGS, options);
  return {
    first: firstForests.all,
    second: secondForests.all,
    table: tableForests.all,
    leftOut: cases.map(({ fold }, at) => scoreTables(rowsOfCases[at]!, tableForests.of(fold))),
    rows: { first: first.size, second: second.size, table: table.size },
  };
}

const WIDTH = TABLE_FEATURES.length;

function scoreTables(rows: Float32Array, scorer: TreeScorer): Float64Array {
  return Float64Array.from({ length: rows.length / WIDTH }, (_, at) =>
    scorer.probability(rows.subarray(at * WIDTH, (at + 1) * WIDTH)),
  );
}

function eachCase(
  cases: readonly TrainingCase[],
  { signal, onProgress }: TrainLinkerOptions,
  stage: string,
  visit: (each: TrainingCase) => void,
): void {
  for (const [done, each] of cases.entries()) {
    signal?.throwIfAborted();
    if (done % 500 === 0) onProgress?.(stage, done, cases.length);
    visit(each);
  }
}

/** Cases without a gold query tell of tables only. */
function addColumns(
  rows: SampledRows,
  each: TrainingCase,
  { columns }: ColumnMatrix,
  data: Float32Array,
): void {
  if (each.columns === null) return;
  const width = data.length / Math.max(1, columns.length);
  for (const [row, index] of columns.entries())
    rows.add(data.subarray(row * width, (row + 1) * width), each.columns.has(index), each);
}

function wideRows({ linker, fold }: TrainingCase, matrix: ColumnMatrix, forests: FoldForests): Float32Array {
  const { schema } = linker;
  const opinion = formOpinion(scoreColumns(matrix, matrix.data, forests.of(fold), schema), schema);
  return withContext(matrix, opinion, schema);
}
