/** Which nodes of a generated query are wrong, judged by a gold one: Algorithm 1 of arXiv 2511.13984. */

import { MOST_NODES } from '../../faults/index.ts';
import { equivalence, type SqlNode, type SqlTree, sameScalars } from '../../sql/index.ts';
import { alignNodes } from './align-nodes.ts';
import { alignRemaining } from './align-remaining.ts';
import { forgiveContainers } from './forgive-containers.ts';
import { forgiveHarmless } from './forgive-harmless.ts';
import type { LabelFacts } from './label-facts.ts';
import type { LabelOptions } from './label-options.ts';
import { rescueNodes } from './rescue-nodes.ts';

const DEFAULTS: LabelOptions = {
  mode: 'counterpart',
  globalPass: true,
  equality: 'tolerant',
  extendedContainers: false,
};

/**
 * Labels by node id of the generated tree, 1 = error; `undefined` where either query has more than `MOST_NODES` nodes,
 * since the work grows with the product of their sizes. What the generated query lacks has no node and no label.
 */
export function labelNodes(
  generated: SqlTree,
  gold: SqlTree,
  options: Partial<LabelOptions> = {},
  facts?: LabelFacts,
): Uint8Array | undefined {
  if (Math.max(generated.nodes.length, gold.nodes.length) > MOST_NODES) return undefined;
  const settled = { ...DEFAULTS, ...options };
  const isTolerant = settled.equality === 'tolerant';
  const equal = equivalence(generated, gold, {
    mode: isTolerant ? 'tolerant' : 'published',
    ...(facts !== undefined && { isNeverNull: facts.isNeverNull }),
  });
  const trees = [generated, gold] as const;
  const isSameBesideChildren = (a: SqlNode, b: SqlNode) => sameScalars(trees, a, b);
  const alignment = (isTolerant ? alignRemaining : alignNodes)(generated, gold, {
    equal,
    isSameBesideChildren: settled.extendedContainers ? isSameBesideChildren : undefined,
  });
  forgiveContainers(generated, alignment, settled);
  if (settled.globalPass) (isTolerant ? forgiveHarmless : rescueNodes)(trees, alignment.labels, equal);
  return alignment.labels;
}
