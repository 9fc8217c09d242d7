/** Children as tolerant labels see them. */
import { child, operandsOf, type SqlNode } from '../../sql/index.ts';

/**
 * Brackets and the names of items are stepped over; a chain has its operands as parts, not its links, and they stand
 * beside it in what holds it too.
 */
export function flatParts(node: SqlNode): readonly SqlNode[] {
  const parts = isChain(node) ? operandsOf(node) : node.children.map(innerOf);
  return parts.flatMap((part) => (isChain(part) ? [part, ...operandsOf(part)] : [part]));
}

/** AND and OR, of any number of operands. */
export function isChain({ type, flags }: SqlNode): boolean {
  return (type === 'And' || type === 'Or') && flags.call === undefined;
}

function innerOf(node: SqlNode): SqlNode {
  let at = node;
  while (at.type === 'Paren' || at.type === 'Alias') {
    const inner = child(at, 'this');
    if (inner === undefined) break;
    at = inner;
  }
  return at;
}
