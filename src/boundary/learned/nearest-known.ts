/** How near the wording of a question is to the nearest of known ones: cosine of their words and pairs, rare ones weighing more. */

type Vector = ReadonlyMap<string, number>;

const EDGE = '|';

/** Gives, for the masked words of a question, the similarity to the nearest known one, in [0, 1]. */
export function prepareNearest(known: readonly (readonly string[])[]): (words: readonly string[]) => number {
  const documents = known.map(gramsOf);
  const counts = new Map<string, number>();
  for (const grams of documents) for (const gram of grams) counts.set(gram, (counts.get(gram) ?? 0) + 1);
  const vectorOf = (grams: ReadonlySet<string>): Vector => {
    const weights = new Map<string, number>();
    for (const gram of grams)
      weights.set(gram, Math.log((documents.length + 1) / ((counts.get(gram) ?? 0) + 1)));
    const length = Math.sqrt([...weights.values()].reduce((sum, weight) => sum + weight * weight, 0));
    return new Map([...weights].map(([gram, weight]) => [gram, length === 0 ? 0 : weight / length]));
  };
  const postings = new Map<string, (readonly [document: number, weight: number])[]>();
  for (const [at, grams] of documents.entries())
    for (const [gram, weight] of vectorOf(grams)) addTo(postings, gram, [at, weight]);
  return (words) => {
    const sums = new Float64Array(documents.length);
    for (const [gram, weight] of vectorOf(gramsOf(words)))
      for (const [at, other] of postings.get(gram) ?? []) sums[at] = (sums[at] ?? 0) + weight * other;
    return sums.reduce((best, sum) => Math.max(best, sum), 0);
  };
}

/** Words, and pairs of neighbours with the ends of the question. */
function gramsOf(words: readonly string[]): ReadonlySet<string> {
  const bounded = [EDGE, ...words, EDGE];
  return new Set(bounded.flatMap((word, at) => [word, `${word} ${bounded[at + 1] ?? EDGE}`]));
}

function addTo<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}
