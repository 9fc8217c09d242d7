import { describe, expect, it } from 'vitest';
import { valueFacts } from './question-words.ts';

const STORED: Readonly<Record<string, readonly string[]>> = {
  'new york': ['shops.city', 'people.city'],
  york: ['teams.name'],
  new: ['orders.status'],
  '7': ['orders.id'],
};
const columnsOf = (text: string): readonly string[] =>
  Object.hasOwn(STORED, text.toLowerCase()) ? (STORED[text.toLowerCase()] ?? []) : [];

describe('valueFacts', () => {
  it('finds the longest literal of each column and how many hold it', () => {
    const facts = valueFacts('Which shops are in New York?', '', columnsOf);
    expect(facts.get('shops.city')).toEqual({ words: 2, columns: 2, text: 'New York' });
    expect(facts.get('teams.name')).toEqual({ words: 1, columns: 1, text: 'York' });
  });

  it('reads the hint too, and nothing of one letter', () => {
    expect(
      valueFacts('how many?', "the city refers to city = 'New York'", columnsOf).has('people.city'),
    ).toBe(true);
    expect(valueFacts('order 7', '', columnsOf).size).toBe(0);
  });
});
