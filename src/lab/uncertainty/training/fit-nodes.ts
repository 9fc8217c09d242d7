/** A forest that tells wrong nodes from right ones. */
import { makeScorer, type TrainingSettings, type TreeModel, trainTrees } from '../../../boosting/index.ts';
import type { CategoryCodes } from '../../../uncertainty/index.ts';
import type { LabelledNodes, RowQuery } from './node-rows.ts';

export interface NodeForest {
  readonly model: TreeModel;
  readonly codes: CategoryCodes;
}

export interface FitOptions {
  readonly settings?: Partial<TrainingSettings>;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, of: number) => void) | undefined;
}

/** Chosen by leaving out databases, among the open ones only. */
export const NODE_SETTINGS: Partial<TrainingSettings> = {
  trees: 160,
  learningRate: 0.06,
  leaves: 31,
  // Half the steps of unbounded trees, and errs no more.
  depth: 6,
  minLeafRows: 100,
  l2: 5,
  bins: 63,
  rowShare: 0.7,
  columnShare: 0.4,
};

/** Every query counts alike for its number of nodes; the labels are those of the rows. */
export async function fitNodes(
  rows: LabelledNodes,
  queries: readonly RowQuery[],
  { settings, signal, onProgress }: FitOptions = {},
): Promise<NodeForest> {
  const chosen = rowsOf(queries);
  const codes = rows.learnCodes(chosen);
  const { model } = await trainTrees(
    {
      names: rows.space.features.map(({ name }) => name),
      rows: chosen.length,
      features: rows.columns(chosen, codes),
      labels: Uint8Array.from(chosen, (row) => rows.labelAt(row)),
    },
    {
      settings: { ...NODE_SETTINGS, ...settings },
      signal,
      onProgress: ({ stage, done, of }) => stage === 'grow' && onProgress?.(done, of),
    },
  );
  return { model, codes };
}

/** Writes the log-odds of all nodes of the queries at their rows. */
export function scoreNodes(
  { model, codes }: NodeForest,
  rows: LabelledNodes,
  queries: readonly RowQuery[],
  into: Float64Array,
): void {
  const scorer = makeScorer(model);
  const read = rows.rowReader(codes);
  const row = new Float32Array(rows.space.features.length);
  for (const { start, end } of queries)
    for (let at = start; at < end; at += 1) {
      read(at, row);
      into[at] = scorer.score(row);
    }
}

export function rowsOf(queries: readonly RowQuery[]): Int32Array {
  const count = queries.reduce((sum, { start, end }) => sum + end - start, 0);
  const rows = new Int32Array(count);
  let at = 0;
  for (const { start, end } of queries) for (let row = start; row < end; row += 1) rows[at++] = row;
  return rows;
}
