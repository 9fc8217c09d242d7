import { describe, expect, it } from 'vitest';
import { correctSpelling } from './spellings.ts';
import { tokenise } from './tokenise.ts';

const VOCABULARY = new Set(
  'singer singers salary concert concerts stadium stadiums title titles order count'.split(' '),
);

function correct(word: string, vocabulary: ReadonlySet<string> = VOCABULARY): string | null {
  const [token] = tokenise(word);
  if (token === undefined) throw new Error('no word');
  return correctSpelling(token, vocabulary)?.to ?? null;
}

describe('correctSpelling', () => {
  const cases: readonly (readonly [word: string, to: string | null, why: string])[] = [
    ['salery', 'salary', 'a letter changed'],
    ['stadum', 'stadium', 'a letter left out'],
    ['stadiium', 'stadium', 'a letter added'],
    ['concrets', 'concerts', 'two letters swapped'],
    ['Salery', 'salary', 'capital letters do not matter'],
    ["Salery's", 'salary', 'nor does a possessive'],
    ['salary', null, 'right already'],
    ['ordre', 'order', 'five letters are enough'],
    ['ordr', null, 'four are not'],
    ['xalary', null, 'the first letter must be right'],
    ['sallerey', null, 'two edits are another word'],
    ['concert', null, 'a word of the vocabulary is never changed'],
    ['12345', null, 'a number is no word'],
    ["'salery'", null, 'what is quoted is left as it is'],
  ];
  it.each(cases)('%s → %s: %s', (word, to) => {
    expect(correct(word)).toBe(to);
  });

  it('leaves a word alone that is near to two names', () => {
    const near = new Set(['grades', 'graces']);
    expect(correct('grabes', near)).toBeNull();
    expect(correct('gradess', near)).toBe('grades');
  });

  // The vocabulary holds every name in the singular and the plural, so a slip in the last letter is near both.
  it('reads a slip in the last letter, near the singular and the plural of one name', () => {
    expect(correct('stadiumm')).toBe('stadium');
  });

  it('finds nothing in an empty vocabulary', () => {
    expect(correct('salery', new Set())).toBeNull();
  });
});
