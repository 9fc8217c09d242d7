import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keepWithin } from './schema-opinion.ts';

const probabilities = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 40 });
const risk = fc.double({ min: 0, max: 3, noNaN: true });

describe('keepWithin', () => {
  const cases: readonly (readonly [
    name: string,
    given: readonly number[],
    risk: number,
    kept: readonly number[],
  ])[] = [
    ['everything where nothing may be lost', [0.2, 0.1], 0, [0, 1]],
    ['not what is impossible', [0.2, 0, 0.5], 0, [0, 2]],
    ['the least likely go as long as their sum allows it', [0.1, 0.6, 0.05, 0.3], 0.2, [1, 3]],
    ['nothing where all may be lost', [0.1, 0.2], 1, []],
    ['the first of equals stays', [0.1, 0.1, 0.1], 0.15, [0, 1]],
    ['nothing of nothing', [], 0.5, []],
  ];
  it.each(cases)('keeps %s', (_name, given, allowed, kept) => {
    expect([...keepWithin(given, allowed)].sort()).toEqual(kept);
  });

  it('looks at the named items only', () => {
    expect([...keepWithin([0.9, 0.2, 0.05], 0.1, [1, 2])]).toEqual([1]);
  });

  it('leaves out no more than may be lost, and nothing that is likelier than what it keeps', () => {
    fc.assert(
      fc.property(probabilities, risk, (given, allowed) => {
        const kept = keepWithin(given, allowed);
        const out = given.filter((_, at) => !kept.has(at));
        expect(out.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(allowed + 1e-9);
        const least = Math.min(1, ...[...kept].map((at) => given[at] ?? 0));
        expect(Math.max(0, ...out)).toBeLessThanOrEqual(least);
      }),
    );
  });

  it('keeps less when more may be lost', () => {
    fc.assert(
      fc.property(probabilities, risk, risk, (given, one, other) => {
        const [less, more] = [Math.min(one, other), Math.max(one, other)];
        for (const at of keepWithin(given, more)) expect(keepWithin(given, less).has(at)).toBe(true);
      }),
    );
  });
});
