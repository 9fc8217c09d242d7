/** The operands of a chain of one operator, `a AND (b AND c)` as three; brackets around links are opened. */
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
