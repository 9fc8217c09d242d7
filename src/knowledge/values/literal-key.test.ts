import { expect, it } from 'vitest';
import { literalKey } from './fold-value.ts';

const SAME: readonly (readonly [string, ...string[]])[] = [
  ['1250', '1,250', '1250.0', ' 1250 ', '+1250'],
  ['-0.5', '-.5', '-0.50'],
  ['2024-03-05', '2024/3/5', '2024-03-05 00:00:00', '2024-03-05T00:00:00Z', '2024-03-05 00:00:00+00'],
  ['2024-03-05 10:30:00'],
  ['12,34'],
  ['9007199254740993'],
  ['9007199254740992'],
  ['12:30'],
];

it('is one for every way to write a number or a day, and another for another', () => {
  const keys = SAME.map((texts) => new Set(texts.map(literalKey)));
  expect(keys.map(({ size }) => size)).toEqual(SAME.map(() => 1));
  expect(new Set(keys.flatMap((key) => [...key])).size).toBe(SAME.length);
});
