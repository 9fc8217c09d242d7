/** Far down a list a place more or less says little. Source: Cormack, Clarke and Büttcher 2009, with a smaller constant. */
const FLATTENING = 20;

/** One order of several: each list gives its items the more the higher they stand (reciprocal rank fusion). */
export function fuseRanks<Item>(lists: readonly (readonly Item[])[]): readonly Item[] {
  const scores = new Map<Item, number>();
  for (const list of lists)
    for (const [place, item] of list.entries())
      scores.set(item, (scores.get(item) ?? 0) + 1 / (FLATTENING + place));
  return [...scores].sort(([, left], [, right]) => right - left).map(([item]) => item);
}
