import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { barePattern } from './asked-question.ts';

describe('a pattern without its wildcards', () => {
  it.each([
    ['%Fresno%', 'Fresno'],
    ['Fresno', 'Fresno'],
    ['%%50% off%', '50% off'],
    ['%%%', ''],
    ['', ''],
  ])('%j → %j', (text, bare) => expect(barePattern(text)).toBe(bare));

  it('is what the plain expression gives', () => {
    const texts = fc.array(fc.constantFrom('%', 'a', ' ', '\n', '🙂')).map((signs) => signs.join(''));
    fc.assert(fc.property(texts, (text) => barePattern(text) === text.replace(/^%+|%+$/g, '')));
  });
});
