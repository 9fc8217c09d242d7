/** The third step of Algorithm 1: what is right somewhere in the gold query is right. */
import type { SqlNode, SqlTree } from '../../sql/index.ts';

/** Only the node itself is relabelled, as published. */
export function rescueNodes(
  [generated, gold]: readonly [SqlTree, SqlTree],
  labels: Uint8Array,
  equal: (generated: SqlNode, gold: SqlNode) => boolean,
): void {
  for (const node of generated.nodes) {
    if (labels[node.id] === 1 && gold.nodes.some((other) => equal(node, other))) labels[node.id] = 0;
  }
}
