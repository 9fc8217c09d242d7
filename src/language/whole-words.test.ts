import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wholeWords } from './split-words.ts';

describe('a pattern of whole words', () => {
  it.each([
    ['sales', 'total Sales, sales_2 and presales', [6, 13]],
    ['sales', 'größe: sales, ésales, Sales٣', [7]],
    ['sales', '', []],
  ])('finds %s in %j', (pattern, text, places) =>
    expect([...text.matchAll(wholeWords(pattern, 'giu', text))].map(({ index }) => index)).toEqual(places),
  );

  it('may forbid more beside it', () =>
    expect([...'a_ a'.matchAll(wholeWords('a', 'gu', 'a_ a', '_'))].map(({ index }) => index)).toEqual([3]));

  it('finds in plain letters what it finds by the class of all letters', () => {
    const piece = fc.constantFrom('a', 'A', 'ab', '1', '_', ' ', '-', 'k', 'S');
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 12 }),
        fc.constantFrom('a', 'ab?', 'k', 's'),
        (pieces, pattern) => {
          const text = pieces.join('');
          const places = (found: RegExp) =>
            [...text.matchAll(found)].map(({ 0: words, index }) => [index, words]);
          const all = new RegExp(`(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])`, 'giu');
          expect(places(wholeWords(pattern, 'giu', text))).toEqual(places(all));
        },
      ),
    );
  });
});
