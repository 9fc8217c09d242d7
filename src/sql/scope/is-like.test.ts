import { expect, it } from 'vitest';
import { isLike } from './read/read-star.ts';

it.each([
  ['user_id', '%ID', true],
  ['USER_ID', 'user_id', true],
  ['user_id', 'user', false],
  ['user_id', '_ser%', true],
  ['id', '__', true],
  ['id', '___', false],
  ['', '%%', true],
  ['abcabd', '%ab_', true],
  ['abcabd', 'a%b%d', true],
  ['a.c', 'a.c', true],
  ['abc', 'a.c', false],
  ['a\\b', 'a\\_', true],
])('%j is like %j: %j', (text, pattern, expected) => {
  expect(isLike(text, pattern)).toBe(expected);
});

it('takes no longer for many signs', () => {
  expect(isLike('a'.repeat(200), `${'%a'.repeat(150)}b`)).toBe(false);
});
