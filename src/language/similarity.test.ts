import { expect, it } from 'vitest';
import { nearestNames } from './similarity.ts';

it.each([
  ['a swap of letters', 'nmae', ['age', 'name', 'country'], ['name']],
  ['case', 'SINGERID', ['Singer_ID', 'Name'], ['Singer_ID']],
  ['underscores and camel case', 'singer_id', ['SingerId', 'Age'], ['SingerId']],
  ['a shared word', 'customer', ['customer_number', 'country'], ['customer_number']],
  ['a missing plural', 'singers', ['singer', 'stadium'], ['singer']],
  ['nothing near', 'colour', ['id', 'weight'], []],
])('finds the nearest for %s', (_, word, candidates, expected) => {
  expect(nearestNames(word, candidates, 1)).toEqual(expected);
});

it('orders by distance, then by name, and names each once', () => {
  expect(nearestNames('name', ['names', 'fname', 'name', 'name'], 3)).toEqual(['name', 'fname', 'names']);
});
