import { CandorError } from '../../errors.ts';
import { checkLabelledRows, invalid, type LabelledRows, rankRows } from './labelled-rows.ts';

/** A non-decreasing map from scores to probabilities, linear between its knots and level outside. Plain JSON. */
export interface IsotonicMap {
  /** Ascending, no two equal. */
  readonly scores: readonly number[];
  /** Never descending, within (0, 1). */
  readonly values: readonly number[];
}

/** What is read of a model file at most; fitting stays well below. */
export const MOST_KNOTS = 256;
const DEFAULT_KNOTS = 64;
/**
 * Weight of the two rows that are imagined beyond the data: one wrong with the lowest score, one correct with the
 * highest. Half a row each is Jeffreys' prior, and keeps every value off 0 and 1.
 */
const IMAGINED_WEIGHT = 0.5;

/**
 * Isotonic regression of the labels on the scores, by pool-adjacent-violators. The knots stand at the blocks' centres:
 * reading between them beats steps on rows that were not fitted, because the truth seldom jumps; where there are more
 * than `mostKnots` blocks, those that cost the least squared error are joined. Throws `uncertainty.data-invalid`.
 */
export function fitIsotonic(
  rows: LabelledRows,
  { mostKnots = DEFAULT_KNOTS }: { readonly mostKnots?: number } = {},
): IsotonicMap {
  checkLabelledRows(rows);
  if (!(Number.isInteger(mostKnots) && mostKnots >= 1 && mostKnots <= MOST_KNOTS))
    throw invalid(`mostKnots is ${mostKnots}; expected a whole number from 1 to ${MOST_KNOTS}`);
  const blocks = joinClosest(poolAdjacentViolators(withImagined(rows)), mostKnots);
  return {
    // A model file has no −0.
    scores: blocks.map(({ centre }) => centre + 0),
    values: blocks.map(({ value }) => value),
  };
}

/** The probability of a score; never falls when the score rises. NaN for NaN, which no threshold lets pass. */
export function applyIsotonic({ scores, values }: IsotonicMap, score: number): number {
  let low = 0;
  let high = scores.length;
  // The first knot at or above the score.
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (scores[middle]! < score) low = middle + 1;
    else high = middle;
  }
  if (Number.isNaN(score)) return score;
  if (low === 0) return values[0]!;
  const [before, after] = [values[low - 1]!, values[low]];
  if (after === undefined) return before;
  const share = (score - scores[low - 1]!) / (scores[low]! - scores[low - 1]!);
  // Rounding must not carry a value past the next knot's, or the map would fall there.
  return Math.min(after, before + (after - before) * share);
}

function withImagined({ scores, labels, weights }: LabelledRows): LabelledRows {
  let [lowest, highest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let row = 0; row < scores.length; row++) {
    if (weights?.[row] === 0) continue;
    lowest = Math.min(lowest, scores[row]!);
    highest = Math.max(highest, scores[row]!);
  }
  if (lowest > highest) throw invalid('there is no row with a weight above 0 to fit a calibration to');
  return {
    scores: append(scores, [lowest, highest]),
    labels: append(labels, [1, 0]),
    weights: append(weights ?? new Float64Array(scores.length).fill(1), [IMAGINED_WEIGHT, IMAGINED_WEIGHT]),
  };
}

function append(values: ArrayLike<number>, more: readonly number[]): Float64Array {
  const all = new Float64Array(values.length + more.length);
  all.set(values);
  all.set(more, values.length);
  return all;
}

/**
 * Joins neighbours until there are no more than `most`: each round the cheapest pairs, a quarter of what is too many, so
 * that pairs left over because a neighbour was taken do not force dear ones.
 */
function joinClosest(blocks: readonly Block[], most: number): readonly Block[] {
  let left = blocks;
  while (left.length > most) {
    const joins = Math.ceil((left.length - most) / 4);
    const cheapest = costsOf(left).sort((a, b) => a.cost - b.cost || a.at - b.at);
    const joined = new Set<number>();
    for (const { at } of cheapest) {
      if (joined.size === joins) break;
      if (!joined.has(at - 1) && !joined.has(at + 1)) joined.add(at);
    }
    left = left.flatMap((block, at) => {
      if (joined.has(at - 1)) return [];
      const next = left[at + 1];
      return [joined.has(at) && next !== undefined ? joinBlocks(block, next) : block];
    });
  }
  return left;
}

/** The squared error that joining each block with the next one adds. */
function costsOf(blocks: readonly Block[]): { at: number; cost: number }[] {
  return blocks.slice(1).map((upper, at) => {
    const lower = blocks[at];
    if (lower === undefined)
      throw new CandorError('internal.bug', `block ${at} of the isotonic fit is missing`);
    const cost =
      ((lower.weight * upper.weight) / (lower.weight + upper.weight)) * (upper.value - lower.value) ** 2;
    return { at, cost };
  });
}

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
function joinBlocks(lower: Block, upper: Block): Block {
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
