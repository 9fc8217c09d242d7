/** A seeded source of chance. The same seed gives the same rows on every machine: whole-number arithmetic only. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** Whole number from low to high, both included. */
  integer(low: number, high: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
}

/** Mulberry32: 32 bits of state, good enough for demo data and the same everywhere. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    next,
    integer: (low, high) => low + Math.floor(next() * (high - low + 1)),
    chance: (probability) => next() < probability,
    pick: (items) => itemAt(items, Math.floor(next() * items.length)),
  };
}

/** Draws items in proportion to their weights. */
export function createSampler<T>(items: readonly T[], weigh: (item: T) => number): (random: Random) => T {
  let total = 0;
  const bounds = items.map((item) => {
    total += weigh(item);
    return total;
  });
  return (random) => {
    const point = random.next() * total;
    let low = 0;
    let high = bounds.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (itemAt(bounds, middle) > point) high = middle;
      else low = middle + 1;
    }
    return itemAt(items, low);
  };
}

/** The item at an index that is known to exist. */
export function itemAt<T>(items: readonly T[], index: number): T {
  const item = items[index];
  if (item === undefined) throw new RangeError(`no item ${index} among ${items.length}`);
  return item;
}
