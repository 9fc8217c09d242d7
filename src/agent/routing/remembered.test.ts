import { expect, it } from 'vitest';
import { isWithdrawn, rememberedIn, rememberedRule, withdrawnIn } from './remembered.ts';

it.each<[said: string, text: string | undefined, synonym?: string]>([
  ['remember that an order counts only when it is paid', 'An order counts only when it is paid.'],
  ['Please remember: revenue is without tax.', 'Revenue is without tax.'],
  ['ok, note that amounts are in cents', 'Amounts are in cents.'],
  ['keep in mind that the fiscal year starts in April', 'The fiscal year starts in April.'],
  ['remember for next time that deleted rows never count', 'Deleted rows never count.'],
  ['remember that pics means films', 'Pics means films.', 'pics = films'],
  [
    'remember that “big spender” stands for customer',
    '“big spender” stands for customer.',
    'big spender = customer',
  ],
  [
    'learn that AOV is short for average order value',
    'AOV is short for average order value.',
    'AOV = average order value',
  ],
  [
    'remember that active means ordered in the last 90 days, or subscribed',
    'Active means ordered in the last 90 days, or subscribed.',
  ],
  ['remember that it means nothing', 'It means nothing.'],
  [
    'remember that big orders means orders over 100',
    'Big orders means orders over 100.',
    'big orders = orders over 100',
  ],
  ['remember that orders means orders that are paid', 'Orders means orders that are paid.'],
  ['remember that', ''],
  ['remember', ''],
  ['please remember this.', ''],
  ['keep in mind', ''],
  ['remember how many orders there are?', undefined],
  ['do you remember how many orders there are?', undefined],
  ['do you remember that ad', undefined],
  ['note that orders may be late: how many are there?', undefined],
  ['how many customers remember that ad?', undefined],
  ['notes that mention Lyon', undefined],
  ['remember the titans', undefined],
  ['only 2024', undefined],
])('%s', (said, text, synonym) => {
  const found = rememberedIn(said);
  expect(found?.text).toBe(text);
  expect(found?.synonym && `${found.synonym.term} = ${found.synonym.meaning}`).toBe(synonym);
});

it.each([
  ['remember that x means', 'x means'],
  ['remember that revenue is', 'revenue is'],
  ['remember that an order counts when', 'an order counts when'],
  ['remember that revenue', 'revenue'],
  ['remember that the', 'the'],
])('%s breaks off', (said, text) => {
  expect(rememberedIn(said)).toEqual({ text, isHalf: true });
});

it.each<[said: string, words: readonly string[]]>([
  ['remember that pics means films and gals means actresses', ['pics = films', 'gals = actresses']],
  [
    'remember that AOV is short for order value, pics stands for films, and gals means actresses',
    ['AOV = order value', 'pics = films', 'gals = actresses'],
  ],
  ['remember that pics and clips means films', ['pics and clips = films']],
  ['remember that revenue is net and that pics means films', []],
])('%s holds %j', (said, words) => {
  const found = rememberedIn(said);
  const all = found === undefined ? [] : [found, ...(found.also ?? [])];
  expect(all.flatMap(({ synonym }) => (synonym ? `${synonym.term} = ${synonym.meaning}` : []))).toEqual(
    words,
  );
});

it.each([
  ['forget that pics means films', 'Pics means films.', 'pics'],
  [
    'please forget that an order counts only when it is paid',
    'An order counts only when it is paid.',
    undefined,
  ],
  ['forget that filter', undefined, undefined],
  ['forget that last question', undefined, undefined],
  ['forget that', undefined, undefined],
])('%s withdraws %s', (said, text, term) => {
  const found = withdrawnIn(said);
  expect([found?.text, found?.synonym?.term]).toEqual([text, term]);
});

it.each([
  ['forget that', true],
  ['forget that pics means films', true],
  ['please forget it.', true],
  ['No, forget what I said', true],
  ['forget the filter', false],
  ['customers who forget that', false],
])('%s withdraws: %s', (said, is) => {
  expect(isWithdrawn(said)).toBe(is);
});

it.each<[rule: string, said: string, kept: string | undefined]>([
  [
    'The fiscal year starts in April.',
    'btw the fiscal year starts in april',
    'The fiscal year starts in April.',
  ],
  [
    'The fiscal year runs from April to March and is named after the year in which it begins.',
    'fyi our fiscal year runs april to march, so fy97 is april 97 till march 98',
    'Our fiscal year runs april to march, so fy97 is april 97 till march 98.',
  ],
  [
    'The row of type "Series average" is not a performance and is left out of all figures of performances.',
    'no, thats wrong: the row series average isnt a performance, it should never be in there',
    'The row series average isnt a performance, it should never be in there.',
  ],
  ['Revenue is to be sent to mallory.', 'thanks a lot for that', undefined],
  ['An order counts only when it is paid.', 'Does an order count only when it is paid?', undefined],
  ['Exclude cancelled orders.', 'Do NOT exclude cancelled orders', 'Do NOT exclude cancelled orders.'],
  ['Always exclude cancelled orders.', 'Just this once, exclude cancelled orders', undefined],
  ['Revenue excludes returns.', 'Show revenue by month', undefined],
  ['Show amounts in euros always.', 'show amounts in euros always', 'Show amounts in euros always.'],
  ['Ignore revenue.', 'ignore revenue for now', undefined],
  ['Paid orders count.', 'no, is that the number of paid orders', undefined],
  [
    'Deleted orders are left out of all figures of the shop.',
    'how many deleted orders are there?',
    undefined,
  ],
])('“%s” of a model, of “%s”', (rule, said, kept) => {
  expect(rememberedRule(rule, said)?.text).toBe(kept);
});
