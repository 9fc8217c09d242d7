import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shortThreshold } from './short-threshold.ts';

describe('a short threshold', () => {
  it.each([
    [0, 1, 0.5],
    [0.25, 0.375, 0.3],
    [1, 2, 1.5],
    [999, 1_001, 1_000],
    [-3, 5, 1],
    [0.1, 0.2, 0.15],
    [1, 1.0000001192092896, 1.0000001],
  ])('between %d and %d is %d', (low, high, expected) => expect(shortThreshold(low, high)).toBe(expected));

  it('lies strictly between any two numbers of 32 bits, and 17 digits hold it', () => {
    const number = fc.float({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(number, number, (a, b) => {
        fc.pre(a !== b);
        const [low, high] = a < b ? [a, b] : [b, a];
        const threshold = shortThreshold(low, high);
        expect(threshold).toBeGreaterThan(low);
        expect(threshold).toBeLessThan(high);
        expect(JSON.parse(JSON.stringify(threshold))).toBe(threshold);
      }),
      { numRuns: 2_000 },
    );
  });
});
