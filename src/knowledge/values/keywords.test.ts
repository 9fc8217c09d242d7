import { expect, it } from 'vitest';
import { keywordsOf } from './keywords.ts';

it('takes what is quoted, words and runs of words up to the next punctuation', () => {
  expect(keywordsOf(`List songs of "AC/DC", New York City.`)).toEqual(
    expect.arrayContaining(['AC/DC', 'songs', 'New', 'New York', 'New York City']),
  );
  expect(keywordsOf(`List songs of "AC/DC", New York City.`)).not.toContain('AC/DC New');
  expect(keywordsOf("the state's 'Old Town' area")).toContain('Old Town');
  expect(keywordsOf("Guns N' Roses in St. Louis")).toEqual(expect.arrayContaining(['Guns N Roses', 'St']));
  expect(keywordsOf('How many are there?')).toEqual([]);
  expect(keywordsOf('')).toEqual([]);
});
