import { seededRandom } from '../../src/lib/seeded-random.ts';
import type { SoftmaxExample } from '../../src/softmax/index.ts';

export interface TextSize {
  readonly examples: number;
  readonly words: number;
  readonly classes: number;
  /** Features of an example at most. */
  readonly length: number;
}

/** Weights that a word speaks for a class with, and how many classes it speaks for. */
const STRENGTH = 2.5;
const SPEAKS_FOR = 3;

/**
 * Examples as n-grams of texts are: words by Zipf's law, each of which speaks for and against a few classes; labels are
 * drawn from the probabilities that follow, so that nothing can know them all.
 */
export function makeTexts({ examples, words, classes, length }: TextSize, seed: number): SoftmaxExample[] {
  const random = seededRandom(seed);
  const said = Array.from({ length: words }, () =>
    Array.from({ length: SPEAKS_FOR }, () => {
      return { to: Math.floor(random() * classes), weight: (2 * random() - 1) * STRENGTH };
    }),
  );
  return Array.from({ length: examples }, () => {
    const drawn = new Set<number>();
    for (let at = 0; at < length; at++) drawn.add(Math.floor(words ** random()) - 1);
    const odds = new Float64Array(classes);
    for (const word of drawn) for (const { to, weight } of said[word] ?? []) odds[to]! += weight;
    const features = [...drawn].map((word) => `word ${word.toString(36)}`);
    return { features, label: `class ${drawFrom(odds, random())}` };
  });
}

/** The place where the running sum of probabilities passes `share`. */
function drawFrom(odds: Float64Array, share: number): number {
  const powers = odds.map(Math.exp);
  let left = share * powers.reduce((sum, power) => sum + power, 0);
  const place = powers.findIndex((power) => {
    left -= power;
    return left < 0;
  });
  return place < 0 ? odds.length - 1 : place;
}
