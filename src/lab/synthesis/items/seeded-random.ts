import { fnv1a, seededRandom } from '../../../lib/index.ts';

/** Chance that repeats: every draw of a synthesis comes from one seed. */
export interface Dice {
  /** In [0, 1). */
  readonly next: () => number;
  /** One of them, each as likely. Asks for at least one. */
  readonly pick: <T>(items: readonly T[]) => T;
  readonly chance: (probability: number) => boolean;
  readonly shuffle: <T>(items: readonly T[]) => T[];
}

/** Dice of a seed and of words that name what is drawn, so that one item does not depend on those before it. */
export function makeDice(seed: number, name: string): Dice {
  const next = seededRandom((seed ^ fnv1a(name)) >>> 0);
  const pick = <T>(items: readonly T[]): T => {
    const item = items[Math.floor(next() * items.length)];
    if (item === undefined) throw new RangeError('There is nothing to pick from.');
    return item;
  };
  const shuffle = <T>(items: readonly T[]): T[] => {
    const mixed = [...items];
    for (let at = mixed.length - 1; at > 0; at--) {
      const other = Math.floor(next() * (at + 1));
      const held = mixed[at];
      const taken = mixed[other];
      if (held === undefined || taken === undefined) continue;
      mixed[at] = taken;
      mixed[other] = held;
    }
    return mixed;
  };
  return { next, pick, chance: (probability) => next() < probability, shuffle };
}
