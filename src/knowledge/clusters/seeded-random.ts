/** Chance that repeats: the same seed gives the same numbers on every machine. */
export interface SeededRandom {
  /** In [0, 1). */
  next(): number;
  /** Standard normal. */
  normal(): number;
}

/** Mulberry32 for the uniform numbers, Box and Muller's method for the normal ones. */
export function seededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  // 1 - next() is never zero, so that its logarithm is finite.
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  return { next, normal };
}
