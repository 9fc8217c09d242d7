/** The stage: how likely each part of a query is wrong, and the query as a whole. */

import type { QueryRead, ReadQuery } from '../faults/reading/index.ts';
import { calibrate } from './calibration/fit-calibrator.ts';
import { applyIsotonic } from './calibration/fit-isotonic.ts';
import type { FeatureSources, FeatureValue } from './features/feature.ts';
import { readFeatures } from './features/feature-space.ts';
import type { UncertaintyModel } from './model/uncertainty-model.ts';
import { unitsOf } from './units/highlight-units.ts';
import type { Assessment, RiskReason } from './units/node-risk.ts';
import { riskReasons } from './units/risk-reasons.ts';
import { type UnitRiskOptions, unitRisks, weakestUnit } from './units/unit-risks.ts';

/**
 * Probabilities of all nodes, the units worth showing with their reasons, and the risk of the whole. What does not
 * parse has a risk of 1.
 */
export function assessQuery(
  read: QueryRead,
  sql: string,
  sources: FeatureSources,
  model: UncertaintyModel,
  options: Pick<UnitRiskOptions, 'threshold'> = {},
): Assessment {
  if (!read.ok) return { sql, nodes: [], units: [], queryRisk: 1, unreadBecause: read.because };
  const { query } = read;
  const scored = scoreQuery(query, sources, model);
  const reasonsOf = (node: number): readonly RiskReason[] => reasonsAt(node, query, scored, model);
  const parts = unitsOf(query);
  const units = unitRisks(parts, scored.probabilities, { ...options, reasonsOf });
  const weakest = units.length > 0 ? undefined : weakestUnit(parts, scored.probabilities, reasonsOf);
  return {
    sql,
    nodes: query.tree.nodes.map(({ id, type }) => ({
      node: id,
      type,
      probability: scored.probabilities[id] ?? 0,
      reasons: [],
    })),
    units,
    ...(weakest && { weakest }),
    queryRisk: scored.queryRisk,
  };
}

export interface ScoredQuery {
  /** Calibrated, by node id. */
  readonly probabilities: Float64Array;
  readonly queryRisk: number;
  /** Row after row. */
  readonly values: readonly FeatureValue[];
}

export function scoreQuery(query: ReadQuery, sources: FeatureSources, model: UncertaintyModel): ScoredQuery {
  const values = readFeatures(query, sources, model.space);
  return scoreValues(
    query.tree.nodes.map(({ type }) => type),
    values,
    model,
  );
}

/** The same from the types of the nodes and their features, row after row. */
export function scoreValues(
  types: readonly string[],
  values: readonly FeatureValue[],
  model: UncertaintyModel,
): ScoredQuery {
  const { space, encode, nodes: forest, calibrator, queries, queryCalibrator } = model;
  const row = new Float64Array(space.features.length);
  const raw = new Float64Array(types.length);
  const probabilities = new Float64Array(raw.length);
  // From the end, so that the row of the root is what stays in `row`.
  for (let id = raw.length - 1; id >= 0; id -= 1) {
    encode(values, id, row);
    const score = forest.score(row);
    raw[id] = 1 / (1 + Math.exp(-score));
    probabilities[id] = calibrate(calibrator, types[id] ?? '', score);
  }
  const whole = model.queryFeatures.read(types, raw, row);
  const queryRisk = applyIsotonic(queryCalibrator, queries.score(whole));
  return { probabilities, queryRisk, values };
}

function reasonsAt(
  node: number,
  query: ReadQuery,
  { probabilities, values }: ScoredQuery,
  { space, encode, nodes: forest }: UncertaintyModel,
): readonly RiskReason[] {
  const width = space.features.length;
  const row = new Float64Array(width);
  encode(values, node, row);
  const at = query.tree.nodes[node];
  return riskReasons(space.features, {
    ...(at && { node: at }),
    values: values.slice(node * width, (node + 1) * width),
    contributions: forest.contributions(row).values,
    probability: probabilities[node] ?? 0,
  });
}
