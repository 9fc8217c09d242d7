import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { indexTerms, nameTrigrams, queryTerms } from './search-terms.ts';

describe('indexTerms', () => {
  it.each([
    ['CustomerID', ['custom', 'id']],
    ['customer_id', ['custom', 'id']],
    ['ordered at', ['order', 'at']],
    ['Résumé ÉTÉ Straße', ['resum', 'et', 'straße']],
    ['address2', ['address2', 'address', '2']],
    ['ga_sessions_20170101', ['ga', 'session', '20170101']],
    ['orders2017q1', ['orders2017q1', 'order', '2017', 'q', '1']],
    ['顧客番号', ['顧客', '客番', '番号']],
    ['金', ['金']],
    ['売上amount', ['amount', '売上']],
    ['a'.repeat(65), []],
    ['🙂 – “ ” \0 \ud800', []],
  ])('%j → %j', (text, expected) => expect(indexTerms(text)).toEqual(expected));

  it('gives letters and digits only, so that no term is an operator of a query language', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        for (const term of indexTerms(text)) expect(term).toMatch(/^[\p{L}\p{N}]+$/u);
      }),
      { numRuns: 500 },
    );
  });

  it('knows no difference between case, accents and their spellings', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'aeouéèüñçöxyz _'), maxLength: 30 }), (text) => {
        expect(indexTerms(text.normalize('NFD'))).toEqual(indexTerms(text.normalize('NFC')));
      }),
    );
  });
});

describe('queryTerms', () => {
  it.each([
    ['How many customers are there in Germany?', ['custom', 'germani']],
    ['who?', ['who']],
    ['orders, ordered, ordering', ['order']],
    ['', []],
  ])('%j → %j', (text, expected) => expect(queryTerms(text)).toEqual(expected));

  it('are bounded, whatever the text', () => {
    const words = Array.from({ length: 500 }, (_, index) => `word${index}x`).join(' ');
    expect(queryTerms(words)).toHaveLength(100);
    expect(queryTerms('z'.repeat(1_000_000))).toEqual([]);
  });
});

describe('nameTrigrams', () => {
  it.each([
    ['id', ['  i', ' id', 'id ']],
    ['Id_id', ['  i', ' id', 'id ']],
    ['', []],
    ['é', ['  e', ' e ']],
    ['🙂', []],
  ])('%j → %j', (name, expected) => expect(nameTrigrams(name)).toEqual(expected));

  it('are bounded', () => expect(nameTrigrams('ab '.repeat(100_000)).length).toBeLessThan(400));
});
