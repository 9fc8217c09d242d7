/** How much two parts have in common: names, values, functions and operators. */
import { type SqlNode, walk } from '../tree/node.ts';
import type { Comparing } from './comparing.ts';
import { isSameAround } from './is-same-around.ts';
import type { Part } from './normal-form.ts';

export interface Features {
  readonly weights: ReadonlyMap<string, number>;
  readonly total: number;
}

/** Parts that are as good as equal come before all others. */
const SAME = 2;

/** The F1 of what the parts are made of, from 0 to 1. */
export function partLikeness(comparing: Comparing): (before: Part, after: Part) => number {
  const known = new Map<SqlNode, Features>();
  const featuresOf = ({ node }: Part): Features => {
    const features = known.get(node) ?? readFeatures(node);
    known.set(node, features);
    return features;
  };
  return (one, other) =>
    isSameAround(comparing, one.node, other.node) ? SAME : overlap(featuresOf(one), featuresOf(other));
}

/** A column says more about what a condition is about than its value does. */
const COLUMN_WEIGHT = 2;

function readFeatures(root: SqlNode): Features {
  const weights = new Map<string, number>();
  let total = 0;
  for (const node of walk(root)) {
    const feature = featureOf(node);
    if (feature === undefined) continue;
    const weight = node.type === 'Column' ? COLUMN_WEIGHT : 1;
    weights.set(feature, (weights.get(feature) ?? 0) + weight);
    total += weight;
  }
  return { weights, total };
}

const SILENT: ReadonlySet<string> = new Set(['Identifier', 'Paren', 'Alias', 'Ordered', 'TableAlias']);

function featureOf({ type, value, children }: SqlNode): string | undefined {
  if (SILENT.has(type)) return undefined;
  if (type === 'Column') return `column ${children.at(-1)?.value?.toLowerCase() ?? '*'}`;
  return children.length === 0 ? `${type} ${value ?? ''}` : type;
}

function overlap(one: Features, other: Features): number {
  let shared = 0;
  for (const [feature, weight] of one.weights) shared += Math.min(weight, other.weights.get(feature) ?? 0);
  return one.total + other.total === 0 ? 0 : (2 * shared) / (one.total + other.total);
}
