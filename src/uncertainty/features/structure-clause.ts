/** The clause of its query that a node begins or stands in. */
import type { SqlNode } from '../../sql/index.ts';

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
export function clauseOf({ role, parent }: SqlNode): Clause | undefined {
  if (parent === undefined) return 'other';
  if (parent.type === 'Join') return role === 'this' ? undefined : 'join_on';
  // `joins` also hangs on relations; ORDER BY of a window or an aggregate belongs to the clause around it.
  if (role === 'joins') return 'from';
  if (!QUERY_TYPES.has(parent.type)) return undefined;
  return CLAUSES[role] ?? (OTHERS.has(role) ? 'other' : undefined);
}

/** QUALIFY, WINDOW, CONNECT BY, SAMPLE, INTO, FOR UPDATE. */
const OTHERS: ReadonlySet<string> = new Set(['qualify', 'windows', 'connect', 'sample', 'into', 'locks']);
