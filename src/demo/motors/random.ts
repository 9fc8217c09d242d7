import { seededRandom } from '../../lib/index.ts';

/** A seeded source of chance. The same seed gives the same rows on every machine: whole-number arithmetic only. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** Whole number from low to high, both included. */
  integer(low: number, high: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
}

export function createRandom(seed: number): Random {
  const next = seededRandom(seed);
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
