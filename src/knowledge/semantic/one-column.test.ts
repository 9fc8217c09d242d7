import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readOneColumn, writeOneColumn } from './semantic-file.ts';

describe('one column', () => {
  it.each([
    ['status', 'status'],
    ['orders.status', 'status'],
    ['"Free Meal Count (K-12)"', 'Free Meal Count (K-12)'],
    ['frpm."Free ""Meal"""', 'Free "Meal"'],
    ['"my table"."a.b"', 'a.b'],
    ['a + b', undefined],
    ['COUNT(x)', undefined],
    ['a.b.c', undefined],
    ['"open', undefined],
  ])('reads %s', (expression, column) => {
    expect(readOneColumn(expression)).toBe(column);
  });

  it('reads back every name that it writes', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (name) => {
        fc.pre(name.trim() === name);
        expect(readOneColumn(writeOneColumn(name))).toBe(name);
      }),
    );
  });
});
