/** The first step of tolerant labels: what is equal goes first, the rest is laid over the rest. */
import type { SqlNode, SqlTree } from '../../sql/index.ts';
import { type Alignment, type AlignmentTests, emptyAlignment, isRightOpposite } from './align-nodes.ts';
import { flatParts } from './flat-parts.ts';

/**
 * As `alignNodes`, but brackets and chains of AND and OR are flat, and a part whose equal stands opposite is no
 * counterpart of another: of `b = 1 AND c = 2` beside `b = 1` the second condition stands opposite nothing. So the order
 * of parts says nothing, and no pair overwrites another.
 */
export function alignRemaining(generated: SqlTree, gold: SqlTree, tests: AlignmentTests): Alignment {
  const alignment = emptyAlignment(generated);
  // The operands of a chain are parts of it and of what stands around it: without the set they would meet again.
  const met = new Set<number>();
  const align = (a: SqlNode, b: SqlNode): void => {
    const pair = a.id * gold.nodes.length + b.id;
    if (met.has(pair)) return;
    met.add(pair);
    if (isRightOpposite(alignment, tests, [a, b])) return;
    const [own, opposite] = [flatParts(a), flatParts(b)];
    const isSettled = (part: SqlNode) =>
      opposite.some((other) => tests.equal(part, other) && isRightOpposite(alignment, tests, [part, other]));
    const left = own.filter((part) => !isSettled(part));
    const right = opposite.filter((other) => !own.some((part) => tests.equal(part, other)));
    for (const part of left) for (const other of right) align(part, other);
  };
  align(generated.root, gold.root);
  return alignment;
}
