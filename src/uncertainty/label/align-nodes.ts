/** The first step of Algorithm 1: two trees laid over each other, level by level. */
import type { SqlNode, SqlTree } from '../../sql/index.ts';

export interface Alignment {
  /** By node id of the generated tree, 1 = error. */
  readonly labels: Uint8Array;
  /** By node id: stood opposite a node of its type. */
  readonly isPaired: Uint8Array;
  /** By node id: stood opposite a node of its type that says the same beside its children. */
  readonly isMatched: Uint8Array;
}

export interface AlignmentTests {
  readonly equal: (generated: SqlNode, gold: SqlNode) => boolean;
  /** Of two nodes of one type: whether they say the same beside their children. Absent where nobody asks. */
  readonly isSameBesideChildren?: ((generated: SqlNode, gold: SqlNode) => boolean) | undefined;
}

/**
 * Every child is laid over every child of the node opposite, whatever their slots. A node that equals the one opposite
 * is right with all below it, any other is an error, and **a later pair overwrites an earlier one**: what stands at the
 * end is the word of the last pair. Each pair is met once, since it has one pair of parents; so the work is the product
 * of the sizes of the two trees on each level.
 */
export function alignNodes(generated: SqlTree, gold: SqlTree, tests: AlignmentTests): Alignment {
  const alignment = emptyAlignment(generated);
  const align = (a: SqlNode, b: SqlNode): void => {
    if (isRightOpposite(alignment, tests, [a, b])) return;
    for (const left of a.children) for (const right of b.children) align(left, right);
  };
  align(generated.root, gold.root);
  return alignment;
}

export function emptyAlignment({ nodes: { length } }: SqlTree): Alignment {
  return {
    labels: new Uint8Array(length).fill(1),
    isPaired: new Uint8Array(length),
    isMatched: new Uint8Array(length),
  };
}

/** Judges one pair, and says whether that settles all below it. */
export function isRightOpposite(
  { labels, isPaired, isMatched }: Alignment,
  { equal, isSameBesideChildren }: AlignmentTests,
  [a, b]: readonly [SqlNode, SqlNode],
): boolean {
  if (a.type === b.type) {
    isPaired[a.id] = 1;
    if (isSameBesideChildren?.(a, b) === true) isMatched[a.id] = 1;
  }
  const isEqual = equal(a, b);
  if (isEqual) labels.fill(0, a.id, endOf(a));
  else labels[a.id] = 1;
  return isEqual;
}

/** One past the last id below a node: ids are given in preorder. */
export function endOf(node: SqlNode): number {
  let last = node;
  for (let next = last.children.at(-1); next !== undefined; next = next.children.at(-1)) last = next;
  return last.id + 1;
}
