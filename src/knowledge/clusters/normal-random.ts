import { seededRandom } from '../../seeded-random.ts';

/** Chance that repeats: the same seed gives the same numbers on every machine. */
export interface NormalRandom {
  /** In [0, 1). */
  next(): number;
  /** Standard normal. */
  normal(): number;
}

/** Normal numbers by Box and Muller's method. */
export function normalRandom(seed: number): NormalRandom {
  const next = seededRandom(seed);
  // 1 - next() is never zero, so that its logarithm is finite.
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  return { next, normal };
}
