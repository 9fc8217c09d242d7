import { describe, expect, it } from 'vitest';
import { type AskedBack, mergeAnswer } from './merge-answer.ts';

const SALES: AskedBack = {
  kind: 'clarify',
  question: 'sales by city?',
  phrase: 'sales',
  options: [
    { label: 'order count', question: 'order count by city' },
    { label: 'order amount', question: 'order amount by city' },
  ],
};
const INCOME: AskedBack = {
  kind: 'follow_up',
  question: 'ticket income in 2023?',
  phrase: 'city',
  options: [
    { label: 'for each city', question: 'ticket income in 2023 by city' },
    { label: 'Lisbon', question: 'ticket income in 2023 for city Lisbon' },
  ],
};

describe('mergeAnswer', () => {
  const cases: readonly (readonly [back: AskedBack, reply: string, question: string])[] = [
    [SALES, '1', 'order count by city'],
    [SALES, ' 2. ', 'order amount by city'],
    [SALES, 'the second one', 'order amount by city'],
    [SALES, 'option 1', 'order count by city'],
    [SALES, 'Order  Amount', 'order amount by city'],
    [SALES, 'amount', 'order amount by city'],
    [SALES, 'number of leads', 'number of leads by city?'],
    [SALES, 'just pick', 'order count by city'],
    [SALES, 'Any', 'order count by city'],
    [SALES, "I don't care", 'order count by city'],
    [INCOME, 'Lisbon', 'ticket income in 2023 for city Lisbon'],
    [INCOME, 'all', 'ticket income in 2023 by city'],
    [INCOME, 'every one', 'ticket income in 2023 by city'],
    [INCOME, 'Porto', 'ticket income in 2023 for city Porto'],
    [INCOME, 'in Porto', 'ticket income in 2023 for city Porto'],
    [{ ...SALES, phrase: 'Sales' }, 'revenue in $&', 'revenue in $& by city?'],
  ];
  it.each(cases)('%# “%s”', (back, reply, question) => {
    expect(mergeAnswer(back, reply)).toMatchObject({ kind: 'merged', question });
  });

  it.each([
    [SALES, ''],
    [SALES, '?!'],
    [SALES, '3'],
    [SALES, '0'],
    [SALES, 'all'],
    [{ ...SALES, phrase: 'turnover' }, 'revenue'],
    [{ ...SALES, options: [] }, 'any'],
    [SALES, 'x'.repeat(201)],
  ])('%# is not understood', (back, reply) => {
    expect(mergeAnswer(back, reply).kind).toBe('unclear');
  });

  it('says what was taken for who leaves it open', () => {
    expect(mergeAnswer(SALES, 'whatever')).toMatchObject({ assumed: expect.stringContaining('order count') });
    expect(mergeAnswer(SALES, '1')).not.toHaveProperty('assumed');
  });

  it('every option can be picked by its number and by its label', () => {
    for (const back of [SALES, INCOME])
      for (const [at, { label, question }] of back.options.entries())
        for (const reply of [String(at + 1), label, label.toUpperCase()])
          expect(mergeAnswer(back, reply)).toEqual({ kind: 'merged', question, option: at });
  });
});
