import type { LabelledRows } from './labelled-rows.ts';
import { rankRows } from './rank-rows.ts';

/** Neighbouring scores with one fitted value. */
export interface Block {
  readonly lowest: number;
  readonly highest: number;
  /** Weighted mean of its scores. */
  readonly centre: number;
  /** Weighted mean of its labels. */
  readonly value: number;
  readonly weight: number;
}

/**
 * The non-decreasing step function of the score with the least weighted squared error to the labels, as blocks of
 * ascending scores and values; rows of equal score share a block, rows without weight are in none.
 * Pool-adjacent-violators: Ayer et al., An Empirical Distribution Function for Sampling with Incomplete Information,
 * 1955; for classifiers: Zadrozny and Elkan, KDD 2002. Linear after sorting.
 */
export function poolAdjacentViolators(rows: LabelledRows): Block[] {
  const blocks: Block[] = [];
  for (let block of runsOf(rows)) {
    for (let before = blocks.at(-1); before !== undefined && before.value >= block.value; ) {
      block = joinBlocks(before, block);
      blocks.pop();
      before = blocks.at(-1);
    }
    blocks.push(block);
  }
  return blocks;
}

/** One block of two neighbours. */
export function joinBlocks(lower: Block, upper: Block): Block {
  const weight = lower.weight + upper.weight;
  const share = upper.weight / weight;
  return {
    lowest: lower.lowest,
    highest: upper.highest,
    centre: between(lower.centre, upper.centre, share),
    value: between(lower.value, upper.value, share),
    weight,
  };
}

/** Rounding must not carry a mean past its parts: centres and values would no longer ascend. */
function between(a: number, b: number, share: number): number {
  return Math.min(Math.max(a, b), Math.max(Math.min(a, b), a + (b - a) * share));
}

/** A block for every score that some row with weight has, ascending. */
function* runsOf({ scores, labels, weights }: LabelledRows): Generator<Block> {
  const { order, runEnds } = rankRows(scores);
  let from = 0;
  for (const end of runEnds) {
    let weight = 0;
    let wrong = 0;
    for (let at = from; at < end; at++) {
      const own = weights === undefined ? 1 : weights[order[at]!]!;
      weight += own;
      wrong += own * labels[order[at]!]!;
    }
    const score = scores[order[from]!]!;
    if (weight > 0) yield { lowest: score, highest: score, centre: score, value: wrong / weight, weight };
    from = end;
  }
}
