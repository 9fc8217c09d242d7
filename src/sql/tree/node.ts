/** The tree of a parsed statement: plain frozen data with ids, roles, parents and exact source spans. */
import type { DialectName } from '../dialects/dialect.ts';
import type { Token } from '../dialects/lex-sql.ts';
import type { NodeType, Role } from './node-types.ts';

/** One node. Names of types and roles are SQLGlot's where it has one; `node-types.ts` lists them. */
export interface SqlNode {
  /** Place in preorder, the root is 0: `tree.nodes[node.id] === node`. */
  readonly id: number;
  readonly type: NodeType;
  /** The slot it fills in its parent; `root` for the root. */
  readonly role: Role;
  readonly parent: SqlNode | undefined;
  /** In the order of the text. */
  readonly children: readonly SqlNode[];
  /** UTF-16 offsets in the text, half open; the slice parses to this node again. */
  readonly start: number;
  readonly end: number;
  /**
   * What the node says beyond its children: the name of an Identifier without quotes, the content of a Literal
   * without quotes, the name of a DataType, the name of a called function as written.
   */
  readonly value: string | undefined;
  /** Small marks such as `quoted`, `desc`, `side`; see `node-types.ts`. */
  readonly flags: Flags;
}

export type Flags = Readonly<Partial<Record<FlagName, string>>>;

export type FlagName =
  /** Identifier: the opening quote it was written in. Literal: set on text, absent on numbers. */
  | 'quoted'
  | 'string'
  /** The function was called with brackets, or is one of the words that stand for a call (CURRENT_DATE). */
  | 'call'
  /** The operator as written where the type leaves it open (`<>` or `!=`, `::` of a Cast). */
  | 'operator'
  | 'desc'
  | 'nulls'
  /** Join: LEFT, RIGHT, FULL. */
  | 'side'
  /**
   * Join: INNER, OUTER, CROSS, SEMI, ANTI. Lock, WindowSpec, Grouping: its word. From: TABLE for the statement
   * `TABLE t`. Table: ONLY. TableHint: INDEX or PARTITION.
   */
  | 'kind'
  /** Join: NATURAL, ASOF, POSITIONAL. */
  | 'method'
  /** Join written with a comma; it has neither side nor kind. */
  | 'comma'
  /** Union, Intersect, Except: `all` when duplicates stay; BY NAME and its kin, `left` or `common` where only those columns come out. */
  | 'all'
  | 'byName'
  | 'recursive'
  | 'materialized'
  | 'lateral'
  | 'ordinality'
  | 'unpivot'
  | 'percent'
  | 'ties'
  | 'symmetric'
  /** WindowSpec: bounds that are words, e.g. `UNBOUNDED PRECEDING`, `CURRENT ROW`; side of a computed bound. */
  | 'from'
  | 'to'
  | 'exclude'
  /**
   * Made of steps (`FROM t |> WHERE a`): Select, Union and their kin, with From and Subquery around the steps before.
   * A word or the pipe itself may stand for a star or a name in the text, what AGGREGATE groups by
   * stands twice and before the rest, and the text of a node is not of its form.
   */
  | 'pipe'
  /** Select: `STRUCT` or `VALUE` of BigQuery's SELECT AS. */
  | 'as';

/** A parsed statement with its text and tokens. */
export interface SqlTree {
  readonly text: string;
  readonly dialect: DialectName;
  readonly tokens: readonly Token[];
  readonly root: SqlNode;
  /** All nodes in preorder. */
  readonly nodes: readonly SqlNode[];
}

/** The first child in a role: `child(select, 'where')`. */
export function child(node: SqlNode, role: Role): SqlNode | undefined {
  for (const candidate of node.children) if (candidate.role === role) return candidate;
  return undefined;
}

/** All children in a role, in the order of the text: `childrenIn(select, 'expressions')`. */
export function childrenIn(node: SqlNode, role: Role): readonly SqlNode[] {
  return node.children.filter((candidate) => candidate.role === role);
}

/** The text a node stands for, as written. */
export function textOf(tree: SqlTree, node: SqlNode): string {
  return tree.text.slice(node.start, node.end);
}

/** The node and all nodes below it, in preorder; a slice of `tree.nodes`, since ids are given in preorder. */
export function* walk(node: SqlNode): Generator<SqlNode> {
  const open: SqlNode[] = [node];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    yield at;
    for (let index = at.children.length - 1; index >= 0; index -= 1) open.push(at.children[index] as SqlNode);
  }
}

/** The nearest node above (not the node itself) for which the test holds. */
export function ancestor(node: SqlNode, test: (above: SqlNode) => boolean): SqlNode | undefined {
  for (let at = node.parent; at !== undefined; at = at.parent) if (test(at)) return at;
  return undefined;
}
