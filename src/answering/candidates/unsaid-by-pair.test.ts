import { describe, expect, it } from 'vitest';
import { isSameText } from '../assess/same-sql.ts';
import { unsaidByPair } from './unsaid-by-pair.ts';

const PAIR = {
  question: 'How many orders did Berlin have in Q1 2023?',
  sql: "SELECT COUNT(*) FROM orders WHERE city = 'Berlin' AND day BETWEEN '2023-01-01' AND '2023-03-31'",
};

describe('what a verified pair does not say', () => {
  it.each([
    ['Orders of Berlin, first quarter of 2023', undefined],
    ['Orders of Berlin, quarter 1 of 2023', undefined],
    ['Orders of Berlin from 2023-01-01 on', undefined],
    ['Orders of the capital in Q1 of 2024', 'it does not say 2024'],
    ['The 7 best orders of Berlin', 'it does not say 7'],
  ])('%s', (question, unsaid) => {
    expect(unsaidByPair(question, PAIR, { isPrivate: false })).toBe(unsaid);
  });

  it('is its values, where the model was not shown them', () => {
    const said = 'Orders of Berlin, first quarter of 2023';
    expect(unsaidByPair(said, PAIR, { isPrivate: true })).toBeUndefined();
    const other = unsaidByPair('Orders of Paris in the first quarter of 2023', PAIR, { isPrivate: true });
    expect(other).toBe('it is about another value');
  });
});

describe('the same text of SQL', () => {
  it.each([
    ['SELECT  A FROM t;', 'select a from T', true],
    ["SELECT a FROM t WHERE s = 'Paid'", "select a from t where s = 'Paid'", true],
    ["SELECT a FROM t WHERE s = 'Paid'", "SELECT a FROM t WHERE s = 'paid'", false],
    ["SELECT a FROM t WHERE s = 'a  b'", "SELECT a FROM t WHERE s = 'a b'", false],
  ])('%s, %s: %s', (one, other, isSame) => {
    expect(isSameText(one, other)).toBe(isSame);
  });
});
