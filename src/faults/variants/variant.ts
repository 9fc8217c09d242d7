/** A query as it would be with one decision taken the other way, where the wrong one is often taken. */

import { type Patch, patchText } from '../../sql/rewrite/index.ts';
import { ancestor, type SqlNode, textOf } from '../../sql/tree/index.ts';
import type { ReadQuery } from '../reading/read-query.ts';

type VariantKind =
  /** Rows that have no partner in a join. */
  | 'unmatched'
  /** Stored texts that differ from what is compared in case or blanks alone. */
  | 'spelling'
  /** NULL, which no comparison lets pass and no average counts. */
  | 'missing'
  /** Rows that are equal in what they are ranked by. */
  | 'tied'
  /** Groups that are called alike, or that differ in case or blanks alone. */
  | 'grouped'
  /** The last day of a period. */
  | 'day-end'
  /** Division of whole numbers. */
  | 'whole-division';

export interface QueryVariant {
  readonly kind: VariantKind;
  /** What is done differently, in a few words: `rows of orders without one of shippers are kept`. */
  readonly says: string;
  readonly sql: string;
  /** Which difference counts as one: texts that are folded differ in every row, and one more key splits every group of facts. */
  readonly tells:
    | 'any'
    | 'other values'
    | 'more rows'
    | 'fewer rows'
    | 'a few rows more'
    | 'a tie at the end';
  /** Of a tie: the places of the columns that order the rows. */
  readonly keys?: readonly number[];
}

/** The query with patches in its text. */
export function patched({ tree }: ReadQuery, patches: readonly Patch[]): string {
  return patchText(tree.text, patches);
}

export function replacing({ start, end }: SqlNode, text: string): Patch {
  return { span: { start, end }, text };
}

export function inserting(at: number, text: string): Patch {
  return { span: { start: at, end: at }, text };
}

/** It stands under a NOT or in what is subtracted: what it lets pass is left out. */
export function isDenied(node: SqlNode): boolean {
  return ancestor(node, ({ type }) => type === 'Not' || type === 'Except') !== undefined;
}

/** An expression as written, on one line and short enough to be read in a sentence. */
export function shown(node: SqlNode, { tree }: ReadQuery): string {
  const text = textOf(tree, node).replace(/\s+/gu, ' ');
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN - 1)}…` : text;
}

const MOST_SHOWN = 60;
