import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutLines, oneLine } from './one-line.ts';

describe('one line', () => {
  it.each([
    ['a\n b\t\u0000c', 'a b c'],
    ['a'.repeat(30), `${'a'.repeat(19)}…`],
    [`${'a'.repeat(18)}😀b😀`, `${'a'.repeat(18)}…`],
    [`a${' '.repeat(1_000)}b`, 'a…'],
  ])('of %j', (text, line) => expect(oneLine(text, 20)).toBe(line));

  it('is never longer than asked for and never breaks', () => {
    const text = fc.array(fc.constantFrom('a', 'ä', '😀', ' ', '\n', '\u2028', '\0', '\u001b'), {
      maxLength: 200,
    });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 50 }), (characters, most) => {
        const line = oneLine(characters.join(''), most);
        expect(line.length).toBeLessThanOrEqual(most);
        expect(line).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u);
      }),
    );
  });
});

describe('lines that are cut', () => {
  it('stay whole and say so', () => {
    const text = Array.from({ length: 100 }, (_, at) => `line ${at}`).join('\n');
    expect(cutLines(text, 60)).toBe('line 0\nline 1\nline 2\nline 3\nline 4\n… cut: ask for less');
    expect(cutLines('short', 60)).toBe('short');
  });
});
