import type { PrintableNode } from '../print/printable.ts';
import type { SqlNode } from '../tree/node.ts';
import { as, build } from './built-node.ts';
import type { Translation } from './translation.ts';

/** The node as it is, with its children translated. */
export function copy(node: SqlNode, { translate }: Translation): PrintableNode {
  return as(node.role, build(node.type, node.children.map(translate), node));
}
