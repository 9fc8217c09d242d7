/** A name at a place: its Identifiers, the qualifiers first. */
import type { SqlNode } from '../tree/node.ts';

export interface Name {
  readonly node: SqlNode;
  readonly parts: readonly SqlNode[];
  /** In lower case. */
  readonly keys: readonly string[];
}

export function readName(node: SqlNode, parts: readonly SqlNode[] = node.children): Name {
  return { node, parts, keys: parts.map((part) => (part.value ?? '').toLowerCase()) };
}

/** As written, without quotes: `s.name`. */
export function writtenName(parts: readonly SqlNode[]): string {
  return parts.map((part) => part.value ?? '').join('.');
}
