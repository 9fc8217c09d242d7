import type { Random } from '../src/demo/motors/random.ts';

/** Different items in random order: the first steps of a Fisher-Yates shuffle. */
export function drawSome<T>(random: Random, items: readonly T[], count: number): T[] {
  if (count > items.length) throw new RangeError(`${count} items of ${items.length} cannot be drawn`);
  const left = [...items];
  for (let at = 0; at < count; at++) {
    const other = random.integer(at, left.length - 1);
    [left[at], left[other]] = [left[other]!, left[at]!];
  }
  return left.slice(0, count);
}
