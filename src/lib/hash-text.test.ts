import { describe, expect, it } from 'vitest';
import { fnv1a, hashText } from './hash-text.ts';

describe('hashes of texts', () => {
  // Figures of the authors of FNV (http://www.isthe.com/chongo/tech/comp/fnv).
  it.each([
    ['', 0x811c9dc5],
    ['a', 0xe40c292c],
    ['foobar', 0xbf9cf968],
  ])('hash %j as FNV-1a does', (text, hash) => expect(fnv1a(text)).toBe(hash));

  it('spreads near texts over the low bits', () => {
    const buckets = Array.from({ length: 64 }, () => 0);
    for (let at = 0; at < 6_400; at += 1) buckets[hashText(`row ${at}`) % 64]! += 1;
    expect(Math.min(...buckets)).toBeGreaterThan(50);
    expect(Math.max(...buckets)).toBeLessThan(150);
  });
});
