/** The parts of the model that comes with Candor: two forests of all rows, calibrated where the product writes. */
import {
  applyIsotonic,
  type Calibrator,
  type FeatureGroupName,
  fitCalibrator,
  fitIsotonic,
  type IsotonicMap,
  type ModelParts,
  type RiskCurve,
  riskCoverage,
} from '../../../uncertainty/index.ts';
import { auc } from '../../metrics/auc.ts';
import type { NodeRows, RowQuery } from '../data/node-rows.ts';
import { rowsOf, type ScoredQueries, type TrainOptions, trainUncertainty } from './train-uncertainty.ts';

export interface TrainShippedOptions extends Pick<TrainOptions, 'nodeSettings' | 'signal' | 'onProgress'> {
  readonly folds: number;
  readonly groups: readonly FeatureGroupName[];
}

export interface TrainedShipped {
  /** Everything of a model file but what it says of itself. */
  readonly parts: Omit<ModelParts, 'about' | 'data'>;
  /** What the maps and the curve were read from. */
  readonly heldOut: ScoredQueries;
}

/**
 * The forests learn from every row. The maps to probabilities and the curve are of what folds said of databases they had
 * not seen. `rows` are those of `readShippedRows`; their order and the settings decide the result.
 */
export async function trainShipped(rows: NodeRows, options: TrainShippedOptions): Promise<TrainedShipped> {
  const { groups, ...training } = options;
  const { model, codes, queries, heldOut } = await trainUncertainty(rows, rows.queries, training);
  const maps = calibrateShipped(rows, heldOut);
  const parts = { groups, codes, nodes: model, queries, ...maps, scores: scoresOf(rows, heldOut) };
  return { parts, heldOut };
}

/** Share of all calibration rows that those of the grounded engine stand for: it is what the product ships with. */
const ENGINE_SHARE = 0.5;

/** The maps to probabilities and the curve, of what was said of databases left out. */
export function calibrateShipped(
  rows: NodeRows,
  heldOut: ScoredQueries,
  engineShare: number = ENGINE_SHARE,
): Pick<ModelParts, 'calibrator' | 'queryCalibrator' | 'curve'> {
  const weightOf = writerWeights(heldOut.queries, engineShare);
  return { calibrator: calibrateNodes(rows, heldOut, weightOf), ...calibrateQueries(heldOut, weightOf) };
}

type WeightOf = (query: RowQuery) => number;

function calibrateNodes(
  rows: NodeRows,
  { queries, nodeLogOdds }: ScoredQueries,
  weightOf: WeightOf,
): Calibrator {
  const chosen = rowsOf(queries);
  const weights = new Float64Array(rows.count);
  for (const query of queries) weights.fill(weightOf(query), query.start, query.end);
  return fitCalibrator({
    scores: Float64Array.from(chosen, (row) => nodeLogOdds[row] ?? 0),
    labels: Uint8Array.from(chosen, (row) => rows.labelAt(row)),
    groups: Array.from(chosen, (row) => rows.typeAt(row)),
    weights: Float64Array.from(chosen, (row) => weights[row] ?? 0),
  });
}

/** Questions in turn give the map and the curve: a curve over the rows of its own map would promise too much. */
function calibrateQueries(
  { queries, queryLogOdds }: ScoredQueries,
  weightOf: WeightOf,
): { readonly queryCalibrator: IsotonicMap; readonly curve: RiskCurve } {
  const turn = new Map([...new Set(queries.map(({ question }) => question))].map((id, at) => [id, at % 2]));
  const half = (which: number) =>
    queries.flatMap((query, at) =>
      turn.get(query.question) === which
        ? [{ score: queryLogOdds[at] ?? 0, label: Number(query.isRight === false), query }]
        : [],
    );
  const fitted = half(0);
  const queryCalibrator = fitIsotonic({
    scores: fitted.map(({ score }) => score),
    labels: fitted.map(({ label }) => label),
    weights: fitted.map(({ query }) => weightOf(query)),
  });
  // The curve promises shares of errors, so it is of the engine alone; without its queries, of all.
  const shown = half(1);
  const engine = shown.filter(({ query }) => isEngine(query));
  const curveRows = engine.length > 0 ? engine : shown;
  return {
    queryCalibrator,
    curve: riskCoverage({
      risks: curveRows.map(({ score }) => applyIsotonic(queryCalibrator, score)),
      labels: curveRows.map(({ label }) => label),
    }),
  };
}

const isEngine = ({ tag }: RowQuery): boolean => tag.startsWith('engine');

/** So that the queries of the engine weigh their share together; 1 for all where one writer is missing. */
function writerWeights(queries: readonly RowQuery[], share: number): WeightOf {
  const engine = queries.filter(isEngine).length;
  const mutated = queries.length - engine;
  if (engine === 0 || mutated === 0) return () => 1;
  return (query) => (isEngine(query) ? share / engine : (1 - share) / mutated) * queries.length;
}

/** On databases left out, by who wrote the query and whether others stood beside it. */
function scoresOf(rows: NodeRows, heldOut: ScoredQueries): Readonly<Record<string, number>> {
  const scores: Record<string, number> = {};
  for (const tag of new Set(heldOut.queries.map((query) => query.tag))) {
    const places = heldOut.queries.flatMap((query, at) => (query.tag === tag ? [at] : []));
    const queries = places.flatMap((at) => heldOut.queries[at] ?? []);
    const chosen = rowsOf(queries);
    const nodes = auc(
      Float64Array.from(chosen, (row) => heldOut.nodeLogOdds[row] ?? 0),
      Uint8Array.from(chosen, (row) => rows.labelAt(row)),
    );
    const whole = auc(
      Float64Array.from(places, (at) => heldOut.queryLogOdds[at] ?? 0),
      queries.map(({ isRight }) => Number(isRight === false)),
    );
    const figures = { [`node AUC, ${tag}`]: nodes, [`query AUC, ${tag}`]: whole };
    for (const [name, value] of Object.entries(figures))
      if (!Number.isNaN(value)) scores[name] = Number(value.toFixed(4));
  }
  return scores;
}
