/** What is wrong at one place of a query. */

import type { Span } from '../../sql/dialects/span.ts';
import type { SqlNode } from '../../sql/tree/index.ts';

export type FaultKind =
  | 'unknown-table'
  | 'unknown-column'
  | 'ambiguous-column'
  | 'type-clash'
  | 'missing-group-by'
  | 'unseen-literal'
  /** Two tables joined by columns that no key connects, where a key does connect the tables. */
  | 'wrong-join'
  /** A JOIN without ON, where the engine asks for it. */
  | 'missing-on'
  /** Only where the engine says so. */
  | 'subquery-rows'
  /** Of an aggregate only where the engine says so. */
  | 'misplaced-call'
  /** A name of capital letters without quotes, where the engine folds it. */
  | 'unquoted-name';

export interface CertainFault {
  readonly kind: FaultKind;
  /** Id of the node to blame: of a wrong name its Identifier. */
  readonly node: number;
  readonly span: Span;
  /** A clause for people: `no table here has a column nmae`. */
  readonly text: string;
  /** The engine would not run it; false: it runs and most likely gives other rows than meant. */
  readonly isRefused: boolean;
  /** What exists and may be meant, nearest first. */
  readonly instead: readonly string[];
  /** The name is that of a system catalog: no table of the user is meant, and none takes its place. */
  readonly isOfEngine?: true;
  /** The column has the value in another spelling. */
  readonly isSpelling?: true;
  /** The engine has what the catalog lacks: nothing else takes its place. */
  readonly isThere?: true;
}

/** A fault of the node it is found at. */
export function faultAt(
  { id, start, end }: SqlNode,
  fault: Omit<CertainFault, 'node' | 'span'>,
): CertainFault {
  return { ...fault, node: id, span: { start, end } };
}
