/**
 * The items to keep so that the expected number of needed ones left out stays within `risk`: the least likely go first,
 * as long as their probabilities add up to no more. Equal probabilities go by place, last first.
 */
export function keepWithin(
  probabilities: ArrayLike<number>,
  risk: number,
  among?: Iterable<number>,
): Set<number> {
  const items = [...(among ?? Array.from(probabilities, (_, index) => index))];
  // What is impossible goes whatever may be lost.
  const order = items
    .filter((index) => (probabilities[index] ?? 0) > 0)
    .sort((left, right) => (probabilities[left] ?? 0) - (probabilities[right] ?? 0) || right - left);
  let spent = 0;
  const firstKept = order.findIndex((index) => {
    spent += probabilities[index] ?? 0;
    return spent > risk;
  });
  return new Set(firstKept < 0 ? [] : order.slice(firstKept));
}
