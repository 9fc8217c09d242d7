import { describe, expect, it } from 'vitest';
import { SHOP_WORDS } from '../../../test/fixtures/grounded/shop-words.ts';
import { CandorError, type ErrorCode } from '../../errors.ts';
import { emptySemanticModel } from '../../knowledge/semantic/index.ts';
import { normaliseQuestion } from './normalise-question.ts';

function codeOf(question: string): ErrorCode | null {
  try {
    normaliseQuestion(question, emptySemanticModel);
    return null;
  } catch (error) {
    if (error instanceof CandorError) return error.code;
    throw error;
  }
}

describe('normaliseQuestion', () => {
  const errors: readonly (readonly [question: string, code: ErrorCode | null])[] = [
    ['', 'question.empty'],
    ['   \n\t ', 'question.empty'],
    ['?!…', 'question.empty'],
    ['\u0000', 'question.empty'],
    ['🎤🎤', 'question.empty'],
    ['x', null],
    ['7', null],
    ['多少', null],
    ['a'.repeat(2_000), null],
    ['a'.repeat(2_001), 'question.too-long'],
    ['how many '.repeat(12_000), 'question.too-long'],
    [` ${' '.repeat(100_000)}how many orders ${' '.repeat(100_000)}`, null],
    // SQL instead of a question
    ['SELECT * FROM orders', 'question.is-sql'],
    ['  select name\nfrom orders', 'question.is-sql'],
    ['WITH a AS (SELECT 1) SELECT * FROM a', 'question.is-sql'],
    ['DELETE FROM orders', 'question.is-sql'],
    ['drop table orders', 'question.is-sql'],
    ['INSERT INTO orders VALUES (1)', 'question.is-sql'],
    ['update orders set price = 1', 'question.is-sql'],
    ['CREATE TABLE x (a)', 'question.is-sql'],
    ['PRAGMA table_info(orders)', 'question.is-sql'],
    // questions that begin like SQL
    ['select the best singers', null],
    ['with which singers did we work', null],
    ['update of the list', null],
    ['create date of each order', null],
    ['drop in sales', null],
  ];
  it.each(errors)('%j gives %s', (question, code) => {
    expect(codeOf(question)).toBe(code);
  });

  it('says how long the question is and what the limit is', () => {
    expect(() => normaliseQuestion('ab '.repeat(1_000), emptySemanticModel)).toThrow(/2,999.*2,000/);
  });

  it('trims, joins white space and composes accents', () => {
    const { original, text } = normaliseQuestion(
      '  how\r\n many\u00a0 cafe\u0301s\u0007 ? ',
      emptySemanticModel,
    );
    expect(original).toBe('how many cafés ?');
    expect(text).toBe(original);
  });

  const jargon: readonly (readonly [question: string, text: string])[] = [
    ['How many NEV orders?', 'How many new energy vehicle orders?'],
    ['how many nev, please', 'how many new energy vehicle, please'],
    ['never mind the nevus', 'never mind the nevus'],
    ['Calls to C++ in 2023', 'Calls to customer care in 2023'],
    ['List the big ones.', 'List the orders above 1000.'],
  ];
  it.each(jargon)('reads “%s” as “%s”, and keeps what was asked', (question, text) => {
    expect(normaliseQuestion(question, SHOP_WORDS)).toEqual({ original: question, text });
  });
});
