import { describe, expect, it } from 'vitest';
import { SMALL_CATALOG } from '../../../../../test/fixtures/grounded/small-catalog.ts';
import { emptySemanticModel, type SemanticModel } from '../../../../knowledge/semantic/index.ts';
import { buildNameIndex } from './name-index.ts';

const SEMANTICS: SemanticModel = {
  ...emptySemanticModel,
  datasets: [{ name: 'gigs', table: 'concerts', synonyms: ['shows'], primaryKey: [] }],
  dimensions: [
    {
      name: 'home town',
      synonyms: ['hometown'],
      table: 'students',
      column: 'students.city',
      isTime: false,
    },
  ],
};
const INDEX = buildNameIndex(SMALL_CATALOG, SEMANTICS);

const match = (text: string) => INDEX.match(text.split(' '));
const scoreOf = (text: string, id: string): number => match(text).find((noun) => noun.id === id)?.score ?? 0;

describe('match', () => {
  const best: readonly (readonly [text: string, ids: readonly string[]])[] = [
    ['singer', ['singers']],
    ['singers', ['singers']],
    ['capacity', ['stadiums.capacity']],
    ['phone number', ['singers.phone_number']],
    ['singer name', ['singers.name']],
    ['name of singer', ['singers.name']],
    ['stadium name', ['stadiums.name']],
    ['petid', ['pets.pet_id']],
    ['age', ['pets.age', 'singers.age']],
    ['names', ['pets.name', 'singers.name', 'stadiums.name']],
    ['shows', ['concerts']],
    ['gig', ['concerts']],
    ['hometown', ['home town', 'students.city']],
    ['singer members', ['singers']],
  ];
  it.each(best)('%j names first %j', (text, ids) => {
    const found = match(text);
    const top = found.filter((noun) => noun.score === found[0]?.score).map((noun) => noun.id);
    expect(top.sort()).toEqual([...ids]);
  });

  it('finds a name written in one word whose parts stem differently', () => {
    expect(match('releaseyear').map((noun) => noun.id)).toEqual(['songs.release_year']);
  });

  const none: readonly string[] = [
    'guitar',
    'the',
    'of the',
    'number of singers',
    'singer capacity',
    '',
    '?',
  ];
  it.each(none)('%j names nothing', (text) => {
    expect(match(text)).toEqual([]);
  });

  const better: readonly (readonly [text: string, better: string, worse: string])[] = [
    ['name', 'singers.name', 'students.first_name'],
    ['song title', 'songs.title', 'concerts.title'],
    ['concert title', 'concerts.title', 'songs.title'],
    ['year', 'songs.release_year', 'songs.title'],
    ['city', 'students.city', 'students.address'],
    ['pet', 'pets', 'pets.pet_id'],
    ['last name', 'students.last_name', 'students.first_name'],
  ];
  it.each(better)('%j names %s better than %s', (text, first, second) => {
    expect(scoreOf(text, first)).toBeGreaterThan(scoreOf(text, second));
  });

  it('gives the full name 1, the name with its table less, a part of it least', () => {
    const [full, withTable, part] = [
      scoreOf('release year', 'songs.release_year'),
      scoreOf('singer name', 'singers.name'),
      scoreOf('year', 'songs.release_year'),
    ];
    expect(full).toBe(1);
    expect(withTable).toBeLessThan(full);
    expect(part).toBeLessThan(withTable);
    expect(part).toBeGreaterThan(0);
  });

  it('says why, and is the same every time', () => {
    expect(match('capacity')[0]?.why).toBe('name of column stadiums.capacity');
    expect(match('shows')[0]?.why).toBe('synonym of table concerts');
    expect(match('name')).toEqual(match('name'));
    expect(buildNameIndex(SMALL_CATALOG, SEMANTICS).match(['name'])).toEqual(match('name'));
  });

  it('keeps every score in (0, 1] and the list in order', () => {
    const words = [...INDEX.vocabulary];
    expect(words.length).toBeGreaterThan(20);
    for (const word of words) {
      const scores = match(word).map((noun) => noun.score);
      expect(scores).toEqual([...scores].sort((a, b) => b - a));
      for (const score of scores) expect(score > 0 && score <= 1, `${word}: ${score}`).toBe(true);
    }
  });
});

describe('vocabulary', () => {
  it.each(['singer', 'singers', 'capacity', 'capacities', 'hometown', 'shows'])('has %s', (word) => {
    expect(INDEX.vocabulary.has(word)).toBe(true);
  });
  it.each(['guitar', 'id', 'age'])('does not have %s', (word) => {
    expect(INDEX.vocabulary.has(word)).toBe(false);
  });
});

describe('names that are written otherwise', () => {
  const TABLE = SMALL_CATALOG.tables.find(({ id }) => id === 'students')!;
  const COLUMN = TABLE.columns[1]!;
  const index = buildNameIndex(
    {
      ...SMALL_CATALOG,
      tables: [
        {
          ...TABLE,
          columns: ['date_of_birth', 'directed_by', 'student_details', 'prereq'].map((name) => ({
            ...COLUMN,
            name,
            id: `students.${name}`,
          })),
        },
      ],
    },
    emptySemanticModel,
  );

  it.each([
    ['birthday', 'date_of_birth'],
    ['birthdates', 'date_of_birth'],
    ['director', 'directed_by'],
    ['details', 'student_details'],
    ['details of the student', 'student_details'],
    ['prerequisite', 'prereq'],
  ])('%j is %s', (text, name) => {
    expect(index.match(text.split(' '))[0]?.id).toBe(`students.${name}`);
  });
});
