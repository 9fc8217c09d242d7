import { leafReference, type Tree } from './tree-model.ts';

/** What keeps the arrays from being one tree that ends for every row, in words; undefined when nothing does. */
export function findTreeFault(tree: Tree, features: number): string | undefined {
  const { feature, threshold, missingLeft, left, right, value, leaf } = tree;
  const splits = feature.length;
  for (const [name, array] of Object.entries({ threshold, missingLeft, left, right, value }))
    if (array.length !== splits)
      return `${name} has length ${array.length}; expected ${splits} as feature has`;
  if (leaf.length !== splits + 1) return `leaf has length ${leaf.length}; expected ${splits + 1}`;
  const seen = new Set<number>();
  for (let split = 0; split < splits; split++) {
    if (!(feature[split]! >= 0 && feature[split]! < features))
      return `feature[${split}] is ${feature[split]}; expected 0 to ${features - 1}`;
    for (const [side, child] of [
      ['left', left[split]!],
      ['right', right[split]!],
    ] as const) {
      const isSplit = child > split && child < splits;
      const isLeaf = child < 0 && leafReference(child) < leaf.length;
      // A child stands after its parent, so that a walk always ends.
      if (!isSplit && !isLeaf) return `${side}[${split}] is ${child}, which is no leaf and no later split`;
      if (seen.has(child)) return `${side}[${split}] is ${child}, which has a parent already`;
      seen.add(child);
    }
  }
  return undefined;
}
