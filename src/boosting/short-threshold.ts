/** Above every finite value of 32 bits; its negative is below all of them. */
export const BEYOND_VALUES = 1e39;

const MOST_DIGITS = 17;

/**
 * The number with the fewest decimal digits that lies above `low` and below `high`, near their middle, so that
 * a model file holds the very threshold of training in few characters: `shortThreshold(0.25, 0.375)` → 0.3.
 */
export function shortThreshold(low: number, high: number): number {
  const middle = low / 2 + high / 2;
  for (let digits = 1; digits < MOST_DIGITS; digits++) {
    const rounded = Number(middle.toPrecision(digits));
    if (rounded > low && rounded < high) return rounded;
  }
  return middle;
}
