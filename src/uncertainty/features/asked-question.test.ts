import { describe, expect, it } from 'vitest';
import { ALBUMS } from '../../../test/fixtures/uncertainty/albums-catalog.ts';
import { askedOf, STRANGE_TEXTS } from '../../../test/fixtures/uncertainty/asked.ts';
import { table } from '../../../test/fixtures/uncertainty/music-catalog.ts';

describe('what a question says that literals may come from', () => {
  it.each([
    ['How old is Freddie Mercury of Queen?', ['Freddie Mercury of Queen']],
    [
      'Which bands are from United States of America, Canada and New Zealand?',
      ['United States of America', 'Canada and New Zealand'],
    ],
    // The first word of a sentence is capital anyway.
    ['Abba sold how many?', []],
    ['Albums called \'Arrival\' or "The Visitors" by Abba', ['Arrival', 'The Visitors', 'Visitors', 'Abba']],
    // A quoted name is found again by its capitals.
    ['Which is “A Night”?', ['A Night', 'Night']],
  ])('texts of %j', (text, texts) => expect(askedOf(ALBUMS, { text }).said.questionTexts).toEqual(texts));

  it.each([
    ['more than 1,000 in 1999', ['1000', '1999']],
    ['T1 and a2 of 3.5 and 4.', ['3.5', '4']],
    ['no number', []],
  ])('numbers of %j', (text, numbers) =>
    expect(askedOf(ALBUMS, { text }).said.questionNumbers).toEqual(numbers),
  );

  it('texts, numbers, calls and columns of the hint', () => {
    const hint = "active means isActive = 1; DIVIDE(SUM(price), COUNT (id)); 'Sold Copies' is not soldcopies";
    const { said, hintColumns } = askedOf(ALBUMS, { text: 'x', hint });
    expect(said.hintTexts).toEqual(['Sold Copies']);
    expect(said.hintNumbers).toEqual(['1']);
    expect([...said.hintCalls]).toEqual(['DIVIDE', 'SUM', 'COUNT']);
    expect([...hintColumns].sort()).toEqual([
      'album.id',
      'album.price',
      'album.sold copies',
      'artist.id',
      'artist.isactive',
    ]);
  });
});

describe('what linking does not rule out', () => {
  it('is likeliest first, tables and columns apart', () => {
    const likelihoods = { 'artist.name': 0.3, 'album.title': 0.9, 'album.id': 0.01, album: 0.8, artist: 0.9 };
    const { likely, likelyTables } = askedOf(ALBUMS, { text: 'x' }, likelihoods);
    expect(likely).toEqual([
      { id: 'album.title', tableId: 'album', probability: 0.9 },
      { id: 'artist.name', tableId: 'artist', probability: 0.3 },
    ]);
    expect(likelyTables.map(({ id }) => id)).toEqual(['artist', 'album']);
  });
});

describe('strange questions', () => {
  it.each(STRANGE_TEXTS.map((text) => [text.slice(0, 30), text]))('%j is read', (_, text) => {
    const asked = askedOf(ALBUMS, { text, hint: text });
    expect(asked.text.length).toBeLessThanOrEqual(4_000);
    expect(asked.isCut).toBe(text.length > 4_000);
    for (const one of [...asked.said.hintTexts, ...asked.said.questionTexts]) expect(text).toContain(one);
  });

  it('a column without a name, as SQLite allows it, stands in no hint', () => {
    const catalog = { ...ALBUMS, tables: [table('odd', { '': {}, name: {} })] };
    expect([...askedOf(catalog, { text: 'x', hint: 'the name is abc' }).hintColumns]).toEqual(['odd.name']);
  });
});
