import { leafReference, type Tree, type TreeModel } from './tree-model.ts';

/** How one row came to its score: `base` and the values of all columns add up to it. */
export interface Contributions {
  /** Log-odds that every row starts from. */
  readonly base: number;
  /** Log-odds that each column of the row adds, in the order of the model's features. */
  readonly values: Float64Array;
}

/** Scores rows: numbers in the order of `features`, NaN where one is missing; a row that is too short lacks its last values. */
export interface TreeScorer {
  readonly features: readonly string[];
  /** Log-odds of the label 1. */
  readonly score: (row: ArrayLike<number>) => number;
  /** Probability of the label 1, as trained: not calibrated on other data. */
  readonly probability: (row: ArrayLike<number>) => number;
  /**
   * What each column added, after Saabas ("Interpreting random forests", 2014): at every split on the row's path,
   * the column of the split gets the change in what the rows below would score. One walk a tree, which suits reasons for
   * people; unlike Shapley values it credits splits near the leaf more, and only columns on the path.
   */
  readonly contributions: (row: ArrayLike<number>) => Contributions;
}

/** Trees walked side by side: their look-ups do not wait for each other. */
const ABREAST = 4;

/**
 * All nodes in arrays, so that a walk touches no objects. A leaf is its own child, so that every walk may go as deep as
 * the deepest of its bundle: a step that changes nothing is foreseen by the processor, a leaf is not. A row lies in `values` twice, its
 * missing values once below all thresholds and once above: a split looks where they go its way.
 */
interface Walk {
  /** Of `ABREAST` trees each, filled up with the empty leaf 0; `depths` has the steps of each such bundle. */
  readonly roots: Int32Array;
  readonly depths: Int32Array;
  /** By node: place of the value, threshold, log-odds there; by node twice: left and right child. */
  readonly places: Int32Array;
  readonly thresholds: Float64Array;
  readonly outputs: Float64Array;
  readonly children: Int32Array;
  readonly values: Float32Array;
}

/** Makes a model ready to score; values are compared as numbers of 32 bits, as in training. */
export function makeScorer(model: TreeModel): TreeScorer {
  const { features, base } = model;
  const walk = layOut(model);
  const score = (row: ArrayLike<number>): number => {
    take(walk, row);
    return base + sumOfLeaves(walk);
  };
  return {
    features,
    score,
    probability: (row) => 1 / (1 + Math.exp(-score(row))),
    contributions: (row) => {
      take(walk, row);
      return contributionsOf(walk, base);
    },
  };
}

function layOut({ features, trees }: TreeModel): Walk {
  const nodes = 1 + trees.reduce((sum, { feature, leaf }) => sum + feature.length + leaf.length, 0);
  const bundles = Math.ceil(trees.length / ABREAST);
  const walk: Walk = {
    roots: new Int32Array(bundles * ABREAST),
    depths: new Int32Array(bundles),
    places: new Int32Array(nodes),
    thresholds: new Float64Array(nodes),
    outputs: new Float64Array(nodes),
    children: new Int32Array(2 * nodes),
    values: new Float32Array(2 * features.length),
  };
  let start = 1;
  for (const [at, tree] of trees.entries()) {
    const bundle = Math.floor(at / ABREAST);
    walk.roots[at] = start;
    walk.depths[bundle] = Math.max(walk.depths[bundle]!, depthOf(tree));
    layOutTree(walk, tree, start);
    start += tree.feature.length + tree.leaf.length;
  }
  return walk;
}

/** The splits come first, then the leaves. */
function layOutTree(
  { places, thresholds, outputs, children, values }: Walk,
  tree: Tree,
  start: number,
): void {
  const splits = tree.feature.length;
  const nodeOf = (reference = 0): number =>
    start + (reference < 0 ? splits + leafReference(reference) : reference);
  for (let split = 0; split < splits; split++) {
    const node = start + split;
    const column = tree.feature[split]!;
    places[node] = tree.missingLeft[split] === 1 ? column : column + values.length / 2;
    thresholds[node] = tree.threshold[split]!;
    outputs[node] = tree.value[split]!;
    children[2 * node] = nodeOf(tree.left[split]);
    children[2 * node + 1] = nodeOf(tree.right[split]);
  }
  for (let leaf = 0; leaf < tree.leaf.length; leaf++) {
    const node = nodeOf(leafReference(leaf));
    outputs[node] = tree.leaf[leaf]!;
    children.fill(node, 2 * node, 2 * node + 2);
  }
}

/** A split stands after its parent, so that one pass from the root on is enough. */
function depthOf({ feature, left, right }: Tree): number {
  const depths = new Int32Array(feature.length).fill(1);
  for (let split = 0; split < feature.length; split++)
    for (const child of [left[split]!, right[split]!]) if (child >= 0) depths[child] = depths[split]! + 1;
  return depths.reduce((most, depth) => Math.max(most, depth), 0);
}

function take({ values }: Walk, row: ArrayLike<number>): void {
  const count = values.length / 2;
  for (let at = 0; at < count; at++) {
    const value = row[at] ?? Number.NaN;
    values[at] = Number.isNaN(value) ? Number.NEGATIVE_INFINITY : value;
    values[at + count] = Number.isNaN(value) ? Number.POSITIVE_INFINITY : value;
  }
}

function sumOfLeaves({ roots, depths, places, thresholds, outputs, children, values }: Walk): number {
  let sum = 0;
  for (let bundle = 0; bundle < depths.length; bundle++) {
    const first = bundle * ABREAST;
    let a = roots[first]!;
    let b = roots[first + 1]!;
    let c = roots[first + 2]!;
    let d = roots[first + 3]!;
    // Arithmetic instead of a branch: which side a value takes cannot be foreseen.
    for (let step = depths[bundle]!; step > 0; step--) {
      const nextA = children[2 * a + Number(values[places[a]!]! > thresholds[a]!)]!;
      const nextB = children[2 * b + Number(values[places[b]!]! > thresholds[b]!)]!;
      const nextC = children[2 * c + Number(values[places[c]!]! > thresholds[c]!)]!;
      const nextD = children[2 * d + Number(values[places[d]!]! > thresholds[d]!)]!;
      // Trees grown by leaves are twice as deep in one place as elsewhere: most walks end early.
      if (nextA === a && nextB === b && nextC === c && nextD === d) break;
      a = nextA;
      b = nextB;
      c = nextC;
      d = nextD;
    }
    sum += outputs[a]! + outputs[b]! + outputs[c]! + outputs[d]!;
  }
  return sum;
}

function contributionsOf(walk: Walk, base: number): Contributions {
  const { roots, places, thresholds, outputs, children, values } = walk;
  const count = values.length / 2;
  const added = new Float64Array(count);
  let start = base;
  for (const root of roots) {
    let node = root;
    let child = root;
    start += outputs[root]!;
    do {
      node = child;
      const place = places[node]!;
      child = children[2 * node + Number(values[place]! > thresholds[node]!)]!;
      added[place % count]! += outputs[child]! - outputs[node]!;
    } while (child !== node);
  }
  return { base: start, values: added };
}
