/** The hidden columns of SQLite's FTS5: the table's own name, which is matched and ranked, and `rank`. */
import { ancestor, child, type SqlNode, walk } from '../tree/node.ts';

const RANKING: ReadonlySet<string> = new Set(
  'bm25 highlight snippet offsets matchinfo fts5_get_locale'.split(' '),
);

/** Whether a bare name at this place may be the table that is searched: `t MATCH …`, `bm25(t)`. */
export function namesSearched({ parent, role }: SqlNode): boolean {
  if (parent === undefined || role !== 'this') return parent !== undefined && isFirstOfRanking(parent, role);
  return isMatch(parent) || isFirstOfRanking(parent, role);
}

function isFirstOfRanking({ flags, value = '', children }: SqlNode, role: string): boolean {
  const isFirst = role === 'this' || children[0]?.role === role;
  return flags.call !== undefined && RANKING.has(value.toLowerCase()) && isFirst;
}

function isMatch({ type, flags }: SqlNode): boolean {
  return type === 'Operator' && flags.operator === 'MATCH';
}

/** Whether the query around searches, so that it has a rank. */
export function searches(node: SqlNode): boolean {
  const select = ancestor(node, ({ type }) => type === 'Select');
  const where = select && child(select, 'where');
  if (where === undefined) return false;
  for (const below of walk(where)) if (isMatch(below)) return true;
  return false;
}
