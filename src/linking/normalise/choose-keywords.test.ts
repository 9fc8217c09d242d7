import fc from 'fast-check';
import { expect, it } from 'vitest';
import { chooseKeywords, quotedTexts } from './choose-keywords.ts';

it.each<[string, readonly string[], string, readonly string[], readonly string[]]>([
  ['trims, and drops empty ones', [' revenue ', '', '  '], '', ['en'], ['revenue']],
  ['keeps the order, each once whatever its case', ['b', 'C', 'c', 'B'], '', ['en'], ['b', 'C']],
  ['drops stop words and phrases of them', ['the', 'how many', 'what is', 'tea'], '', ['en'], ['tea']],
  ['drops the stop words of the language', ['der', 'Umsatz', 'pro'], '', ['en', 'de'], ['Umsatz']],
  ['keeps those of others', ['die'], '', ['en'], ['die']],
  ['keeps capitals, which are a code', ['US', 'us'], '', ['en'], ['US']],
  ['keeps a condition as it is', ['status = active'], '', ['en'], ['status = active']],
  [
    'keeps literals as they are written',
    ["O'Brien & Sons", '$1,200.50'],
    '',
    ['en'],
    ["O'Brien & Sons", '$1,200.50'],
  ],
  ['adds quoted texts first', ['orders'], 'orders of “Los Angeles”', ['en'], ['Los Angeles', 'orders']],
  ['adds codes first', ['schools'], 'schools of type K-12 in the US', ['en'], ['K-12', 'US', 'schools']],
  ['adds nothing twice', ['los angeles'], 'orders of "Los Angeles"', ['en'], ['los angeles']],
  ['takes no code from a text in capitals', ['orders'], 'HOW MANY ORDERS', ['en'], ['orders']],
  ['drops signs', ['?!', '%'], '', ['en'], []],
  ['cuts at 200 characters', ['x'.repeat(300)], '', ['en'], ['x'.repeat(200)]],
])('%s', (_, given, question, languages, kept) =>
  expect(chooseKeywords(given, question, languages)).toEqual(kept),
);

it('keeps 40 at most', () =>
  expect(
    chooseKeywords(
      [...Array(99).keys()].map((at) => `word${at}`),
      '',
      ['en'],
    ),
  ).toHaveLength(40));

it('is the same when it is done again', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { maxLength: 60 }), fc.string(), (given, question) => {
      const once = chooseKeywords(given, question, ['en', 'de']);
      expect(chooseKeywords(once, '', ['en', 'de'])).toEqual(once);
      expect(new Set(once.map((keyword) => keyword.toLowerCase())).size).toBe(once.length);
    }),
  );
});

it.each([
  [`"a" “b” ‘c’ \`d\` 'e' « f »`, ['a', 'b', 'c', 'd', 'e', 'f']],
  ["John's and Mary's orders", []],
  ['"a" and "a" and " "', ['a']],
])('finds the quoted texts of %s', (question, texts) => expect(quotedTexts(question)).toEqual(texts));
