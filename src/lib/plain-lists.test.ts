import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { numberList, textList } from './plain-lists.ts';

const FILE = z.strictObject({
  numbers: numberList({ least: 1, most: 3 }, (value) => value >= 0),
  names: textList({ most: 2 }, 3),
});

describe('plain lists of a file', () => {
  it('are what they were', () => {
    const file = { numbers: [0, 0.5, 2], names: ['', 'abc'] };
    expect(FILE.parse(file)).toEqual(file);
  });

  it.each<[string, unknown, unknown, readonly PropertyKey[], string]>([
    ['no list', { 0: 1 }, [], ['numbers'], 'expected array'],
    ['nothing', undefined, [], ['numbers'], 'expected array'],
    ['too short', [], [], ['numbers'], 'Too small'],
    ['too long', [1, 2, 3, 4], [], ['numbers'], 'Too big'],
    ['a text among numbers', [1, '2'], [], ['numbers', 1], 'Invalid input'],
    ['null among numbers', [null], [], ['numbers', 0], 'Invalid input'],
    ['no number', [1, Number.NaN], [], ['numbers', 1], 'Invalid input'],
    ['an infinite number', [Number.POSITIVE_INFINITY], [], ['numbers', 0], 'Invalid input'],
    ['a number that is not accepted', [1, 2, -1], [], ['numbers', 2], 'Invalid input'],
    ['a hole', new Array(2), [], ['numbers', 0], 'Invalid input'],
    ['a number among names', [1], ['a', 1], ['names', 1], 'Invalid input'],
    ['a long name', [1], ['abcd'], ['names', 0], 'Too big'],
    ['names too many', [1], ['a', 'b', 'c'], ['names'], 'Too big'],
  ])('%s is refused with its place', (_, numbers, names, path, message) => {
    const issues = FILE.safeParse({ numbers, names }).error?.issues;
    expect(issues).toMatchObject([{ path }]);
    expect(issues?.[0]?.message).toContain(message);
  });
});
