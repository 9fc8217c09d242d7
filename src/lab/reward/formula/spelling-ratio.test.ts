import fc from 'fast-check';
import { expect, it } from 'vitest';
import { spellingRatio } from './rule-likeness.ts';

it.each([
  ['sales', 'sales', 1],
  ['', '', 1],
  ['', 'a', 0],
  // s, a, l, e are shared: 2·4 / (5 + 4).
  ['sales', 'sale', 8 / 9],
  ['abc', 'xyz', 0],
  // a, c.
  ['abc', 'acb', 2 / 3],
])('%j and %j', (a, b, ratio) => expect(spellingRatio(a, b)).toBeCloseTo(ratio, 9));

it('is symmetric and from 0 to 1', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12 }), (a, b) => {
      const ratio = spellingRatio(a, b);
      expect(ratio).toBe(spellingRatio(b, a));
      expect(ratio).toBeGreaterThanOrEqual(0);
      expect(ratio).toBeLessThanOrEqual(1);
    }),
  );
});
