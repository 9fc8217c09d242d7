import fc from 'fast-check';
import { expect, it } from 'vitest';
import { kthLargest } from './kth-largest.ts';

it('is what stands there when the scores are in order', () => {
  const scores = fc.array(fc.integer({ min: -5, max: 5 }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(scores, fc.integer({ min: 1, max: 70 }), (list, k) => {
      const given = Float64Array.from(list);
      const sorted = [...list].sort((a, b) => b - a);
      expect(kthLargest(given, k)).toBe(list.length <= k ? Number.NEGATIVE_INFINITY : sorted[k - 1]);
      expect([...given]).toEqual(list);
    }),
  );
});
