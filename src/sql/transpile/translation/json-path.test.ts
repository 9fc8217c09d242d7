import { expect, it } from 'vitest';
import { readJsonPath, readPathArray, writeDottedPath, writeJsonPath, writePathArray } from './json-path.ts';

it.each([
  ['$.a', ['a']],
  ['$.a.b[0]', ['a', 'b', 0]],
  ['$."b c"[2].d', ['b c', 2, 'd']],
  ["$['x']", ['x']],
])('%s', (path, steps) => {
  expect(readJsonPath(path)).toEqual(steps);
  expect(readJsonPath(writeJsonPath(steps))).toEqual(steps);
});

it.each(['a', '$', '$.*', '$..a', '$[*]', '$.a[last]'])('%s is more or less than a path', (path) => {
  expect(readJsonPath(path)).toBeUndefined();
});

it('writes the spellings of PostgreSQL and Snowflake', () => {
  expect(writePathArray(['a', 0, 'b c'])).toBe('{a,0,b c}');
  expect(readPathArray('{a,0,b c}')).toEqual(['a', 0, 'b c']);
  expect(writePathArray(['a,b'])).toBeUndefined();
  expect(writeDottedPath(['a', 0, 'b'])).toBe('a[0].b');
});
