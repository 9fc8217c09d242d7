import { describe, expect, it } from 'vitest';
import { BoundedMap } from './bounded-map.ts';

describe('a bounded map', () => {
  it('drops the oldest entry', () => {
    const kept = new BoundedMap<string, number>(2).set('a', 1).set('b', 2).set('c', 3);
    expect([...kept]).toEqual([
      ['b', 2],
      ['c', 3],
    ]);
    expect([...kept.set('b', 4).keys()]).toEqual(['b', 'c']);
  });

  it('keeps what was refreshed longer than what was not', () => {
    const kept = new BoundedMap<string, number>(2).set('a', 1).set('b', 2);
    expect(kept.refresh('a')).toBe(1);
    expect(kept.refresh('z')).toBeUndefined();
    expect([...kept.set('c', 3).keys()]).toEqual(['a', 'c']);
  });

  it('makes what is missing once, also where nothing was found', () => {
    const kept = new BoundedMap<string, number | undefined>(10);
    let calls = 0;
    const make = (key: string) => {
      calls += 1;
      return key === 'a' ? 1 : undefined;
    };
    expect(['a', 'a', 'b', 'b'].map((key) => kept.getOrMake(key, make))).toEqual([
      1,
      1,
      undefined,
      undefined,
    ]);
    expect(calls).toBe(2);
  });
});
