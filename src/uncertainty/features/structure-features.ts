/** Where a node stands in its query: features 1 to 16 (node-uncertainty, section 7 A). */
import type { ReadQuery } from '../../faults/reading/index.ts';
import type { SqlNode } from '../../sql/tree/index.ts';
import type { Feature, FeatureGroup, NodeReader } from './feature.ts';

const STRUCTURE_FEATURES = [
  { name: 'node_type', kind: 'category', unit: 'name', about: 'what the node is' },
  { name: 'parent_type', kind: 'category', unit: 'name', about: 'what it stands in' },
  { name: 'grandparent_type', kind: 'category', unit: 'name', about: 'what that stands in' },
  { name: 'arg_role', kind: 'category', unit: 'name', about: 'the slot it fills in its parent' },
  { name: 'clause', kind: 'category', unit: 'name', about: 'the nearest clause around it' },
  { name: 'depth', kind: 'count', unit: 'nodes', about: 'nodes above it' },
  { name: 'subtree_size', kind: 'count', unit: 'nodes', about: 'nodes at and below it' },
  { name: 'subtree_height', kind: 'count', unit: 'nodes', about: 'nodes on the longest way down from it' },
  { name: 'n_children', kind: 'count', unit: 'nodes', about: 'its children' },
  { name: 'child_index', kind: 'count', unit: 'nodes', about: 'children of its parent before it' },
  { name: 'n_siblings', kind: 'count', unit: 'nodes', about: 'other children of its parent' },
  {
    name: 'query_node_count',
    kind: 'count',
    unit: 'nodes',
    about: 'nodes of the whole query',
    tell: (value) => (atLeast(value, 120) ? 'the query is long' : undefined),
  },
  { name: 'relative_depth', kind: 'ratio', unit: 'share', about: 'depth as a share of the deepest node’s' },
  {
    name: 'subquery_depth',
    kind: 'count',
    unit: 'queries',
    about: 'SELECTs around the innermost one it stands in',
    tell: (value) => (atLeast(value, 1) ? 'it stands in a query within the query' : undefined),
  },
  {
    name: 'in_cte',
    kind: 'boolean',
    unit: 'yes or no',
    about: 'whether it stands in a common table expression',
  },
  {
    name: 'in_set_operation',
    kind: 'boolean',
    unit: 'yes or no',
    about: 'whether it stands in UNION, INTERSECT or EXCEPT',
    tell: (value) => (value === 1 ? 'it is a part of a UNION, INTERSECT or EXCEPT' : undefined),
  },
] as const satisfies readonly Feature[];

/** All of them are known for every node. */
export const structureFeatures: FeatureGroup = { name: 'structure', features: STRUCTURE_FEATURES, open };

function atLeast(value: number | string, bound: number): boolean {
  return typeof value === 'number' && value >= bound;
}

/** What is known of a place, by node id. */
interface Places {
  readonly clauses: readonly string[];
  readonly depths: Int32Array;
  readonly sizes: Int32Array;
  readonly heights: Int32Array;
  readonly childIndexes: Int32Array;
  readonly selects: Int32Array;
  readonly inCte: Uint8Array;
  readonly inSetOperation: Uint8Array;
  readonly greatestDepth: number;
}

function open({ tree }: ReadQuery): NodeReader {
  const { nodes } = tree;
  const places = readPlaces(nodes);
  const { clauses, depths, sizes, heights, childIndexes, selects, inCte, inSetOperation } = places;
  const deepest = Math.max(1, places.greatestDepth);
  return ({ id, type, role, parent, children }, into, at) => {
    const depth = depths[id] ?? 0;
    into[at] = type;
    into[at + 1] = parent?.type ?? 'none';
    into[at + 2] = parent?.parent?.type ?? 'none';
    into[at + 3] = role;
    into[at + 4] = clauses[id] ?? 'other';
    into[at + 5] = depth;
    into[at + 6] = sizes[id] ?? 1;
    into[at + 7] = heights[id] ?? 0;
    into[at + 8] = children.length;
    into[at + 9] = childIndexes[id] ?? 0;
    into[at + 10] = parent === undefined ? 0 : parent.children.length - 1;
    into[at + 11] = nodes.length;
    into[at + 12] = depth / deepest;
    into[at + 13] = Math.max(0, (selects[id] ?? 0) - 1);
    into[at + 14] = inCte[id] ?? 0;
    into[at + 15] = inSetOperation[id] ?? 0;
  };
}

/** Ids are given in preorder: parents come before their children, so two passes see everything without recursion. */
function readPlaces(nodes: readonly SqlNode[]): Places {
  const count = nodes.length;
  const clauses: string[] = new Array(count);
  const depths = new Int32Array(count);
  const childIndexes = new Int32Array(count);
  const selects = new Int32Array(count);
  const inCte = new Uint8Array(count);
  const inSetOperation = new Uint8Array(count);
  let greatestDepth = 0;
  for (const node of nodes) {
    const { id, parent, type, children } = node;
    const above = parent?.id;
    const depth = above === undefined ? 0 : (depths[above] ?? 0) + 1;
    depths[id] = depth;
    if (depth > greatestDepth) greatestDepth = depth;
    clauses[id] = clauseOf(node) ?? (above === undefined ? 'other' : (clauses[above] ?? 'other'));
    selects[id] = (above === undefined ? 0 : (selects[above] ?? 0)) + (type === 'Select' ? 1 : 0);
    inCte[id] = type === 'CTE' || (above !== undefined && inCte[above] === 1) ? 1 : 0;
    const isInside = above !== undefined && inSetOperation[above] === 1;
    inSetOperation[id] = isInside || SET_OPERATIONS.has(type) ? 1 : 0;
    for (let index = 0; index < children.length; index += 1) childIndexes[children[index]?.id ?? 0] = index;
  }
  return {
    ...{ clauses, depths, childIndexes, selects, inCte, inSetOperation, greatestDepth },
    ...measureSubtrees(nodes),
  };
}

const SET_OPERATIONS: ReadonlySet<string> = new Set(['Union', 'Intersect', 'Except']);

function measureSubtrees(nodes: readonly SqlNode[]): Pick<Places, 'sizes' | 'heights'> {
  const sizes = new Int32Array(nodes.length).fill(1);
  const heights = new Int32Array(nodes.length);
  for (let id = nodes.length - 1; id > 0; id -= 1) {
    const above = nodes[id]?.parent?.id ?? 0;
    sizes[above] = (sizes[above] ?? 1) + (sizes[id] ?? 1);
    heights[above] = Math.max(heights[above] ?? 0, (heights[id] ?? 0) + 1);
  }
  return { sizes, heights };
}

/** The clause of its query that a node begins or stands in. */
export type Clause =
  | 'select'
  | 'from'
  | 'join_on'
  | 'where'
  | 'group'
  | 'having'
  | 'order'
  | 'limit'
  | 'with'
  | 'other';

const QUERY_TYPES: ReadonlySet<string> = new Set([
  ...['Select', 'Union', 'Intersect', 'Except', 'Subquery', 'Values', 'Pivot', 'Command'],
]);

/** By the role a part has in its query; branches of a set operation and what stands in brackets begin none. */
const CLAUSES: Readonly<Partial<Record<SqlNode['role'], Clause>>> = {
  distinct: 'select',
  expressions: 'select',
  from: 'from',
  joins: 'from',
  where: 'where',
  group: 'group',
  having: 'having',
  order: 'order',
  limit: 'limit',
  offset: 'limit',
  with: 'with',
};

/** The clause that begins with this node; undefined where it stands in that of its parent. */
function clauseOf({ role, parent }: SqlNode): Clause | undefined {
  if (parent === undefined) return 'other';
  if (parent.type === 'Join') return role === 'this' ? undefined : 'join_on';
  // `joins` also hangs on relations; ORDER BY of a window or an aggregate belongs to the clause around it.
  if (role === 'joins') return 'from';
  if (!QUERY_TYPES.has(parent.type)) return undefined;
  return CLAUSES[role] ?? (OTHERS.has(role) ? 'other' : undefined);
}

/** QUALIFY, WINDOW, CONNECT BY, SAMPLE, INTO, FOR UPDATE. */
const OTHERS: ReadonlySet<string> = new Set(['qualify', 'windows', 'connect', 'sample', 'into', 'locks']);
