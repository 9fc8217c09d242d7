/** Groups of features side by side: what one model reads of every node. */
import type { ReadQuery } from '../../faults/reading/index.ts';
import type { SqlNode } from '../../sql/tree/index.ts';
import { agreementFeatures } from './agreement-features.ts';
import { contextFeatures } from './context-features.ts';
import { faultFeatures } from './fault-features.ts';
import type {
  Feature,
  FeatureGroup,
  FeatureGroupName,
  FeatureSources,
  FeatureValue,
  NodeReader,
  WrittenToken,
} from './feature.ts';
import { groundingFeatures } from './grounding-features.ts';
import { lexicalFeatures } from './lexical-features.ts';
import { linkingFeatures } from './linking-features.ts';
import { literalFeatures } from './literal-features.ts';
import { schemaFeatures } from './schema-features.ts';
import { shapeFeatures } from './shape-features.ts';
import { structureFeatures } from './structure-features.ts';

const WRITER_FEATURES = [
  {
    name: 'writer_mean_log_probability',
    kind: 'number',
    unit: 'nats',
    about: 'mean log-probability of the tokens that touch the node; NaN where the model gave none',
    tell: (value) =>
      isBelow(value, UNSURE)
        ? 'the model that wrote it hesitated between this and something else'
        : undefined,
  },
  {
    name: 'writer_min_log_probability',
    kind: 'number',
    unit: 'nats',
    about: 'log-probability of the least likely of these tokens',
  },
  {
    name: 'writer_rank_in_query',
    kind: 'ratio',
    unit: 'share',
    about:
      'share of the other nodes of the query with a lower mean, equal ones half; 0 for the least sure node',
    tell: (value) => (value === 0 ? 'the part that the model which wrote it was least sure of' : undefined),
  },
] as const satisfies readonly Feature[];

export const writerFeatures: FeatureGroup = { name: 'writer', features: WRITER_FEATURES, open };

const GROUPS: Readonly<Record<FeatureGroupName, FeatureGroup>> = {
  structure: structureFeatures,
  schema: schemaFeatures,
  lexical: lexicalFeatures,
  context: contextFeatures,
  grounding: groundingFeatures,
  linking: linkingFeatures,
  shape: shapeFeatures,
  literal: literalFeatures,
  fault: faultFeatures,
  agreement: agreementFeatures,
  writer: writerFeatures,
};

// How sure the model that wrote the query was of the words of a node: log-probabilities of its tokens, where it gave them. The
// mean is the baseline of arXiv 2511.13984 (specification of node-level uncertainty, section 10).

/** A mean below this: on average less than 6 in 10 were given to the words that were written. */
const UNSURE = Math.log(0.6);

/** Models give minus infinity, or a large number in its place, to what they rule out. */
const LEAST_LOG_PROBABILITY = -100;

const NO_FIGURES: Figures = { mean: Number.NaN, least: Number.NaN };

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

function isBelow(value: FeatureValue, bound: number): boolean {
  return typeof value === 'number' && value < bound;
}

function open({ tree }: ReadQuery, { tokens = [] }: FeatureSources): NodeReader {
  const sound = soundTokens(tokens);
  const figures = sound.length === 0 ? [] : tree.nodes.map((node) => readFigures(node, sound));
  const means = figures.flatMap(({ mean }) => (Number.isNaN(mean) ? [] : [mean])).sort((a, b) => a - b);
  return ({ id }, into, at) => {
    const { mean, least } = figures[id] ?? NO_FIGURES;
    into[at] = mean;
    into[at + 1] = least;
    into[at + 2] = rankAmong(mean, means);
  };
}

/** In the order of the text; what has no place or no probability is set aside. */
function soundTokens(tokens: readonly WrittenToken[]): readonly WrittenToken[] {
  return tokens
    .filter(({ start, end, logProbability }) => start < end && logProbability <= 0)
    .map((token) => ({ ...token, logProbability: Math.max(token.logProbability, LEAST_LOG_PROBABILITY) }))
    .sort((a, b) => a.start - b.start || a.end - b.end);
}

interface Figures {
  readonly mean: number;
  readonly least: number;
}

/** A token that touches the node with one character speaks for it: models put a space or a dot before a name. */
function readFigures({ start, end }: SqlNode, tokens: readonly WrittenToken[]): Figures {
  let sum = 0;
  let count = 0;
  let least = 0;
  for (let at = firstEndingAfter(start, tokens); at < tokens.length; at += 1) {
    const token = tokens[at];
    if (token === undefined || token.start >= end) break;
    if (token.end <= start) continue;
    sum += token.logProbability;
    count += 1;
    least = Math.min(least, token.logProbability);
  }
  return count === 0 ? NO_FIGURES : { mean: sum / count, least };
}

/** Tokens follow each other, so their ends rise with their starts. */
function firstEndingAfter(start: number, tokens: readonly WrittenToken[]): number {
  let low = 0;
  let high = tokens.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((tokens[middle]?.end ?? 0) > start) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Share of the others that are lower; of equal ones half. */
function rankAmong(mean: number, means: readonly number[]): number {
  if (Number.isNaN(mean)) return Number.NaN;
  if (means.length === 1) return 0;
  let lower = 0;
  let equal = -1;
  for (const other of means) {
    if (other > mean) break;
    if (other === mean) equal += 1;
    else lower += 1;
  }
  return (lower + equal / 2) / (means.length - 1);
}
