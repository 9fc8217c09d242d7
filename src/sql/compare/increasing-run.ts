/** The longest run of numbers that only grow, as places: what need not be moved to put a list in order. */
export function increasingRun(numbers: readonly number[]): ReadonlySet<number> {
  // For each length, the place where the run of that length with the smallest end stands.
  const ends: number[] = [];
  const previous: number[] = [];
  numbers.forEach((value, place) => {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((numbers[ends[middle] ?? 0] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    previous[place] = low === 0 ? -1 : (ends[low - 1] ?? -1);
    ends[low] = place;
  });
  const run = new Set<number>();
  for (let at = ends.at(-1) ?? -1; at !== -1; at = previous[at] ?? -1) run.add(at);
  return run;
}
