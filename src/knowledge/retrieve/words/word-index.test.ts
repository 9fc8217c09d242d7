import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { queryTerms } from '../../search/search-terms.ts';
import { indexWords } from './word-index.ts';

const NOTES = [
  'Revenue leaves out refunds',
  'Orders without a shop are tests',
  'Revenue is in euros',
  'Shops close in May',
];

describe('word search in memory', () => {
  it('finds what shares a word, rarer words weighing more', () => {
    const matches = indexWords(NOTES).search(queryTerms('revenue and refunds'));
    expect(matches.map(({ position }) => position)).toEqual([0, 2]);
    expect(matches[0]!.relevance).toBeGreaterThan(matches[1]!.relevance);
  });

  it('finds nothing in nothing', () => expect(indexWords([]).search(['revenue'])).toEqual([]));

  it('has shares between 0 and 1, and a text is most like itself', () => {
    const text = fc.array(fc.constantFrom('apple', 'pear', 'plum', 'fig', 'nut'), {
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 8 }), (lists) => {
        const texts = lists.map((list) => list.join(' '));
        const own = indexWords(texts).search(queryTerms(texts[0] ?? ''));
        for (const { relevance, likeness } of own) {
          expect(relevance).toBeGreaterThan(0);
          expect(relevance).toBeLessThan(1);
          expect(likeness).toBeLessThanOrEqual(1 + 1e-9);
        }
        expect(own[0]?.likeness).toBeCloseTo(1, 9);
      }),
    );
  });
});
