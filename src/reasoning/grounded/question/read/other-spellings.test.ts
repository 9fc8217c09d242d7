import { describe, expect, it } from 'vitest';
import { otherSpellings } from './spellings.ts';

const textsOf = (word: string): string[] => otherSpellings(word).map(({ text }) => text);

describe('otherSpellings', () => {
  it.each([
    ['California', 'CA'],
    ['LA', 'Louisiana'],
    ['new york', 'NY'],
    ['French', 'France'],
    ['US', 'United States'],
    ['women', 'Female'],
  ])('%s may be stored as %s', (word, other) => expect(textsOf(word)).toContain(other));

  it.each(['in', 'or', 'me', 'constructor', 'X'])('%s is only itself', (word) =>
    expect(textsOf(word)).toEqual([]),
  );

  it('looks for states where states are kept', () => {
    const [state] = otherSpellings('Texas');
    expect(state?.column?.test('state_province')).toBe(true);
    expect(state?.column?.test('name')).toBe(false);
  });
});
