import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildCandidateSections, indexParameters, openCandidateSearch } from '../candidate-sections.ts';
import { collectGrams, gramJaccard, gramsOf, showGram } from './grams.ts';
import {
  buildLshSections,
  chanceToMeet,
  chooseBands,
  estimateJaccard,
  LshSearch,
  makeGramOrders,
  signatureOf,
} from './lsh-search.ts';

const SYLLABLES = 'ka ri to ne su la mo vi be do ham ford ster lin'.split(' ');
const name = fc
  .array(fc.constantFrom(...SYLLABLES, ' '), { minLength: 1, maxLength: 6 })
  .map((parts) => parts.join(''));
const text = fc.oneof(name, fc.string({ unit: 'grapheme', maxLength: 20 }));

function search(texts: readonly string[], candidates: 'grams' | 'minhash-lsh') {
  const parameters = indexParameters({ candidates });
  const sections = buildCandidateSections(
    collectGrams(texts, () => true),
    parameters,
  );
  return openCandidateSearch(sections, parameters, texts.length);
}

describe('grams', () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['Paris', ['par', 'ari', 'ris']],
    ['aaaa', ['aaa']],
    ['NY', ['ny']],
    ['x', ['x']],
    ['', []],
    ['Köln', ['köl', 'öln']],
    ['東京都', ['東京都']],
  ];
  it.each(cases)('of %s are %j', (of, grams) => {
    expect(gramsOf(of).map(showGram)).toEqual(grams);
  });

  it('of a short text meet none of a longer one', () => {
    expect(gramJaccard('ab', '\0ab')).toBe(0);
    expect(gramJaccard('ab', 'AB')).toBe(1);
    expect(gramJaccard('Los Angeles', 'los angeles')).toBe(1);
  });
});

it('the search by grams finds exactly the nearest', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(text, { minLength: 1, maxLength: 60 }),
      text,
      fc.integer({ min: 1, max: 8 }),
      (texts, asked, limit) => {
        const accepts = (place: number) => place % 3 !== 1;
        const expected = texts
          .map((other, place) => ({ text: place, jaccard: gramJaccard(other, asked) }))
          .filter(({ text: place, jaccard }) => jaccard > 0 && accepts(place))
          .sort((a, b) => b.jaccard - a.jaccard || a.text - b.text)
          .slice(0, limit);
        const grams = search(texts, 'grams');
        expect(grams.nearest(asked, limit, accepts)).toEqual(expected);
        // Nothing of one search is left for the next.
        expect(grams.nearest(asked, limit, accepts)).toEqual(expected);
      },
    ),
    { numRuns: 500 },
  );
});

describe('MinHash', () => {
  it('estimates the Jaccard similarity within 0.1 on average over 1,000 pairs', () => {
    const orders = makeGramOrders(100, 1);
    const pairs = fc.sample(fc.tuple(name, name), { numRuns: 1_000, seed: 5 });
    let off = 0;
    let bias = 0;
    for (const [a, b] of pairs) {
      const error =
        estimateJaccard(signatureOf(gramsOf(a), orders), signatureOf(gramsOf(b), orders)) - gramJaccard(a, b);
      off += Math.abs(error) / pairs.length;
      bias += error / pairs.length;
    }
    expect(off).toBeLessThan(0.1);
    expect(Math.abs(bias)).toBeLessThan(0.01);
  });

  /** thoth.md, section 6.2: the published settings with their chance to meet at J = .05, .1, .2, .3, .5. */
  const TABLE = [
    { permutations: 100, threshold: 0.01, bands: 100, rows: 1, chances: [0.994, 1, 1, 1, 1] },
    { permutations: 30, threshold: 0.01, bands: 30, rows: 1, chances: [0.785, 0.958, 0.999, 1, 1] },
    { permutations: 50, threshold: 0.01, bands: 50, rows: 1, chances: [0.923, 0.995, 1, 1, 1] },
    { permutations: 30, threshold: 0.35, bands: 10, rows: 3, chances: [0.001, 0.01, 0.077, 0.239, 0.737] },
  ] as const;
  it.each(TABLE)('cuts $permutations permutations at $threshold into $bands bands of $rows', (row) => {
    const cut = chooseBands(row.permutations, row.threshold);
    expect(cut).toEqual({ bands: row.bands, rows: row.rows });
    const { permutations, threshold } = row;
    expect(indexParameters({ permutations, threshold })).toMatchObject(cut);
    const chances = [0.05, 0.1, 0.2, 0.3, 0.5].map((similarity) =>
      Number(chanceToMeet(similarity, cut).toFixed(3)),
    );
    expect(chances).toEqual(row.chances);
  });

  it.each(TABLE)(
    'finds pairs of a similarity of at least 0.2 as often as the theory says, $bands × $rows',
    (row) => {
      const texts = fc.sample(name, { numRuns: 1_500, seed: 9 });
      const options = { ...row, seed: 3 };
      const lsh = new LshSearch(
        buildLshSections(
          collectGrams(texts, () => true),
          options,
        ),
        options,
        texts.length,
      );
      let pairs = 0;
      let met = 0;
      let expected = 0;
      for (const asked of fc.sample(name, { numRuns: 150, seed: 10 })) {
        const meeting = new Set(lsh.meeting(asked));
        for (const [place, other] of texts.entries()) {
          const jaccard = gramJaccard(asked, other);
          if (jaccard < 0.2) continue;
          pairs += 1;
          met += meeting.has(place) ? 1 : 0;
          expected += chanceToMeet(jaccard, row);
        }
      }
      expect(pairs).toBeGreaterThan(1_000);
      expect(Math.abs(met - expected) / pairs).toBeLessThan(0.03);
    },
  );

  it('ranks what it finds by similarity, itself first', () => {
    const texts = ['Fresno County', 'Fresno', 'Fremont', 'Alameda', 'Fresno Country'];
    for (const candidates of ['grams', 'minhash-lsh'] as const) {
      const found = search(texts, candidates).nearest('fresno county', 3, () => true);
      expect(found[0], candidates).toEqual({ text: 0, jaccard: 1 });
      expect(
        found.map(({ text: place }) => place),
        candidates,
      ).toContain(4);
    }
  });
});
