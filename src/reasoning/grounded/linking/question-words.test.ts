import { describe, expect, it } from 'vitest';
import { type Cues, readQuestionWords } from './question-words.ts';

const MANY = 100_000;

describe('cues of a question', () => {
  const cases: readonly (readonly [question: string, cues: Partial<Cues>])[] = [
    ['Who sang "Imagine" and \'Hey Jude\'?', { quotes: 2, who: true }],
    ['Who sang “Imagine” and ‘Hey Jude’?', { quotes: 2 }],
    // too short to be a quoted text
    ['Is it "x" or ""?', { quotes: 1 }],
    ['“a” “b”', { quotes: 0 }],
    // one mark closes a text and opens none
    ['"one"two"', { quotes: 1 }],
    ['"one"two"three"', { quotes: 2 }],
    // an opening mark within is a part of the text
    ['“one ‘two” three”', { quotes: 1 }],
    // nothing closes it
    ['“never closed', { quotes: 0 }],
    ['"closed" “never closed', { quotes: 1 }],
    ["closed by the wrong mark “one'", { quotes: 1 }],
    ['😀“😀😀”', { quotes: 1 }],
    ['the oldest singer', { superlative: true }],
    ['the cheapest ticket', { superlative: true }],
    ['THE BEST', { superlative: true }],
    ['a test', { superlative: false }],
    ['an estimate of the interests', { superlative: false }],
    ['west of here', { superlative: false }],
    ['the 2oldest', { superlative: false }],
    ['the_cheapest', { superlative: false }],
    // other letters end a word and begin one, as \b sees it
    ['prêtest', { superlative: true }],
    ['désagréablest', { superlative: true }],
    ['1aéest', { superlative: false }],
    ['the cheapesté', { superlative: true }],
    ['How many of the 3 cars of 1999 cost 2,500.75?', { counts: true, numbers: 3, years: 1, words: 12 }],
  ];
  it.each(cases)('%j', (question, cues) => {
    expect(readQuestionWords(question, '').cues).toMatchObject(cues);
  });

  it.each<[unit: string, cues: Partial<Cues>]>([
    ['“', { quotes: 0, superlative: false, words: 0 }],
    ['‘', { quotes: 0 }],
    ['"', { quotes: 0 }],
    ['“a', { quotes: 0 }],
    ['a', { superlative: false, words: 1 }],
    ['aé', { superlative: false, words: 1 }],
    ['价a', { superlative: false, words: 1 }],
    ['est', { superlative: true }],
    ['1,', { numbers: 1 }],
  ])('are read of %j without end', (unit, cues) => {
    expect(readQuestionWords(unit.repeat(MANY / unit.length), '').cues).toMatchObject(cues);
  });
});
