/** Lists of IN, and limits. */
import { child, type SqlNode } from '../../sql/index.ts';

/** Values written out in the list of the IN that a node is, or stands in the list of; 0 elsewhere and for a query. */
export function listSizeAt(node: SqlNode): number {
  const list = node.role === 'expressions' && node.parent?.type === 'In' ? node.parent : node;
  if (list.type !== 'In') return 0;
  let size = 0;
  for (const { role } of list.children) if (role === 'expressions') size += 1;
  return size;
}

/** Whether a node is a limit, or a number of one, and its query has no order to take the first rows of. */
export function hasLimitWithoutOrder(node: SqlNode): boolean {
  const limit = node.parent !== undefined && isLimit(node.parent) ? node.parent : node;
  return isLimit(limit) && limit.parent !== undefined && child(limit.parent, 'order') === undefined;
}

function isLimit({ type }: SqlNode): boolean {
  return type === 'Limit' || type === 'Fetch';
}
