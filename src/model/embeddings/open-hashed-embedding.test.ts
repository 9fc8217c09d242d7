import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openHashedEmbedding } from './open-hashed-embedding.ts';

const model = openHashedEmbedding();

async function cosine(a: string, b: string): Promise<number> {
  const [first = new Float32Array(), second] = await model.embed([a, b]);
  return first.reduce((sum, value, index) => sum + value * (second?.[index] ?? Number.NaN), 0);
}

describe('the hashed embedding', () => {
  it('gives any text a unit vector', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 200 }), async (text) => {
        expect(await cosine(text, text)).toBeCloseTo(1, 5);
      }),
    );
  });

  it('does not see the order of words', async () => {
    const word = fc.stringMatching(/^[a-z]{1,12}$/);
    await fc.assert(
      fc.asyncProperty(fc.array(word, { minLength: 1, maxLength: 8 }), async (words) => {
        expect(await cosine(words.join(' '), words.toReversed().join('_'))).toBeCloseTo(1, 5);
      }),
    );
  });

  it.each([
    ['customer_name', 'Customer Name'],
    ['customerName', 'customer name'],
    ['STRASSE', 'strasse'],
    ['ﬁle', 'file'],
    ['order2Line', 'order2 line'],
  ])('takes %s and %s for the same', async (a, b) => expect(await cosine(a, b)).toBeCloseTo(1, 5));

  it.each([
    // [text, near, far]: spelling counts, meaning does not.
    ['customer', 'customers', 'client'],
    ['total revenue', 'revenue', 'total'.repeat(3)],
    ['Müller', 'Mülller', 'Schmidt'],
    ['東京都の売上', '売上', '在庫数量'],
    ['anschrift', 'lieferanschrift', 'bestellung'],
  ])('finds %s nearer to %s than to %s', async (text, near, far) => {
    expect(await cosine(text, near)).toBeGreaterThan((await cosine(text, far)) + 0.1);
  });

  it('keeps what has nothing in common apart: collisions of hashes stay small', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.stringMatching(/^[a-m]{3,10}$/),
        fc.stringMatching(/^[n-z]{3,10}$/),
        async (a, b) => {
          expect(Math.abs(await cosine(a, b))).toBeLessThan(0.5);
        },
      ),
      // Collisions are rare, not impossible: the pairs are the same every time.
      { seed: 7 },
    );
  });

  it('is this very embedding: kept vectors stay valid', async () => {
    const [vector = new Float32Array()] = await model.embed(['customer name']);
    const heaviest = [...vector.entries()].sort((a, b) => Math.abs(b[1]) - Math.abs(a[1])).slice(0, 3);
    expect([
      model.id,
      ...heaviest.map(([place, value]) => `${place} ${value.toFixed(3)}`),
    ]).toMatchInlineSnapshot(`
      [
        "hashed-words-trigrams-512@2",
        "368 0.135",
        "52 0.129",
        "199 0.120",
      ]
    `);
  });
});
