/** Why a node is suspicious, or why it is not, in words for people. */
import { compareText } from '../../lib/index.ts';
import type { SqlNode } from '../../sql/tree/index.ts';
import type { Feature, FeatureValue } from '../features/feature.ts';
import type { RiskReason } from './node-risk.ts';
import { SUSPICIOUS_FROM } from './unit-risks.ts';

/** What one node's features were and what each added to its risk. */
export interface ExplainedNode {
  /** What some values tell depends on what the node is; absent: only what holds for all is told. */
  readonly node?: SqlNode;
  /** In the order of the features. */
  readonly values: readonly FeatureValue[];
  /** Log-odds by column of the model's row, as `TreeScorer.contributions` gives them. */
  readonly contributions: ArrayLike<number>;
  /** The feature (its place) of each column, where one feature fills several; absent: column i is feature i. */
  readonly featureOf?: ArrayLike<number>;
  readonly probability: number;
}

export const MOST_REASONS = 3;
/** Log-odds below which a feature changed nothing a person would notice: .3 became .31 or less. */
const LEAST_WEIGHT = 0.05;

/**
 * The strongest reasons, at most `most`: for a node shown as suspicious those that raise its risk, for any other those
 * that lower it. Features without words are silent. Of features that say the same their weights are added and the
 * strongest gives its name.
 */
export function riskReasons(
  features: readonly Feature[],
  { node, values, contributions, featureOf, probability }: ExplainedNode,
  most = MOST_REASONS,
): readonly RiskReason[] {
  const weights = new Float64Array(features.length);
  for (let column = 0; column < contributions.length; column += 1) {
    const feature = featureOf?.[column] ?? column;
    if (feature < weights.length) weights[feature]! += contributions[column]!;
  }
  const sign = probability >= SUSPICIOUS_FROM ? 1 : -1;
  return Array.from(saidOnce(features, { node, values }, weights).values())
    .filter(({ weight }) => weight * sign >= LEAST_WEIGHT)
    .sort((a, b) => (b.weight - a.weight) * sign || compareText(a.feature, b.feature))
    .slice(0, most)
    .map(({ feature, text, weight }) => ({ feature, text, weight }));
}

interface Said extends RiskReason {
  /** Of the feature that gives its name. */
  readonly strength: number;
}

/** By text. */
function saidOnce(
  features: readonly Feature[],
  { node, values }: { readonly node: SqlNode | undefined; readonly values: readonly FeatureValue[] },
  weights: Float64Array,
): ReadonlyMap<string, Said> {
  const said = new Map<string, Said>();
  for (const [place, { name, tell }] of features.entries()) {
    const weight = weights[place]!;
    const value = values[place];
    const text = weight === 0 || value === undefined ? undefined : tell?.(value, node);
    if (text === undefined) continue;
    const known = said.get(text);
    const strength = Math.abs(weight);
    said.set(text, {
      text,
      weight: weight + (known?.weight ?? 0),
      feature: known === undefined || strength > known.strength ? name : known.feature,
      strength: Math.max(strength, known?.strength ?? 0),
    });
  }
  return said;
}
