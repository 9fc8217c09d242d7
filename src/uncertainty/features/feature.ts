/** What a feature of a node is, and how a group of them is read. */

import type { SchemaFacts } from '../../faults/index.ts';
import type { ReadQuery } from '../../faults/reading/index.ts';
import type { SqlNode } from '../../sql/tree/index.ts';
import type { AskedQuestion } from './asked-question.ts';

/** A number (NaN: not known) or, for a category, its name. */
export type FeatureValue = number | string;

export interface Feature {
  /** As in the specification where it has the feature: `edit_distance_nearest`. */
  readonly name: string;
  readonly kind: 'boolean' | 'count' | 'ratio' | 'number' | 'category';
  /** Of the value: `characters`, `columns`, `share`; `yes or no`, `name` for booleans and categories. */
  readonly unit: string;
  /** What it measures, for the reference. */
  readonly about: string;
  /**
   * What a value says to a person about the node, as a clause without a full stop: `no table or column has this name`.
   * Undefined: this value tells a person nothing. Without the node, what is true of some kinds of nodes only is not told.
   */
  readonly tell?: (value: FeatureValue, node?: SqlNode) => string | undefined;
}

/** Writes the values of one node at `at`, `at + 1`, … in the order of the group's features. Never throws. */
export type NodeReader = (node: SqlNode, into: FeatureValue[], at: number) => void;

export interface FeatureGroup {
  readonly name: FeatureGroupName;
  readonly features: readonly Feature[];
  /** Does once what all nodes of a query share. */
  readonly open: (query: ReadQuery, sources: FeatureSources) => NodeReader;
}

export type FeatureGroupName =
  /** The 72 of the paper's four groups. */
  | 'structure'
  | 'schema'
  | 'lexical'
  | 'context'
  /** Words of the question and the hint that support the node. */
  | 'grounding'
  /** The whole query beside the whole question; the same for all nodes of a query. */
  | 'shape'
  /** What linking thinks of its table and column, and of what the query lacks. */
  | 'linking'
  /** What other candidates for the same question say. */
  | 'agreement'
  /** How a literal is written. */
  | 'literal'
  /** What the checks find: the certain faults of the node and of the whole query. */
  | 'fault'
  /** Log-probabilities of the model that wrote it. */
  | 'writer';

/** What features are read from besides the query; all but the schema may be missing. */
export interface FeatureSources {
  readonly schema: SchemaFacts;
  readonly asked?: AskedQuestion;
  /** Other candidates for the question, the query itself not among them; none: nobody else was asked. */
  readonly others?: readonly ReadQuery[];
  /** Tokens of the query as its model wrote them. */
  readonly tokens?: readonly WrittenToken[];
}

export interface WrittenToken {
  /** UTF-16 offsets in the query's text, half open. */
  readonly start: number;
  readonly end: number;
  /** Natural logarithm of its probability. */
  readonly logProbability: number;
}

/** For a group whose source is missing: none of its features is known. */
export function unknownRow(width: number): NodeReader {
  return (_, into, at) => {
    for (let index = 0; index < width; index += 1) into[at + index] = Number.NaN;
  };
}
