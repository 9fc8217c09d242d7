/** How two statements differ: which of their nodes belong together, and what was done to the rest. */
import type { Span } from '../dialects/span.ts';
import type { Source } from '../normal/names.ts';
import type { NormalQuery } from '../normal/normal-form.ts';
import type { SqlNode, SqlTree } from '../tree/node.ts';

/** What the steps of a comparison share. */
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

export type Difference = Compared | TooLarge;

export interface Compared {
  readonly kind: 'compared';
  /** Whether both have one canonical key; then, and only then, there are no edits. */
  readonly isSame: boolean;
  /**
   * Nodes that stand opposite each other: of one type and role, equal or not. No node is in two pairs; brackets that only
   * one side has, or that hold links of a chain, are in none.
   */
  readonly pairs: readonly NodePair[];
  /** Clause by clause in the order in which SQL works: WITH, FROM, WHERE, GROUP BY, HAVING, SELECT, ORDER BY, LIMIT. */
  readonly edits: readonly Edit[];
}

/** Not compared, so that nobody waits for it. */
interface TooLarge {
  readonly kind: 'too-large';
  /** Nodes of the larger tree. */
  readonly nodes: number;
  readonly limit: number;
}

export interface NodePair {
  readonly before: SqlNode;
  readonly after: SqlNode;
  /** They say the same, with all that is below them. */
  readonly isEqual: boolean;
}

export type Clause =
  | 'with'
  | 'set'
  | 'distinct'
  | 'select'
  | 'from'
  | 'on'
  | 'where'
  | 'group'
  | 'having'
  | 'qualify'
  | 'order'
  | 'limit'
  | 'offset'
  | 'values'
  | 'other';

export type Edit = Removed | Added | Changed | Moved;

interface EditBase {
  readonly clause: Clause;
  /** For people: `condition year = 2020 became year = 2021`. */
  readonly message: string;
}

interface Removed extends EditBase {
  readonly kind: 'removed';
  readonly before: SqlNode;
  readonly beforeSpan: Span;
}

interface Added extends EditBase {
  readonly kind: 'added';
  readonly after: SqlNode;
  readonly afterSpan: Span;
}

interface TwoSided extends EditBase {
  readonly before: SqlNode;
  readonly beforeSpan: Span;
  readonly after: SqlNode;
  readonly afterSpan: Span;
}

interface Changed extends TwoSided {
  readonly kind: 'changed';
}

/** The same thing at another place: in another clause, or further up or down in a list whose order counts. */
interface Moved extends TwoSided {
  readonly kind: 'moved';
}

/** What an edit is about, before it has words and spans. */
export type EditPlace =
  | { readonly kind: 'removed'; readonly clause: Clause; readonly before: SqlNode }
  | { readonly kind: 'added'; readonly clause: Clause; readonly after: SqlNode }
  | {
      readonly kind: 'changed' | 'moved';
      readonly clause: Clause;
      readonly before: SqlNode;
      readonly after: SqlNode;
    };
