import { describe, expect, it } from 'vitest';
import { breakWords, nameWords } from './split-words.ts';

describe('words of a name', () => {
  it.each([
    ['CustomerID', 'customer id'],
    ['customer_id', 'customer id'],
    ['Customer Id', 'customer id'],
    ['GDPGrowth2020', 'gdp growth2020'],
    ['address2Line', 'address2 line'],
    ['IDs', 'ids'],
    ['userIDs', 'user ids'],
    ['DVDsSold', 'dvds sold'],
    ['USState', 'us state'],
    ['größeInCM', 'größe in cm'],
    ['__', ''],
  ])('%j → %j', (name, words) => expect(nameWords(name).join(' ')).toBe(words));

  it('are told apart inside a text, which else stays', () => {
    expect(breakWords('What is unitPrice, and GDPGrowth?')).toBe('What is unit Price, and GDP Growth?');
  });
});
