/** What the canonical form takes as the same; by default all that changes no result. */
import type { SqlNode, SqlTree } from '../tree/node.ts';

export interface NormalOptions {
  /** What names mean, where a schema was at hand. Without it the FROM clauses of the tree alone tell. */
  readonly resolve?: (tree: SqlTree) => NameResolver;
  /** `COUNT(*) AS n` is another item than `COUNT(*)`. */
  readonly keepsAliases?: boolean;
  /** `COUNT(1)` is another call than `COUNT(*)`. */
  readonly keepsCounts?: boolean;
  /** Inner joins count in the order written, and conditions stay in the clause they stand in. */
  readonly keepsJoins?: boolean;
}

/** Asked for every Column; `undefined` leaves it to the walk over FROM. */
export type NameResolver = (column: SqlNode) => Meaning | undefined;

export type Meaning =
  /** A column of this entry of FROM: its Table, Subquery, Unnest, … */
  | { readonly kind: 'source'; readonly node: SqlNode }
  /** A text in double quotes. */
  | { readonly kind: 'text' };
