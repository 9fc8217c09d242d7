import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keepTables } from './schema-opinion.ts';

const probabilities = fc.array(fc.double({ min: 0.001, max: 0.999, noNaN: true }), {
  minLength: 1,
  maxLength: 9,
});
const weight = fc.double({ min: 0, max: 4, noNaN: true });

describe('keepTables', () => {
  const cases: readonly (readonly [
    name: string,
    given: readonly number[],
    weight: number,
    kept: readonly number[],
  ])[] = [
    ['whatever is possible where only recall counts', [0.2, 0.001, 0, 0.9], 0, [0, 1, 3]],
    ['the likely ones', [0.02, 0.95, 0.01, 0.9], 0.5, [1, 3]],
    ['more where nothing stands out', [0.3, 0.3, 0.3, 0.3], 0.5, [0, 1, 2, 3]],
    ['one at least, however unlikely', [0.001, 0.01], 50, [1]],
    ['nothing of nothing', [], 0.5, []],
    ['nothing of what is impossible', [0, 0], 0.5, []],
  ];
  it.each(cases)('keeps %s', (_name, given, much, kept) => {
    expect([...keepTables(given, much)].sort()).toEqual(kept);
  });

  it('is worth as much as the best of all counts, by every outcome there is', () => {
    fc.assert(
      fc.property(probabilities, weight, (given, much) => {
        const order = [...given.keys()].sort(
          (left, right) => (given[right] ?? 0) - (given[left] ?? 0) || left - right,
        );
        const worth = (count: number): number =>
          worthOf(
            order.map((at) => given[at] ?? 0),
            count,
            much,
          );
        const best = Math.max(...order.map((_, at) => worth(at + 1)));
        expect(worth(keepTables(given, much).size)).toBeCloseTo(best, 9);
      }),
    );
  });

  it('weighs a warehouse of thousands in no time to speak of, and keeps the likeliest', () => {
    const many = Array.from({ length: 4_000 }, (_, at) => 1 / (at + 1.01));
    const kept = keepTables(many, 0.5);
    expect(kept.has(0)).toBe(true);
    expect([...kept]).toEqual(Array.from({ length: kept.size }, (_, at) => at));
  });
});

/** By trying all outcomes. */
function worthOf(probabilities: readonly number[], count: number, weight: number): number {
  let worth = 0;
  for (let outcome = 0; outcome < 2 ** probabilities.length; outcome += 1) {
    const isNeeded = probabilities.map((_, at) => ((outcome >> at) & 1) === 1);
    const chance = probabilities.reduce((all, each, at) => all * (isNeeded[at] ? each : 1 - each), 1);
    const needed = isNeeded.filter(Boolean).length;
    const hits = isNeeded.slice(0, count).filter(Boolean).length;
    worth += chance * ((hits === needed ? 1 : 0) + (weight * 2 * hits) / (count + needed));
  }
  return worth;
}
