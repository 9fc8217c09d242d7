/**
 * A trained model as plain data. A row goes left at a split when its value is at
 * most the threshold; where the value is missing (NaN), to the side that the split names.
 */
export interface TreeModel {
  /** Names of the values of a row, in their order. */
  readonly features: readonly string[];
  /** Log-odds before any tree has spoken. */
  readonly base: number;
  readonly trees: readonly Tree[];
}

/**
 * One tree in flat arrays. `left` and `right` name a split from 0 on, and a leaf as `-1 - its index`;
 * split 0 is the root, a split stands after its parent, and a tree without splits is its leaf 0.
 */
export interface Tree<List extends ArrayLike<number> = ArrayLike<number>> {
  readonly feature: List;
  readonly threshold: List;
  /** Where a missing value goes: 1 left, 0 right. */
  readonly missingLeft: List;
  readonly left: List;
  readonly right: List;
  /** Log-odds the rows of a split would get if the tree ended there; for attribution only. */
  readonly value: List;
  /** Log-odds a leaf adds. */
  readonly leaf: List;
}

/** The reference to a leaf in `left` and `right`, and back. */
export function leafReference(leaf: number): number {
  return -1 - leaf;
}

/** What keeps the arrays from being one tree that ends for every row, in words; undefined when nothing does. */
export function findTreeFault(tree: Tree, features: number): string | undefined {
  const { feature, missingLeft, left, right, leaf } = tree;
  const splits = feature.length;
  for (const name of ['threshold', 'missingLeft', 'left', 'right', 'value'] as const)
    if (tree[name].length !== splits)
      return `${name} has length ${tree[name].length}; expected ${splits} as feature has`;
  if (leaf.length !== splits + 1) return `leaf has length ${leaf.length}; expected ${splits + 1}`;
  for (const name of ['threshold', 'value', 'leaf'] as const) {
    const list = tree[name];
    for (let at = 0; at < list.length; at++)
      if (!Number.isFinite(list[at])) return `${name}[${at}] is ${list[at]}; expected a finite number`;
  }
  // By child, splits first: what has a parent already.
  const seen = new Uint8Array(splits + leaf.length);
  for (let split = 0; split < splits; split++) {
    if (!(feature[split]! >= 0 && feature[split]! < features))
      return `feature[${split}] is ${feature[split]}; expected 0 to ${features - 1}`;
    if (missingLeft[split] !== 0 && missingLeft[split] !== 1)
      return `missingLeft[${split}] is ${missingLeft[split]}; expected 0 or 1`;
    const fault = findChildFault('left', split) ?? findChildFault('right', split);
    if (fault !== undefined) return fault;
  }
  return undefined;

  function findChildFault(side: 'left' | 'right', split: number): string | undefined {
    const child = (side === 'left' ? left : right)[split]!;
    const isSplit = child > split && child < splits;
    const isLeaf = child < 0 && leafReference(child) < leaf.length;
    // A child stands after its parent, so that a walk always ends.
    if (!isSplit && !isLeaf) return `${side}[${split}] is ${child}, which is no leaf and no later split`;
    const place = isSplit ? child : splits + leafReference(child);
    if (seen[place] === 1) return `${side}[${split}] is ${child}, which has a parent already`;
    seen[place] = 1;
    return undefined;
  }
}
