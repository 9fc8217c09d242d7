/** A forest that tells wrong queries from right ones, from what another says of their nodes. */
import { makeScorer, type TrainingSettings, type TreeModel, trainTrees } from '../../../boosting/index.ts';
import { queryFeatures } from '../../../uncertainty/index.ts';
import type { FitOptions, NodeForest } from './fit-nodes.ts';
import type { LabelledNodes, RowQuery } from './node-rows.ts';

/** Chosen by leaving out databases, among the open ones only. */
const QUERY_SETTINGS: Partial<TrainingSettings> = {
  trees: 120,
  learningRate: 0.05,
  leaves: 12,
  minLeafRows: 40,
  l2: 5,
  bins: 63,
  rowShare: 0.7,
  columnShare: 0.4,
};

/** One row a query. */
export interface QueryRows {
  readonly names: readonly string[];
  readonly rows: readonly Float64Array[];
}

/** `logOdds` by row of `rows`; `codes` are those of the forest that is used in the end. */
export function readQueryRows(
  rows: LabelledNodes,
  queries: readonly RowQuery[],
  logOdds: Float64Array,
  codes: NodeForest['codes'],
): QueryRows {
  const { names, read } = queryFeatures(rows.space);
  const readRow = rows.rowReader(codes);
  const first = new Float32Array(rows.space.features.length);
  return {
    names,
    rows: queries.map(({ start, end }) => {
      const types = Array.from({ length: end - start }, (_, at) => rows.typeAt(start + at));
      const probabilities = Float64Array.from(
        types,
        (_, at) => 1 / (1 + Math.exp(-(logOdds[start + at] ?? 0))),
      );
      readRow(start, first);
      return read(types, probabilities, first);
    }),
  };
}

/** Queries of which it is not known whether they are right are not learned from. */
export async function fitQueries(
  { names, rows }: QueryRows,
  isWrong: readonly (boolean | undefined)[],
  { settings, signal }: FitOptions = {},
): Promise<TreeModel> {
  const known = rows.flatMap((row, at) => (isWrong[at] === undefined ? [] : [{ row, wrong: isWrong[at] }]));
  const { model } = await trainTrees(
    {
      names,
      rows: known.length,
      features: names.map((_, column) => Float32Array.from(known, ({ row }) => row[column] ?? Number.NaN)),
      labels: Uint8Array.from(known, ({ wrong }) => Number(wrong)),
    },
    { settings: { ...QUERY_SETTINGS, ...settings }, signal },
  );
  return model;
}

export function scoreQueries(model: TreeModel, { rows }: QueryRows): Float64Array {
  const scorer = makeScorer(model);
  return Float64Array.from(rows, (row) => scorer.score(row));
}
