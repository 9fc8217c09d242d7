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
