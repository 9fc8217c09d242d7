import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldValue } from './fold-value.ts';
import { buildValueIndex, type ValueHit } from './value-index.ts';

const INDEX = buildValueIndex([
  {
    columnId: 'pets.kind',
    distinctCount: 3,
    values: [
      ['dog', 9],
      ['Cat', 5],
      ['box', 1],
    ],
  },
  {
    columnId: 'artists.name',
    distinctCount: 9000,
    values: [
      ['AC/DC', 18],
      ['Déjà Vu', 2],
      ['Guns N’ Roses', 1],
      ['Dog', 1],
      ['A+', 1],
      ['A-', 2],
      ['+', 1],
    ],
  },
  {
    columnId: 'countries.name',
    distinctCount: 4,
    values: [
      ['Italian', 3],
      ['United States', 2],
      ['Cyprus', 1],
      ['东京', 1],
    ],
  },
]);

describe('containing', () => {
  const cases: readonly { word: string; values: readonly string[] }[] = [
    { word: 'roses', values: ['Guns N’ Roses'] },
    { word: 'STATES', values: ['United States'] },
    { word: 'dog', values: ['dog', 'Dog'] },
    // A part of a word is no word.
    { word: 'unite', values: [] },
    { word: 'ital', values: [] },
    { word: 'N', values: ['Guns N’ Roses'] },
    { word: 'a.*', values: [] },
  ];
  for (const { word, values } of cases)
    it(`finds the values with the word “${word}”`, () => {
      const found = INDEX.containing(word, { limit: 5 });
      expect(found.map(({ value }) => value)).toEqual(values);
    });

  it('keeps to the tables and columns that a person may know', () => {
    expect(INDEX.containing('dog', { limit: 5, scope: new Set(['pets']) })).toEqual([
      { columnId: 'pets.kind', value: 'dog', count: 9 },
    ]);
    expect(INDEX.without(new Set(['countries.name'])).containing('states', { limit: 5 })).toEqual([]);
  });
});

describe('lookup', () => {
  const cases: readonly { text: string; hits: readonly (readonly [string, string, ValueHit['match']])[] }[] =
    [
      { text: 'Cat', hits: [['pets.kind', 'Cat', 'exact']] },
      { text: 'cat', hits: [['pets.kind', 'Cat', 'folded']] },
      {
        text: 'Dog',
        hits: [
          ['artists.name', 'Dog', 'exact'],
          ['pets.kind', 'dog', 'folded'],
        ],
      },
      {
        text: 'dogs',
        hits: [
          ['pets.kind', 'dog', 'stem'],
          ['artists.name', 'Dog', 'stem'],
        ],
      },
      {
        text: "dog's",
        hits: [
          ['pets.kind', 'dog', 'stem'],
          ['artists.name', 'Dog', 'stem'],
        ],
      },
      { text: 'boxes', hits: [['pets.kind', 'box', 'stem']] },
      { text: 'Italians', hits: [['countries.name', 'Italian', 'stem']] },
      { text: 'italians’', hits: [['countries.name', 'Italian', 'stem']] },
      { text: 'united states', hits: [['countries.name', 'United States', 'folded']] },
      { text: 'united state', hits: [['countries.name', 'United States', 'stem']] },
      { text: 'cypru', hits: [] },
      { text: 'ac dc', hits: [['artists.name', 'AC/DC', 'folded']] },
      { text: 'deja vu', hits: [['artists.name', 'Déjà Vu', 'folded']] },
      { text: "guns n' roses", hits: [['artists.name', 'Guns N’ Roses', 'folded']] },
      { text: '东京', hits: [['countries.name', '东京', 'exact']] },
      {
        text: 'A+',
        hits: [
          ['artists.name', 'A+', 'exact'],
          ['artists.name', 'A-', 'folded'],
        ],
      },
      { text: 'parrot', hits: [] },
      { text: '', hits: [] },
      { text: ' +? ', hits: [] },
    ];
  it.each(cases)('$text', ({ text, hits }) => {
    expect(INDEX.lookup(text).map((hit) => [hit.columnId, hit.value, hit.match])).toEqual(hits);
  });
});

it('tells how much of each column it holds', () => {
  expect(INDEX.size).toBe(14);
  expect(INDEX.maxWords).toBe(3);
  expect(INDEX.columns().get('artists.name')).toMatchObject({ distinct: 9000, kept: 7 });
  expect(INDEX.lookup('cat')[0]?.count).toBe(5);
});

it('finds every value under its own text and in any case', () => {
  const name = fc.string({ unit: 'grapheme', maxLength: 12 }).filter((text) => foldValue(text) !== '');
  fc.assert(
    fc.property(fc.uniqueArray(name, { minLength: 1, maxLength: 20 }), (names) => {
      const index = buildValueIndex([
        { columnId: 't.c', distinctCount: names.length, values: names.map((text) => [text, 1] as const) },
      ]);
      for (const text of names) {
        expect(index.lookup(text)[0]).toMatchObject({ value: text, match: 'exact' });
        expect(index.lookup(` ${text}!`).map((hit) => hit.value)).toContain(text);
      }
    }),
  );
});

it('keeps no more than its memory allows and says so', () => {
  const many = (columnId: string) => ({
    columnId,
    distinctCount: 300,
    values: Array.from({ length: 300 }, (_, index) => [`${columnId} ${index}`, 1] as const),
  });
  const index = buildValueIndex([many('a.a'), many('b.b')], { maxValues: 500 });
  expect(index.size).toBe(500);
  expect(index.columns().get('b.b')).toMatchObject({ distinct: 300, kept: 200 });
});
