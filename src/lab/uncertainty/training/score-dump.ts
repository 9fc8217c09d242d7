/** Some rows with what a model said of them when it was trained: whoever reads the model later must say the same. */
import { makeScorer } from '../../../boosting/index.ts';
import type { FeatureValue, ModelParts } from '../../../uncertainty/index.ts';
import type { NodeRows } from '../data/node-rows.ts';

export interface DumpedRow {
  /** By feature, in the order of the model; null: missing. */
  readonly values: readonly (FeatureValue | null)[];
  /** Of being wrong, before calibration. */
  readonly logOdds: number;
}

/** `count` rows, evenly spread over those the model learned from. */
export function dumpScores(
  rows: NodeRows,
  { nodes, codes }: Pick<ModelParts, 'nodes' | 'codes'>,
  count: number,
): readonly DumpedRow[] {
  const scorer = makeScorer(nodes);
  const read = rows.rowReader(codes);
  const width = rows.space.features.length;
  const row = new Float32Array(width);
  return Array.from({ length: Math.min(count, rows.count) }, (_, at) => {
    const place = Math.floor((at * rows.count) / count);
    const query = rows.queries.find(({ end }) => end > place);
    const start = query === undefined ? 0 : (place - query.start) * width;
    const values = query === undefined ? [] : rows.valuesOf(query).slice(start, start + width);
    read(place, row);
    return {
      values: values.map((value) => (Number.isNaN(value) ? null : value)),
      logOdds: scorer.score(row),
    };
  });
}
