import { describe, expect, it } from 'vitest';
import { SMALL_CATALOG, smallKnowledge } from '../../../../test/fixtures/grounded/small-catalog.ts';
import { readByRules } from '../read-by-rules.ts';
import { namedPlaces } from './asked.ts';
import { queryTraits } from './query-traits.ts';
import {
  mentionContext,
  mentionRole,
  type QuestionSymbol,
  questionGrams,
  questionSymbols,
} from './question-features.ts';

const KNOWLEDGE = smallKnowledge();
const NOW = new Date('2024-10-01T12:00:00Z');

function symbolsOf(question: string, hint?: string): QuestionSymbol[] {
  const { tokens, mentions } = readByRules(question, KNOWLEDGE, NOW, hint);
  return questionSymbols(tokens, mentions);
}

const textOf = (symbols: readonly QuestionSymbol[]): string => symbols.map(({ symbol }) => symbol).join(' ');

/** The same question of other names. */
const bare = (text: string): QuestionSymbol[] => text.split(' ').map((symbol) => ({ symbol }));

describe('questionSymbols', () => {
  it.each([
    ['', ''],
    ['?', '?'],
    ['Show the names of singers from France.', 'show the COLUMN from VALUE .'],
    ['Show the titles of songs from Sweden.', 'show the COLUMN from VALUE .'],
    ['How many songs are longer than 200 seconds?', 'how many TABLE are longer than NUMBER COLUMN ?'],
    ['Show the top 3 stadiums by capacity.', 'show the top NUMBER TABLE by COLUMN .'],
    ['Which students do not have a dog?', 'which TABLE do not have a VALUE ?'],
    ['Which songs have the word "Hey" in the title?', 'which TABLE have the word VALUE in the COLUMN ?'],
    ['How many concerts took place last month?', 'how many TABLE took place TIME ?'],
    ['How many zebras are in the aquarium?', 'how many zebras are in the aquarium ?'],
  ])('of “%s”', (question, symbols) => expect(textOf(symbolsOf(question))).toBe(symbols));

  it('stand in the order of the question, each mention once', () => {
    const symbols = symbolsOf('Show the name and age of singers from France or Sweden older than 30.');
    const places = symbols.flatMap(({ mention }) => (mention === undefined ? [] : [mention.from]));
    expect(places).toEqual([...new Set(places)].sort((a, b) => a - b));
  });

  it('are not changed by a condition that only a hint states', () => {
    const question = 'How many pets are there?';
    expect(textOf(symbolsOf(question, "kind = 'cat'"))).toBe(textOf(symbolsOf(question)));
  });
});

describe('questionGrams', () => {
  it.each<[symbols: string, has: readonly string[], hasNot: readonly string[]]>([
    [
      'show the COLUMN .',
      ['<', '< show', '< show the', 'the COLUMN .', '. >', '#COLUMN1', '#TABLE0', 'first show the'],
      ['show the COLUMN .', '#COLUMN0'],
    ],
    // names and the words between them, whatever stands around
    ['the COLUMN and all of the TABLE', ['~COLUMN and', '~and of', '~of TABLE'], ['~COLUMN TABLE']],
    ['COLUMN COLUMN COLUMN COLUMN COLUMN COLUMN', ['#COLUMN4', 'COLUMN COLUMN COLUMN'], ['#COLUMN6']],
  ])('of “%s”', (text, has, hasNot) => {
    const grams = questionGrams(bare(text));
    expect(grams).toEqual(expect.arrayContaining([...has]));
    expect(grams.filter((gram) => hasNot.includes(gram))).toEqual([]);
    expect(new Set(grams).size).toBe(grams.length);
  });

  it('are the same for questions that differ in names only', () =>
    expect(questionGrams(symbolsOf('Show the titles of songs from Sweden.'))).toEqual(
      questionGrams(symbolsOf('Show the names of singers from France.')),
    ));

  it('of nothing are its ends', () => expect(questionGrams([])).toContain('< >'));
});

describe('mentionContext', () => {
  it.each<[text: string, place: number, has: readonly string[]]>([
    [
      'show the COLUMN .',
      2,
      ['0=COLUMN', '-1=the', '+1=.', '+2=>', '-3=<', 'COLUMN-1=the', 'has=COLUMN show'],
    ],
    ['COLUMN', 0, ['-1=<', '+1=>', '-2-1=COLUMN < <', 'place=COLUMN 0', 'th=COLUMN 0']],
    ['a COLUMN and a COLUMN', 4, ['th=COLUMN 1', 'place=COLUMN 3', '-1+1=COLUMN a >']],
  ])('of “%s” at %i', (text, place, has) => {
    const features = mentionContext(bare(text), place);
    expect(features).toEqual(expect.arrayContaining([...has]));
    expect(features).not.toContain('has=COLUMN COLUMN');
  });

  it('says what the words name and how they end', () => {
    const symbols = symbolsOf('Show the names of singers.');
    const features = mentionContext(symbols, 2);
    expect(features).toContain('word=singers');
    expect(features.filter((feature) => feature.startsWith('named='))).toEqual([
      expect.stringMatching(/^named=column \d+$/),
    ]);
  });

  it('has features for every place', () => {
    const symbols = symbolsOf('Which singers from France have more than 2 songs?');
    for (const place of symbols.keys()) expect(mentionContext(symbols, place).length).toBeGreaterThan(20);
  });
});

describe('mentionRole', () => {
  it.each<[question: string, sql: string, roles: readonly string[]]>([
    [
      'Show the names of singers from France older than 30.',
      "SELECT name FROM singers WHERE country = 'France' AND age > 30",
      ['names of singers show', 'France =', '30 >'],
    ],
    [
      'What is the average salary of singers by age?',
      'SELECT age, AVG(salary) FROM singers GROUP BY age',
      ['salary of singers figure', 'age show'],
    ],
    [
      'Show the top 3 stadiums by capacity.',
      'SELECT name FROM stadiums ORDER BY capacity DESC LIMIT 3',
      ['3 limit', 'stadiums table', 'capacity order'],
    ],
    [
      'Which songs have the word "Hey" in the title?',
      "SELECT singer_id FROM songs WHERE title LIKE '%hey%'",
      ['songs table', '"Hey" like', 'title where'],
    ],
    [
      'Which songs are not called ‘Rain’?',
      "SELECT seconds FROM songs WHERE title <> 'Rain'",
      ['songs table', '‘Rain’ <>'],
    ],
    // a key that only joins is no use of its name
    [
      'Show the singer id of songs.',
      'SELECT title FROM songs JOIN singers ON songs.singer_id = singers.singer_id',
      ['singer id of songs none'],
    ],
    ['How many pets are there?', 'SELECT COUNT(*) FROM songs', ['pets none']],
  ])('of “%s” in %s', (question, sql, roles) => {
    const traits = queryTraits(sql, SMALL_CATALOG);
    if (traits === null) throw new Error('the query cannot be read');
    const found = namedPlaces(symbolsOf(question)).map(
      ({ mention }) => `${mention.text} ${mentionRole(mention, traits)}`,
    );
    expect(found).toEqual(roles);
  });
});
