/** What the steps of a comparison share. */

import type { Source } from '../normal/names.ts';
import type { NormalQuery } from '../normal/normal-form.ts';
import type { SqlNode, SqlTree } from '../tree/node.ts';
import type { Edit, NodePair } from './difference.ts';

export interface Comparing {
  readonly before: Side;
  readonly after: Side;
  /** Entries of FROM that belong together, equal or not. */
  readonly sources: Map<SqlNode, SqlNode>;
  readonly pairs: NodePair[];
  readonly edits: Edit[];
  /** Handed in, since expressions hold queries and queries expressions. */
  readonly compareQueries: (comparing: Comparing, before: NormalQuery, after: NormalQuery) => void;
}

/** One of the two statements. */
export interface Side {
  readonly tree: SqlTree;
  /** Keys by node id; one key is the same text on both sides. */
  readonly keys: readonly (string | undefined)[];
  /** The entries of FROM that columns belong to, by node id. */
  readonly owners: readonly (Source | undefined)[];
  readonly queries: ReadonlyMap<SqlNode, NormalQuery>;
  /** As far as they have been made. */
  readonly frames: Map<SqlNode, Frame>;
  readonly fold: (key: string) => string;
}

/** An expression without its queries and the owners of its columns. */
export interface Frame {
  readonly text: string;
  /** In the order in which the text has them. */
  readonly columns: readonly SqlNode[];
}
