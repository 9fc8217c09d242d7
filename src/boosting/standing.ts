import { type BinnedRows, placeOf } from './binned-rows.ts';
import type { GrownTree } from './grow-tree.ts';
import type { Derivatives } from './histogram.ts';
import type { CheckedData } from './training-data.ts';
import { leafReference } from './tree-model.ts';

/** Where every row stands after the trees so far: its log-odds, and the derivatives of its weighted loss. */
export interface Standing extends Derivatives {
  /** Log-odds of the labels that are learned from, before any tree. */
  readonly base: number;
  readonly scores: Float64Array;
}

/** Keeps a leaf of rows that are all certain from dividing by nothing. */
const LEAST_SECOND = 1e-16;
/** A probability of 0 or 1 in 64 bits would make a loss without end. */
const LEAST_PROBABILITY = 1e-15;

export function startStanding({ rows, learned, labels, weights }: CheckedData): Standing {
  let ones = 0;
  let all = 0;
  for (const row of learned) {
    all += weights[row]!;
    if (labels[row] === 1) ones += weights[row]!;
  }
  const base = Number(Math.log(ones / (all - ones)).toPrecision(9));
  const scores = new Float64Array(rows).fill(base);
  return { base, scores, first: new Float64Array(rows), second: new Float64Array(rows) };
}

/** Writes the derivatives of the log-loss for the rows that are learned from; returns its weighted mean in nats. */
export function differentiate(
  { scores, first, second }: Standing,
  { learned, labels, weights }: CheckedData,
): number {
  let loss = 0;
  let all = 0;
  for (let at = 0; at < learned.length; at++) {
    const row = learned[at]!;
    const weight = weights[row]!;
    const label = labels[row]!;
    const probability = 1 / (1 + Math.exp(-scores[row]!));
    first[row] = weight * (probability - label);
    second[row] = weight * Math.max(LEAST_SECOND, probability * (1 - probability));
    loss -= weight * Math.log(Math.max(LEAST_PROBABILITY, label === 1 ? probability : 1 - probability));
    all += weight;
  }
  return loss / all;
}

/** Weighted mean log-loss of some rows in nats. */
export function meanLoss({ scores }: Standing, { labels, weights }: CheckedData, rows: Int32Array): number {
  let loss = 0;
  let all = 0;
  for (const row of rows) {
    const probability = 1 / (1 + Math.exp(-scores[row]!));
    const ofLabel = labels[row] === 1 ? probability : 1 - probability;
    loss -= weights[row]! * Math.log(Math.max(LEAST_PROBABILITY, ofLabel));
    all += weights[row]!;
  }
  return loss / all;
}

/** Adds what the tree says: by leaf for the rows it was grown of, by a walk over bins for the others. */
export function addTree(
  { scores }: Standing,
  grown: GrownTree,
  binned: BinnedRows,
  others: readonly Int32Array[],
): void {
  const { tree, rowsOfLeaf } = grown;
  rowsOfLeaf.forEach((rows, leaf) => {
    const value = tree.leaf[leaf]!;
    for (let at = 0; at < rows.length; at++) scores[rows[at]!]! += value;
  });
  const leafOf = leafFinder(grown, binned);
  for (const rows of others) for (const row of rows) scores[row]! += tree.leaf[leafOf(row)]!;
}

function leafFinder({ tree, bins }: GrownTree, binned: BinnedRows): (row: number) => number {
  const places = tree.feature.map((column) => placeOf(binned, column));
  const missing = tree.feature.map((column) => binned.columns[column]!.valueBins);
  const root = tree.feature.length === 0 ? leafReference(0) : 0;
  return (row) => {
    let node = root;
    while (node >= 0) {
      const { bins: column, shift } = places[node]!;
      const bin = (column[row]! >>> shift) & 255;
      const isLeft = bin === missing[node] ? tree.missingLeft[node] === 1 : bin <= bins[node]!;
      node = (isLeft ? tree.left[node] : tree.right[node])!;
    }
    return leafReference(node);
  };
}
