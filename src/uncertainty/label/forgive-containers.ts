/** The second step of Algorithm 1: nodes that are wrong only because of what they contain. */
import type { SqlNode, SqlTree } from '../../sql/index.ts';
import { type Alignment, endOf } from './align-nodes.ts';
import type { LabelOptions } from './label-options.ts';

const CONTAINERS: ReadonlySet<string> = new Set(['Select', 'From', 'Where', 'Group', 'Having', 'EQ', 'NEQ']);
const EXTENDED: ReadonlySet<string> = new Set([
  ...['GT', 'GTE', 'LT', 'LTE', 'NullSafeEQ', 'NullSafeNEQ', 'Is', 'Like', 'ILike', 'Glob'],
  ...['And', 'Or', 'In', 'Between', 'Order', 'Ordered', 'Join'],
]);

/** All are judged by the labels as they stood before: to forgive one must not make its own container guilty. */
export function forgiveContainers(
  tree: SqlTree,
  { labels, isPaired, isMatched }: Alignment,
  { mode, extendedContainers }: Pick<LabelOptions, 'mode' | 'extendedContainers'>,
): void {
  const errorsBefore = runningCount(labels);
  for (const node of tree.nodes) {
    if (labels[node.id] === 0) continue;
    const below = (errorsBefore[endOf(node)] ?? 0) - (errorsBefore[node.id + 1] ?? 0);
    const isForgiven = mode === 'literal' ? below > 0 : isPaired[node.id] === 1;
    if (CONTAINERS.has(node.type) && isForgiven) labels[node.id] = 0;
    if (extendedContainers && isExtended(node) && isMatched[node.id] === 1) labels[node.id] = 0;
  }
}

/** At `n`: the errors among the first `n` nodes. */
function runningCount(labels: Uint8Array): Uint16Array {
  const counts = new Uint16Array(labels.length + 1);
  labels.forEach((label, id) => {
    counts[id + 1] = (counts[id] ?? 0) + label;
  });
  return counts;
}

function isExtended({ type, flags }: SqlNode): boolean {
  return EXTENDED.has(type) || flags.call !== undefined;
}
