import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editRatio } from './edit-ratio.ts';

describe('editRatio', () => {
  /** Computed with Python's difflib (thoth.md, section 7), value first. */
  const cases: readonly (readonly [value: string, keyword: string, ratio: number])[] = [
    ['california', 'californai', 0.9],
    ['fremont', 'fremont city', 0.7368],
    ['paris', 'parsi', 0.8],
    ['k-12', 'k12', 0.8571],
    ['fresno county', 'fresno', 0.6316],
    ['district name', 'districtname', 0.96],
    ['customer', 'customers', 0.9412],
    ['abc', 'xyz', 0],
    ['', '', 1],
    ['a', '', 0],
    // The earliest of equally long blocks decides, so the order of the texts matters.
    ['tide', 'diet', 0.25],
    ['diet', 'tide', 0.5],
  ];
  it.each(cases)('of %j and %j is %d', (value, keyword, ratio) => {
    expect(editRatio(value, keyword)).toBeCloseTo(ratio, 4);
  });

  it('is that of a plain reading of the definition', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 14 });
    fc.assert(
      fc.property(text, text, (a, b) => {
        const total = a.length + b.length;
        expect(editRatio(a, b)).toBeCloseTo(total === 0 ? 1 : (2 * matched(a, b)) / total, 12);
      }),
      { numRuns: 500 },
    );
  });
});

/** The longest common block that starts first in `a`, then in `b`, and what matches left and right of it. */
function matched(a: string, b: string): number {
  for (let length = Math.min(a.length, b.length); length > 0; length -= 1) {
    for (let at = 0; at + length <= a.length; at += 1) {
      const block = a.slice(at, at + length);
      const place = b.indexOf(block);
      if (place < 0) continue;
      const left = matched(a.slice(0, at), b.slice(0, place));
      return length + left + matched(a.slice(at + length), b.slice(place + length));
    }
  }
  return 0;
}
