/** The nearest existing names for a name that does not exist, by edit distance and shared words. */
import { compareText } from './compare-text.ts';

/** What is longer is nobody's slip of the pen, and edits are counted letter by letter. */
const LONGEST = 128;

/** Up to `limit` candidates near to `word`, nearest first: `nearestNames('nmae', ['age', 'name'], 1)` → `['name']`. */
export function nearestNames(word: string, candidates: Iterable<string>, limit: number): readonly string[] {
  if (word.length > LONGEST) return [];
  const wanted = normalise(word);
  return [...new Set(candidates)]
    .map((name) => ({ name, distance: nameDistance(wanted, normalise(name)) }))
    .filter(({ distance }) => distance < 0.5)
    .sort((a, b) => a.distance - b.distance || compareText(a.name, b.name))
    .slice(0, limit)
    .map(({ name }) => name);
}

/** Splits camel case and underscores into words, in lower case. */
function normalise(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase();
}

/** 0 for equal names, 1 for nothing in common. */
function nameDistance(a: string, b: string): number {
  const longest = Math.max(a.length, b.length);
  if (longest === 0) return 0;
  // Texts of very unlike length are more than half of their letters apart.
  const isNear = Math.abs(a.length - b.length) < longest / 2;
  return Math.min(isNear ? editDistance(a, b) / longest : 1, wordDistance(a, b));
}

/** Names that share whole words are near, however long the rest is: `customer_id` and `id_of_customer`. */
function wordDistance(a: string, b: string): number {
  const left = new Set(a.split(' '));
  const right = new Set(b.split(' '));
  const shared = [...left].filter((word) => right.has(word)).reduce((sum, word) => sum + word.length, 0);
  const total = [...new Set([...left, ...right])].reduce((sum, word) => sum + word.length, 0);
  // A little above the edit distance of equal quality, so that a typing error wins.
  return total === 0 ? 1 : 1 - (shared / total) * 0.95;
}

/** Edits between two texts where a swap of neighbours counts as one (optimal string alignment). */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const cost = a[row - 1] === b[column - 1] ? 0 : 1;
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const best = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + cost,
        swapped ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
      next.push(best);
    }
    beforeLast = last;
    last = next;
  }
  return last[b.length] ?? 0;
}
