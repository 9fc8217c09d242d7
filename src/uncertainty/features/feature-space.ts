/** Groups of features side by side: what one model reads of every node. */
import type { ReadQuery } from '../../faults/index.ts';
import { agreementFeatures } from './agreement-features.ts';
import { contextFeatures } from './context-features.ts';
import type { Feature, FeatureGroup, FeatureGroupName, FeatureValue } from './feature.ts';
import type { FeatureSources } from './feature-sources.ts';
import { groundingFeatures } from './grounding-features.ts';
import { lexicalFeatures } from './lexical-features.ts';
import { linkingFeatures } from './linking-features.ts';
import { literalFeatures } from './literal-features.ts';
import { schemaFeatures } from './schema-features.ts';
import { shapeFeatures } from './shape-features.ts';
import { structureFeatures } from './structure-features.ts';
import { writerFeatures } from './writer-features.ts';

const GROUPS: Readonly<Record<FeatureGroupName, FeatureGroup>> = {
  structure: structureFeatures,
  schema: schemaFeatures,
  lexical: lexicalFeatures,
  context: contextFeatures,
  grounding: groundingFeatures,
  linking: linkingFeatures,
  shape: shapeFeatures,
  literal: literalFeatures,
  agreement: agreementFeatures,
  writer: writerFeatures,
};

export const FEATURE_GROUP_NAMES = Object.keys(GROUPS) as readonly FeatureGroupName[];

/** The 72 features of the specification: of the query and the schema alone. */
export const PUBLISHED_GROUPS = ['structure', 'schema', 'lexical', 'context'] as const;

/** Those and what the question and the hint say. */
export const ASKED_GROUPS = [...PUBLISHED_GROUPS, 'grounding', 'linking', 'shape', 'literal'] as const;

export interface FeatureSpace {
  readonly names: readonly FeatureGroupName[];
  readonly groups: readonly FeatureGroup[];
  /** Of all groups, in order: the columns. */
  readonly features: readonly Feature[];
  /** Column of the first feature of a group. */
  readonly startOf: (group: FeatureGroupName) => number;
}

export function featureSpace(names: readonly FeatureGroupName[]): FeatureSpace {
  const groups = names.map((name) => GROUPS[name]);
  const starts = new Map<FeatureGroupName, number>();
  let width = 0;
  for (const { name, features } of groups) {
    starts.set(name, width);
    width += features.length;
  }
  return {
    names,
    groups,
    features: groups.flatMap(({ features }) => features),
    startOf: (group) => starts.get(group) ?? -1,
  };
}

/** The values of all nodes, one row after another in the order of their ids. */
export function readFeatures(
  query: ReadQuery,
  sources: FeatureSources,
  { groups, features }: FeatureSpace,
): readonly FeatureValue[] {
  const { nodes } = query.tree;
  const values: FeatureValue[] = new Array(nodes.length * features.length);
  let start = 0;
  for (const group of groups) {
    const read = group.open(query, sources);
    for (let id = 0, at = start; id < nodes.length; id += 1, at += features.length) {
      const node = nodes[id];
      if (node !== undefined) read(node, values, at);
    }
    start += group.features.length;
  }
  return values;
}
