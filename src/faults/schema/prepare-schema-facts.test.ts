import { describe, expect, it } from 'vitest';
import { key, MUSIC, NO_TABLES, profile, table } from '../../../test/fixtures/uncertainty/music-catalog.ts';
import { prepareSchemaFacts } from './prepare-schema-facts.ts';

const FACTS = prepareSchemaFacts(MUSIC);

describe('prepareSchemaFacts', () => {
  it('finds tables and columns by id and by lower-case name', () => {
    expect(FACTS.tables.get('artist')?.name).toBe('artist');
    expect(FACTS.columns.get('artist.country')?.name).toBe('Country');
    expect(FACTS.tablesNamed.get('artist')?.map(({ id }) => id)).toEqual(['artist']);
    expect(FACTS.columnsNamed.get('year')?.map(({ id }) => id)).toEqual(['album.year', 'chart.year']);
    expect(FACTS.columnsNamed.get('Country')).toBeUndefined();
  });

  it('keeps tables of one name in several schemas apart', () => {
    const [one, other] = ['a', 'b'].map((schema) => ({ ...table('t', {}), id: `${schema}.t`, schema }));
    const facts = prepareSchemaFacts({ ...NO_TABLES, tables: [one!, other!] });
    expect(facts.tablesNamed.get('t')?.map(({ id }) => id)).toEqual(['a.t', 'b.t']);
  });

  it('knows both ends of keys', () => {
    expect([...FACTS.primaryKeys]).toEqual(['artist.id', 'album.id', 'track.id']);
    expect([...FACTS.referring]).toEqual(['album.artist_id', 'track.album_id']);
    expect([...FACTS.referred]).toEqual(['artist.id', 'album.id']);
  });

  it.each([
    ['album.artist_id', 'artist.id', true],
    ['artist.id', 'album.artist_id', true],
    ['album.id', 'artist.id', false],
    ['album.artist_id', 'nothing', false],
  ])('says of %s and %s whether a key joins them', (one, other, isPair) => {
    expect(FACTS.isKeyPair(one, other)).toBe(isPair);
  });

  it('pairs the columns of a composite key in their order', () => {
    const foreignKeys = [key(['u.a', 'u.b'], ['t.a', 't.b'])];
    const { isKeyPair } = prepareSchemaFacts({ ...NO_TABLES, foreignKeys });
    expect(isKeyPair('u.b', 't.b')).toBe(true);
    expect(isKeyPair('u.a', 't.b')).toBe(false);
  });

  it('finds near names of tables and columns', () => {
    expect(FACTS.nearest('artists')).toEqual({ name: 'artist', distance: 1, within2: 1 });
    expect(FACTS.nearest('PLAY TIME')).toMatchObject({ name: 'Play Time', distance: 0 });
    expect(prepareSchemaFacts(NO_TABLES).nearest('x')).toBeUndefined();
  });
});

describe('the values of a column', () => {
  const long = 'x'.repeat(80);
  const TOP = [{ value: ' Rome', count: 5 }];
  const PII = { kind: 'email', because: 'its name says email' } as const;
  const { valuesOf } = prepareSchemaFacts({
    ...NO_TABLES,
    tables: [
      table('t', {
        plain: { profile: profile(['Rome', 'Oslo']) },
        some: { profile: profile(['Rome'], { distinctCount: 7 }) },
        sampled: { profile: profile(['Rome'], { sampledBy: 'first rows' }) },
        cut: { profile: profile([long]) },
        frequent: { profile: profile(['Oslo'], { distinctCount: 2, statistics: { topValues: TOP } }) },
        none: { profile: profile([]) },
        withheld: { profile: profile(['a@b.org'], { pii: { ...PII, isWithheld: true } }) },
        shown: { profile: profile(['a@b.org'], { pii: { ...PII, isWithheld: false } }) },
        unread: {},
      }),
    ],
  });

  it.each([
    ['plain', ['Rome', 'Oslo'], ['rome', 'oslo'], true],
    ['some', ['Rome'], ['rome'], false],
    ['sampled', ['Rome'], ['rome'], false],
    ['cut', [long], [long], false],
    ['frequent', [' Rome', 'Oslo'], ['rome', 'oslo'], true],
    ['shown', ['a@b.org'], ['a@b.org'], true],
  ])('%s are given with whether they are all', (column, exact, folded, isComplete) => {
    const found = valuesOf(`t.${column}`);
    expect(found).toEqual({ exact: new Set(exact), folded: new Set(folded), isComplete });
    expect(valuesOf(`t.${column}`)).toBe(found);
  });

  it.each(['none', 'withheld', 'unread', 'missing'])('%s are not given', (column) => {
    expect(valuesOf(`t.${column}`)).toBeUndefined();
  });
});
