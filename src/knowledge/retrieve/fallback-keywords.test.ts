import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fallbackKeywords } from './words/question-words.ts';

describe('keywords of a question', () => {
  it.each([
    ["orders of 'Los Angeles' customers", ['Los Angeles', 'orders', 'customers']],
    ['What is "Déjà vu" about?', ['Déjà vu']],
    ['sales above $1,200.50 and 20 % margin', ['$1,200.50', '20 %', 'sales', 'margin']],
    ['Which Bank of America branches closed?', ['Bank of America', 'branches']],
    ["John's largest order", ["John's largest order", 'largest', 'order']],
    ['stores within 5 km of a school', ['5 km', 'stores', 'school']],
  ])('of %j hold %j', (question, expected) => {
    expect(fallbackKeywords(question)).toEqual(expect.arrayContaining(expected));
  });

  it('keep what is quoted first and whole', () => {
    expect(fallbackKeywords("How many 'Over-Due' invoices?")[0]).toBe('Over-Due');
  });

  it('have no stop words, no doubles but for case, and are none for none', () => {
    expect(fallbackKeywords('Show me all of the Orders and orders')).toEqual(['Orders']);
    expect(fallbackKeywords('')).toEqual([]);
  });

  it.each(["'", '"', 'A ', 'a_', '1,', 'A of the ', "a'"])('are found soon in 100,000 times %j', (part) => {
    expect(fallbackKeywords(part.repeat(100_000)).length).toBeLessThanOrEqual(40);
  });

  it('are few and short whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300, unit: 'binary' }), (text) => {
        const keywords = fallbackKeywords(text);
        expect(keywords.length).toBeLessThanOrEqual(40);
        expect(keywords.every((keyword) => keyword !== '' && keyword.length <= 200)).toBe(true);
      }),
    );
  });
});
