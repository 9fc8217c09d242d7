/** What a change of a query is: where it can be made, how often models make it, what it does to the rows. */
import type { Patch } from '../../../../sql/rewrite/index.ts';
import type { SqlNode } from '../../../../sql/tree/index.ts';
import type { Site } from './site.ts';

/** The errors, named after what the generated query has or lacks beside the gold one. */
export const ERROR_NAMES = [
  'column-of-same-table',
  'column-like-it',
  'column-of-same-name',
  'column-of-other-table',
  'column-behind-join',
  'qualifier-wrong',
  'column-invented',
  'table-invented',
  'table-swapped',
  'join-key-wrong',
  'join-condition-missing',
  'join-missing',
  'join-added',
  'literal-case',
  'literal-as-asked',
  'literal-other',
  'number-off',
  'date-format',
  'operator-changed',
  'and-or',
  'condition-missing',
  'condition-added',
  'not-null-added',
  'aggregate-changed',
  'aggregate-missing',
  'aggregate-added',
  'count-distinct-added',
  'count-distinct-missing',
  'distinct-missing',
  'distinct-added',
  'group-missing',
  'group-added',
  'group-key-changed',
  'having-in-where',
  'where-in-having',
  'order-direction',
  'order-key',
  'order-missing',
  'order-added',
  'limit-number',
  'limit-missing',
  'limit-added',
  'select-added',
  'select-missing',
  'cast-missing',
  'percent-missing',
  'percent-added',
  'operands-swapped',
] as const;
export type ErrorName = (typeof ERROR_NAMES)[number];

/** Changes that often leave the rows as they are: right queries of models have them too. */
export const TOLERATED = [
  'distinct-added',
  'distinct-missing',
  'count-distinct-added',
  'count-distinct-missing',
  'not-null-added',
  'join-added',
  'order-added',
  'group-added',
  'group-missing',
  'group-key-changed',
] as const satisfies readonly ErrorName[];
export type ToleratedName = (typeof TOLERATED)[number];

/** The same rows in other words: other spellings first, then, from `select-order` on, other ways. */
export const HARMLESS_NAMES = [
  'aliases-renamed',
  'aliases-dropped',
  'qualifiers-dropped',
  'join-order',
  'inner-word',
  'and-order',
  'sides-swapped',
  'not-equal-sign',
  'quotes',
  'ascending-word',
  'output-named',
  'select-order',
  'count-of-key',
  'key-of-other-side',
  'between-as-two',
  'in-of-one',
  'if-as-case',
  'join-as-in',
  'extreme-as-order',
  'order-as-extreme',
] as const;
export type HarmlessName = (typeof HARMLESS_NAMES)[number];

export interface Mutation<Name extends string = ErrorName | HarmlessName> {
  readonly name: Name;
  /** One change for every place where it can be made; chance chooses among several at a place. Never throws. */
  readonly propose: (site: Site) => readonly Proposal[];
}

export interface Proposal {
  /** Patches of the query's text; they do not overlap. */
  readonly patches: readonly Patch[];
  /** What is changed or taken away; for what is added, where. */
  readonly node: SqlNode;
}

export interface Edit {
  readonly kind: ErrorName | HarmlessName;
  /** Its id in the tree that the edit was made in: the query itself for the first edit. */
  readonly node: number;
}
