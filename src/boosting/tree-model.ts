/**
 * A trained model as plain data, which JSON holds as it is. A row goes left at a split when its value is at
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
export interface Tree {
  readonly feature: readonly number[];
  readonly threshold: readonly number[];
  /** Where a missing value goes: 1 left, 0 right. */
  readonly missingLeft: readonly number[];
  readonly left: readonly number[];
  readonly right: readonly number[];
  /** Log-odds the rows of a split would get if the tree ended there; for attribution only. */
  readonly value: readonly number[];
  /** Log-odds a leaf adds. */
  readonly leaf: readonly number[];
}

/** The reference to a leaf in `left` and `right`, and back. */
export function leafReference(leaf: number): number {
  return -1 - leaf;
}
