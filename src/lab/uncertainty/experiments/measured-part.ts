/** All figures of one part of the databases: of its nodes, its marks and its queries. */
import type { LabelledNodes, RowQuery } from '../training/node-rows.ts';
import type { ScoredQueries, TrainedUncertainty } from '../training/train-uncertainty.ts';
import type { MeasuredPart } from './experiment-report.ts';
import { localisation } from './localisation.ts';
import { nodeFigures } from './node-figures.ts';
import { queryFigures } from './query-figures.ts';

export interface MeasuredPartOptions {
  /** What was learned from; its error rates by type are the baseline. */
  readonly train: readonly RowQuery[];
  readonly trained: TrainedUncertainty;
  readonly isMeasured: (query: RowQuery) => boolean;
}

export function measuredPart(
  rows: LabelledNodes,
  { queries, nodeLogOdds, queryLogOdds }: ScoredQueries,
  { train, trained: { calibrator, queryCalibrator }, isMeasured }: MeasuredPartOptions,
): MeasuredPart {
  const chosen = queries.flatMap((query, at) => (isMeasured(query) ? [{ query, at }] : []));
  const measured = chosen.map(({ query }) => query);
  return {
    nodes: nodeFigures(rows, measured, nodeLogOdds, { train, calibrator }),
    localisation: localisation(rows, measured, nodeLogOdds, calibrator),
    queries: queryFigures(
      measured,
      chosen.map(({ at }) => queryLogOdds[at] ?? 0),
      queryCalibrator,
      agreementOf(rows, measured),
    ),
    rightWithError: rightWithError(rows, measured),
  };
}

/** How often a query that is right still carries an error label: how far labels by one gold are from the truth. */
function rightWithError(rows: LabelledNodes, queries: readonly RowQuery[]): number {
  const right = queries.filter(({ isRight }) => isRight === true);
  const marked = right.filter(({ start, end }) =>
    Array.from({ length: end - start }, (_, at) => rows.labelAt(start + at)).includes(1),
  );
  return marked.length / right.length;
}

/** By query, the share of the other candidates that are the same query; undefined where agreement is not looked at. */
function agreementOf(rows: LabelledNodes, queries: readonly RowQuery[]): Float64Array | undefined {
  const column = rows.space.features.findIndex(({ name }) => name === 'others_whole');
  if (column < 0) return undefined;
  const read = rows.rowReader({});
  const row = new Float32Array(rows.space.features.length);
  return Float64Array.from(queries, ({ start }) => {
    read(start, row);
    // A query that is beside no other agrees with none.
    return Number.isNaN(row[column] ?? 0) ? 0 : (row[column] ?? 0);
  });
}
