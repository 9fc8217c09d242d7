/** How likely each column and table of a schema is needed for a question, by three trained forests of trees. */

import { readFile } from 'node:fs/promises';
import { decodeModelFile, makeScorer, type TreeScorer } from '../../../boosting/index.ts';
import { once } from '../../../lib/index.ts';
import { COLUMN_FEATURES, type ColumnMatrix, columnMatrix } from './column-features.ts';
import { CONTEXT_FEATURES, formOpinion, type Opinion, withContext } from './context-features.ts';
import type { SchemaFits } from './name-fit.ts';
import type { RankedQuestion } from './question-words.ts';
import type { SchemaWords } from './schema-words.ts';
import { TABLE_FEATURES, tableMatrix } from './table-features.ts';

/** First opinion of a column alone, second among the others, and of tables after their columns. */
export interface LinkForests {
  readonly first: TreeScorer;
  readonly second: TreeScorer;
  readonly table: TreeScorer;
}

export interface SchemaRanking {
  /** Probabilities in the order of `SchemaWords.columns` and `.tables`. */
  readonly columns: Float64Array;
  readonly tables: Float64Array;
  readonly fits: SchemaFits;
}

export function rankSchema(asked: RankedQuestion, schema: SchemaWords, forests: LinkForests): SchemaRanking {
  const matrix = columnMatrix(asked, schema);
  const first = formOpinion(scoreColumns(matrix, matrix.data, forests.first, schema), schema);
  const columns = secondOpinion(matrix, first, forests.second, schema);
  const rows = tableMatrix(asked, schema, matrix.tables, formOpinion(columns, schema));
  return { columns, fits: matrix.fits, tables: scoreRows(rows, TABLE_FEATURES.length, forests.table) };
}

/** A column that the first opinion finds this unlikely is not thought about again. */
const UNLIKELY = 0.001;

function secondOpinion(
  matrix: ColumnMatrix,
  first: Opinion,
  scorer: TreeScorer,
  schema: SchemaWords,
): Float64Array {
  const width = matrix.data.length / Math.max(1, matrix.columns.length);
  const rows = [...matrix.columns.keys()].filter(
    (row) => (first.column[matrix.columns[row] ?? -1] ?? 0) >= UNLIKELY,
  );
  const data = new Float32Array(rows.length * width);
  for (const [at, row] of rows.entries())
    data.set(matrix.data.subarray(row * width, (row + 1) * width), at * width);
  const likely = { columns: Int32Array.from(rows, (row) => matrix.columns[row] ?? 0), data };
  const second = scoreColumns(likely, withContext(likely, first, schema), scorer, schema);
  return first.column.map((probability, index) =>
    probability >= UNLIKELY ? (second[index] ?? 0) : probability,
  );
}

/** The probability of every column of the schema; 0 for those that are not looked at. */
export function scoreColumns(
  { columns }: Pick<ColumnMatrix, 'columns'>,
  data: Float32Array,
  scorer: TreeScorer,
  schema: SchemaWords,
): Float64Array {
  const probabilities = new Float64Array(schema.columns.length);
  const scores = scoreRows(data, data.length / Math.max(1, columns.length), scorer);
  for (const [row, index] of columns.entries()) probabilities[index] = scores[row] ?? 0;
  return probabilities;
}

function scoreRows(data: Float32Array, width: number, scorer: TreeScorer): Float64Array {
  const result = new Float64Array(data.length / width);
  for (let row = 0; row < result.length; row += 1)
    result[row] = scorer.probability(data.subarray(row * width, (row + 1) * width));
  return result;
}

// The trained ranker that comes with Candor.

/** Written by `scripts/train-linker.ts`. */
export const FOREST_FILES = { first: 'first.trees', second: 'second.trees', table: 'table.trees' } as const;

const FEATURES = {
  first: COLUMN_FEATURES,
  second: [...COLUMN_FEATURES, ...CONTEXT_FEATURES],
  table: TABLE_FEATURES,
} as const;

/** Read at the first call. Throws `boosting.model-invalid` when a file is not of this version. */
export const openLinkForests: () => Promise<LinkForests> = once(readForests);

async function readForests(): Promise<LinkForests> {
  const [first, second, table] = await Promise.all([
    readForest('first'),
    readForest('second'),
    readForest('table'),
  ]);
  return { first, second, table };
}

async function readForest(name: keyof typeof FOREST_FILES): Promise<LinkForests['first']> {
  const file = new URL(`./forests/${FOREST_FILES[name]}`, import.meta.url);
  const { model } = decodeModelFile(await readFile(file), FOREST_FILES[name], {
    features: FEATURES[name],
  });
  return makeScorer(model);
}
