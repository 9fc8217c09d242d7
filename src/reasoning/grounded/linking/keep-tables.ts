/** Needed tables counted beyond this are as many. */
const MOST_NEEDED = 16;
/** Tables that are weighed; those behind them count as left out. */
const MOST_KEPT = 200;

/**
 * The likeliest tables, as many as are worth most: the probability that every needed table is among them, and `weight` times
 * the F1 to be expected. One at least, so that nobody is shown nothing; with weight 0 whatever is possible at all. A plain
 * question keeps few, a vague one many. Probabilities are taken as independent.
 */
export function keepTables(probabilities: ArrayLike<number>, weight: number): Set<number> {
  const order = Array.from(probabilities, (_, index) => index)
    .filter((index) => (probabilities[index] ?? 0) > 0)
    .sort((left, right) => (probabilities[right] ?? 0) - (probabilities[left] ?? 0) || left - right);
  const left = countsLeftOut(order.map((index) => probabilities[index] ?? 0));
  let kept: Float64Array = NOBODY;
  let best = { value: Number.NEGATIVE_INFINITY, count: 0 };
  for (let count = 1; count <= Math.min(order.length, weight > 0 ? MOST_KEPT : order.length); count += 1) {
    kept = withOne(kept, probabilities[order[count - 1] ?? -1] ?? 0);
    const others = left[count] ?? NOBODY;
    const value = (others[0] ?? 1) + (weight > 0 ? weight * expectedF1(kept, others, count) : 0);
    // The more of equal worth: what is lost by rounding is nobody's gain.
    if (value >= best.value) best = { value, count };
  }
  return new Set(order.slice(0, best.count));
}

const NOBODY: Float64Array = Float64Array.of(1);

/** By how many are kept: how likely it is that 0, 1, 2, … of the others are needed. */
function countsLeftOut(probabilities: readonly number[]): readonly Float64Array[] {
  const counts: Float64Array[] = [NOBODY];
  for (const probability of probabilities.toReversed())
    counts.push(withOne(counts.at(-1) ?? NOBODY, probability));
  return counts.reverse();
}

function withOne(counts: Float64Array, probability: number): Float64Array {
  const more = new Float64Array(Math.min(MOST_NEEDED + 1, counts.length + 1));
  for (const [count, share] of counts.entries()) {
    more[count]! += share * (1 - probability);
    more[Math.min(count + 1, more.length - 1)]! += share * probability;
  }
  return more;
}

function expectedF1(kept: Float64Array, left: Float64Array, count: number): number {
  let expected = 0;
  for (let hits = 1; hits < kept.length; hits += 1)
    for (const [missed, share] of left.entries())
      expected += ((kept[hits] ?? 0) * share * 2 * hits) / (count + hits + missed);
  return expected;
}
