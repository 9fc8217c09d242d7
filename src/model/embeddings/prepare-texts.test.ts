import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { embedPrepared, prepareText } from './prepare-texts.ts';

describe('texts', () => {
  it.each([
    ['  a\tb\u0000c\n', 100, 'a b c'],
    ['a\ud83d', 100, 'a\ufffd'],
    ['ab😀', 3, 'ab\ufffd'],
    ['abcdef', 3, 'abc'],
    [' \n', 100, ''],
  ])('%j cut at %i become %j', (text, most, expected) => expect(prepareText(text, most)).toBe(expected));

  it('hold nothing that a service refuses, whatever they held', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(40), (text, most) => {
        const prepared = prepareText(text, most);
        expect(prepared.length).toBeLessThanOrEqual(most);
        expect(Buffer.from(prepared, 'utf8').toString('utf8')).toBe(prepared);
        expect(/\p{Cc}/u.test(prepared)).toBe(false);
        expect(prepareText(prepared, most)).toBe(prepared);
      }),
    );
  });

  it('reach the encoder without the empty ones, and every vector finds its text', async () => {
    const asked: (readonly string[])[] = [];
    const texts = ['', 'a', ' ', 'b', ''];
    const vectors = await embedPrepared(texts, { dimensions: 2, maxCharacters: 10 }, async (prepared) => {
      asked.push(prepared);
      return prepared.map((text) => Float32Array.of(0, text.charCodeAt(0)));
    });
    expect(asked).toEqual([['a', 'b']]);
    expect(vectors.map((vector) => [...vector])).toEqual([
      [1, 0],
      [0, 97],
      [1, 0],
      [0, 98],
      [1, 0],
    ]);
  });
});
