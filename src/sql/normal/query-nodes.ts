/** What nodes are for the query that they stand in: operands of a chain, stars, queries of a query. */
import type { SqlNode } from '../tree/node.ts';

export function operandsOf(chain: SqlNode, type = chain.type): readonly SqlNode[] {
  const operands: SqlNode[] = [];
  const open: SqlNode[] = [chain];
  // A loop, since a chain of a thousand links is as deep.
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const inner = withoutBrackets(at);
    const [left, right] = inner.children;
    if (inner.type === type && inner.flags.call === undefined && left !== undefined && right !== undefined) {
      open.push(right, left);
    } else operands.push(inner);
  }
  return operands;
}

/** What stands in the brackets around an expression. */
export function withoutBrackets(node: SqlNode): SqlNode {
  let at = node;
  while (at.type === 'Paren' && at.children[0] !== undefined) at = at.children[0];
  return at;
}

/** `*` and `t.*` in a select list, which stand for several columns. */
export function isStar({ type, children }: SqlNode): boolean {
  return type === 'Star' || (type === 'Column' && children.at(-1)?.type === 'Star');
}

/** Where queries stand in a tree. */
export type QueryPlace = 'root' | 'branch' | 'cte' | 'derived' | 'subquery';

const QUERIES: ReadonlySet<string> = new Set(['Select', 'Union', 'Intersect', 'Except', 'Values']);
const SETS: ReadonlySet<string> = new Set(['Union', 'Intersect', 'Except']);
const FROM_PARTS: ReadonlySet<string> = new Set(['From', 'Join', 'Lateral']);

/** What a query is for the one around it; `undefined` for a node that is no query. Brackets say nothing. */
export function queryPlace(node: SqlNode): QueryPlace | undefined {
  if (!QUERIES.has(node.type)) return undefined;
  let at = node;
  while (at.parent?.type === 'Subquery') at = at.parent;
  const { parent } = at;
  if (parent === undefined) return 'root';
  if (SETS.has(parent.type)) return 'branch';
  if (parent.type === 'CTE') return 'cte';
  return FROM_PARTS.has(parent.type) ? 'derived' : 'subquery';
}
