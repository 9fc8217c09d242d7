import { queryPlace } from '../normal/query-nodes.ts';
import { isAggregateCall } from '../scope/read/read-expression.ts';
import type { SqlNode, SqlTree } from '../tree/node.ts';

export interface Complexity {
  /** The sum of the parts by their weights. */
  readonly score: number;
  readonly parts: Readonly<Record<ComplexityPart, number>>;
}

type ComplexityPart = keyof typeof WEIGHTS;

/**
 * How many things a reader has to hold in mind at once for each part, which is also how many ways it has to go wrong.
 * An item, a predicate, a clause or an aggregate can be read alone: 1. A join needs two tables and their condition
 * together: 2. A CTE is read once and then used by name: 2. A subquery, a window and a set operation each ask for a
 * second set of rows beside the first: 3. Every level of nesting keeps the ones around it open: 2 on top. The weights
 * only order queries that give the same result, the simpler first, so that their scale means nothing.
 */
const WEIGHTS = {
  items: 1,
  predicates: 1,
  clauses: 1,
  calls: 1,
  aggregates: 1,
  joins: 2,
  ctes: 2,
  depth: 2,
  subqueries: 3,
  setOperations: 3,
  windows: 3,
} as const;

/** Adding a part to a query never lowers its score: every part is a count of nodes, and depth a maximum over them. */
export function complexity(tree: SqlTree): Complexity {
  const parts: Record<ComplexityPart, number> = { ...NOTHING };
  const depths: number[] = [];
  for (const node of tree.nodes) {
    const part = partOf(node);
    if (part !== undefined) parts[part] += 1;
    if (node.role === 'expressions' && node.parent?.type === 'Select') parts.items += 1;
    // Nodes come in preorder, so the parent has its depth already.
    const above = node.parent === undefined ? 0 : (depths[node.parent.id] ?? 0);
    depths[node.id] = above + (deepens(node) ? 1 : 0);
  }
  parts.depth = depths.reduce((deepest, depth) => Math.max(deepest, depth), 0);
  let score = 0;
  for (const [part, count] of Object.entries(parts)) score += count * WEIGHTS[part as ComplexityPart];
  return { score, parts };
}

const NOTHING: Readonly<Record<ComplexityPart, number>> = {
  items: 0,
  predicates: 0,
  clauses: 0,
  calls: 0,
  aggregates: 0,
  joins: 0,
  ctes: 0,
  depth: 0,
  subqueries: 0,
  setOperations: 0,
  windows: 0,
};

function deepens(node: SqlNode): boolean {
  const place = queryPlace(node);
  return place === 'subquery' || place === 'derived' || place === 'cte';
}

const BY_TYPE: ReadonlyMap<string, ComplexityPart> = new Map(
  Object.entries({
    predicates: `EQ NEQ GT GTE LT LTE NullSafeEQ NullSafeNEQ Is Like ILike Glob SimilarTo RegexpLike RegexpILike Between
      In Exists`,
    clauses:
      'Where Group Having Qualify Order Limit Offset Fetch Distinct Connect Pivot MatchRecognize TableSample',
    calls: 'Case Cast TryCast Extract',
    joins: 'Join',
    ctes: 'CTE',
    windows: 'Window',
    setOperations: 'Union Intersect Except',
  }).flatMap(([part, types]) => types.split(/\s+/).map((type) => [type, part as ComplexityPart] as const)),
);

function partOf(node: SqlNode): ComplexityPart | undefined {
  const part = BY_TYPE.get(node.type);
  if (part !== undefined) return part;
  const place = queryPlace(node);
  if (place === 'subquery' || place === 'derived') return 'subqueries';
  if (node.flags.call === undefined) return undefined;
  return isAggregateCall(node) ? 'aggregates' : 'calls';
}
