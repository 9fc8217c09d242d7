import type { SqlNode } from '../tree/node.ts';
import { literalKey } from './literal-key.ts';

/**
 * A number for each node that equivalent nodes share, in both modes: the names of columns and the literals below it,
 * added up as hashes, so that their order, brackets and names of tables count nothing. It spares comparing what cannot
 * be equal.
 */
export function nodeSignatures(): (node: SqlNode) => number {
  const known = new Map<SqlNode, number>();
  const signatureOf = (node: SqlNode): number => {
    const signature = known.get(node) ?? readSignature(node, signatureOf);
    known.set(node, signature);
    return signature;
  };
  return signatureOf;
}

function readSignature(node: SqlNode, signatureOf: (node: SqlNode) => number): number {
  if (node.type === 'Column') return hash(node.children.at(-1)?.value?.toLowerCase() ?? '*');
  if (node.type === 'Literal') return hash(literalKey(node));
  if (node.type === 'TableAlias') return 0;
  let sum = 0;
  for (const below of node.children) sum = (sum + signatureOf(below)) >>> 0;
  return sum;
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value >>> 0;
}
