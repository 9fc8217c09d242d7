/** Where queries stand in a tree. */
import type { SqlNode } from '../tree/node.ts';

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
