import { describe, expect, it } from 'vitest';
import { isNameWord, namesIn, namesNothing, tellingPart, writtenName } from './names-in.ts';
import { otherSpellingsOf, singularAcronym } from './near-names.ts';
import { soundOf } from './search-word.ts';

describe('names in a question', () => {
  it.each([
    ['customers in Atlantis', ['Atlantis']],
    ['Atlantis customers', ['Atlantis']],
    ['tracks by Taylor Swift and Bob Dylan', ['Taylor Swift', 'Bob Dylan']],
    ['the Duke of Wellington', ['Duke of Wellington']],
    ["show Gonzaga's players, and Duke’s", ['Gonzaga', 'Duke']],
    ['songs called “blue moon rising”', ['blue moon rising']],
    ['Scary films. Which are long?', []],
    ['Show All Customers In Atlantis', []],
    ['how many refunds', []],
  ])('%s: %j', (question, names) => {
    const found = namesIn(question).map(({ text }) => text);
    expect(found).toEqual(names);
  });

  it('are found by one of their words', () => {
    expect(writtenName('Swift', 'songs by Taylor Swift')?.text).toBe('Taylor Swift');
    expect(writtenName('songs', 'songs by Taylor Swift')).toBeUndefined();
  });

  it('have a word that is no other kind of word', () => {
    for (const name of ['Texas', 'Atlantis', 'Gonzaga', 'Gagarin', 'XK-200'])
      expect(isNameWord(name), name).toBe(true);
    const others = [
      'Swift',
      'Kenyan',
      'Latino',
      'November',
      'DVD',
      'CVs',
      'UCLA',
      'Jimmy',
      'Refunds',
      'Bob',
      'Hip-Hop',
      'gonzaga',
      '1920s',
    ];
    for (const word of others) expect(isNameWord(word), word).toBe(false);
  });
});

describe('words that name nothing', () => {
  it.each([
    'nobody',
    'Everybody',
    'anywhere',
    'directly',
    'happily',
    'because',
    'people',
    'number',
    'Z',
    "we've",
    'behind',
  ])('%s', (word) => expect(namesNothing(word)).toBe(true));
  it.each(['family', 'yearly', 'medals', 'Seattle', 'assembly', '1920s', "women's"])('not %s', (word) =>
    expect(namesNothing(word)).toBe(false),
  );
  it('are left off at the ends of a phrase', () => {
    expect(tellingPart('people without any medals anywhere')).toBe('medals');
    expect(tellingPart('nobody anywhere')).toBe('');
  });
});

it('spellings of the other side of the ocean', () => {
  expect(otherSpellingsOf('colour')).toContain('color');
  expect(otherSpellingsOf('organization')).toContain('organisation');
  expect(otherSpellingsOf('centres')).toContain('centers');
  expect(otherSpellingsOf('cheque')).toContain('check');
  expect(singularAcronym('CVs')).toBe('CV');
  expect(singularAcronym('cars')).toBeUndefined();
});

it('names that sound alike', () => {
  expect(soundOf('wien')).toBe(soundOf('vienna'));
  expect(soundOf('steven')).toBe(soundOf('stephen'));
  expect(soundOf('catherine')).toBe(soundOf('kathryn'));
  expect(soundOf('berlin')).not.toBe(soundOf('bergen'));
});
