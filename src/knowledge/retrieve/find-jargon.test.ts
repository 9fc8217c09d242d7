import { describe, expect, it } from 'vitest';
import { findJargon } from './texts/find-business-words.ts';

const terms = ['EV', 'EV share', 'IT', 'churn', 'C++'].map((term) => ({
  term,
  meaning: `what ${term} is`,
  place: 'x:1',
}));
const find = (question: string) =>
  findJargon(question, terms, { most: 10, characters: 300 }).map(({ term }) => term);

describe('jargon', () => {
  it.each([
    ['What is the EV share by city?', ['EV share']],
    ['EV share and EV sales', ['EV share', 'EV']],
    ['Does it seven?', []],
    ['IT spending', ['IT']],
    ['CHURN by month', ['churn']],
    ['churned users', []],
    ['C++ jobs', ['C++']],
  ])('in %j: %j', (question, expected) => expect(find(question)).toEqual(expected));

  it('is cut to 300 characters', () => {
    const long = [{ term: 'x', meaning: 'y'.repeat(1_000), place: 'x:1' }];
    const [found] = findJargon('x', long, { most: 10, characters: 300 });
    expect(found?.meaning).toHaveLength(300);
  });
});
