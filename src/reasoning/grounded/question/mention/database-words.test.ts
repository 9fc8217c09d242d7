import { describe, expect, it } from 'vitest';
import { databaseWords } from '../../resolve/passed-over.ts';
import { tokenise } from '../read/tokenise.ts';

describe('databaseWords', () => {
  it.each([
    { database: 'student_club', question: 'members of the Student_Club', words: ['Student_Club'] },
    { database: 'student_club', question: 'members of the club', words: ['club'] },
    { database: 'formula_1', question: 'winners of Formula_1 races in 1', words: ['Formula_1'] },
    { database: 'shop', question: 'orders per city', words: [] },
    { database: '', question: 'orders', words: [] },
  ])('of “$question” in $database', ({ database, question, words }) => {
    const tokens = tokenise(question);
    expect(databaseWords(tokens, database).map(({ from }) => tokens[from]?.text)).toEqual(words);
  });
});
