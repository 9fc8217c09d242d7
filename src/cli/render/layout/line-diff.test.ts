import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineDiff } from './line-diff.ts';

const shown = (before: string, after: string) =>
  lineDiff(before, after).map(({ mark, text }) => `${mark}${text}`);

describe('lineDiff', () => {
  it.each([
    ['a', 'b', ['-a', '+b']],
    ['a\nb\nc', 'a\nx\nc', [' a', '-b', '+x', ' c']],
    ['a', 'a\nb', [' a', '+b']],
    ['a\nb', 'b', ['-a', ' b']],
    ['a', 'a', [' a']],
  ])('%j → %j', (before, after, expected) => {
    expect(shown(before, after)).toEqual(expected);
  });

  it('holds both texts', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 8 }).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = lineDiff(before, after);
        const without = (mark: string) => lines.filter((line) => line.mark !== mark).map((line) => line.text);
        expect(without('+').join('\n')).toBe(before);
        expect(without('-').join('\n')).toBe(after);
      }),
    );
  });
});
