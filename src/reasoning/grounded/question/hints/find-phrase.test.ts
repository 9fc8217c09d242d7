import { describe, expect, it } from 'vitest';
import { tokenise } from '../read/tokenise.ts';
import { findPhrase } from './apply-hint.ts';

describe('findPhrase', () => {
  it.each<{ phrase: string; question: string; found: readonly string[] }>([
    { phrase: 'full names', question: 'Show the full name of Ana.', found: ['full name'] },
    {
      phrase: 'compounds are metallic',
      question: 'How many metallic compounds?',
      found: ['metallic compounds'],
    },
    { phrase: 'non-metallic', question: 'Compounds that are not metallic?', found: ['not metallic'] },
    { phrase: 'not metallic', question: 'How many non-metallic ones?', found: ['non-metallic'] },
    { phrase: 'metallic', question: 'How many non-metallic ones?', found: [] },
    { phrase: 'race number', question: 'Who won race no. 20?', found: ['race no'] },
    {
      phrase: 'average pay',
      question: 'Compare the lowest average pay with the highest average pay.',
      found: ['average pay', 'average pay'],
    },
    { phrase: 'paid well', question: 'Is it well, paid or not?', found: ['well', 'paid'] },
    { phrase: 'the cat of the king', question: 'Who has a dog?', found: [] },
    { phrase: 'big red compounds', question: 'Show compounds.', found: [] },
    { phrase: '', question: 'Show compounds.', found: [] },
  ])('“$phrase” in “$question”', ({ phrase, question, found }) => {
    const tokens = tokenise(question);
    const places = findPhrase(phrase, tokens, (word) => word === 'compounds');
    expect(places.map(({ from, to }) => question.slice(tokens[from]?.start, tokens[to - 1]?.end))).toEqual(
      found,
    );
  });
});
