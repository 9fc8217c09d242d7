import { describe, expect, it } from 'vitest';
import { literalsOf, lostLiteral } from './normalise-by-model.ts';

describe('literals of a question', () => {
  it.each([
    ['How many "EV" cars in 2024?', ['EV', '2024']],
    ["which of John's orders have the code 'A-17'", ['A-17']],
    ['«Le Monde» et SKU-00317, K-12', ['Le Monde', 'SKU-00317', 'K-12']],
    ['all customers', []],
  ])('%s', (question, literals) => expect(literalsOf(question)).toEqual(literals));

  it.each([
    ['Umsatz über 1.000 in den 1990er Jahren', 'revenue over 1,000 in the 1990s', undefined],
    ['Umsatz von "Müller" 2024', 'revenue of "Mueller" 2024', 'Müller'],
    ['Umsatz 2024', 'revenue of last year', '2024'],
  ])('%s → %s lost %s', (question, other, lost) => expect(lostLiteral(question, other)).toBe(lost));
});
