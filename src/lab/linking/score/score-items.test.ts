import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scoreItems } from './score-items.ts';

const set = (text: string): Set<string> => new Set(text.split(' ').filter(Boolean));

describe('the score of one linked schema', () => {
  it.each<[gold: string, linked: string, recall: number, precision: number, f1: number, strict: 0 | 1]>([
    // The vectors of the specification: hits 2 of 3 on both sides.
    ['a.x a.y b.z', 'a.x a.y c.w', 2 / 3, 2 / 3, 2 / 3, 0],
    ['a.x a.y b.z', '', 0, 0, 0, 0],
    ['a.x', 'b.x', 0, 0, 0, 0],
    ['a.x a.y', 'a.x a.y', 1, 1, 1, 1],
    // Recall 1 at precision 1/4: F1 = 2 · ¼ / (5/4).
    ['a.x', 'a.x a.y a.z a.w', 1, 0.25, 0.4, 1],
    ['', 'a.x', 0, 0, 0, 0],
  ])('gold {%s}, linked {%s}', (gold, linked, recall, precision, f1, strict) => {
    const score = scoreItems(set(gold), set(linked));
    expect(score.recall).toBeCloseTo(recall, 12);
    expect(score.precision).toBeCloseTo(precision, 12);
    expect(score.f1).toBeCloseTo(f1, 12);
    expect(score.strict).toBe(strict);
  });

  it('is strict exactly when recall is one', () => {
    const ids = fc.uniqueArray(fc.constantFrom(...'abcdefgh'), { minLength: 1 });
    fc.assert(
      fc.property(ids, ids, (gold, linked) => {
        const { recall, strict } = scoreItems(new Set(gold), new Set(linked));
        expect(strict).toBe(recall === 1 ? 1 : 0);
      }),
    );
  });
});
