import type { SqlNode } from '../../tree/node.ts';

/** The expression inside brackets that only group: `((a))` is a. */
export function withoutBrackets(node: SqlNode): SqlNode {
  let at = node;
  while (at.type === 'Paren' && at.children[0] !== undefined) at = at.children[0];
  return at;
}
