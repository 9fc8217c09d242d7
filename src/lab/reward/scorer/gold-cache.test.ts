import { describe, expect, it } from 'vitest';
import { GoldCache } from './open-scorer.ts';

function counting(cells: number) {
  const asked: string[] = [];
  const run = (key: string) => async () => {
    asked.push(key);
    return { key, cells };
  };
  return { asked, run };
}

describe('GoldCache', () => {
  it('runs a key once, also while it runs', async () => {
    const cache = new GoldCache<{ key: string; cells: number }>(1_000_000);
    const { asked, run } = counting(10);
    await Promise.all([cache.get('a', run('a')), cache.get('a', run('a'))]);
    expect((await cache.get('a', run('a'))).key).toBe('a');
    expect(asked).toEqual(['a']);
  });

  it('lets go of what was used longest ago when there are too many cells', async () => {
    const cache = new GoldCache<{ key: string; cells: number }>(500);
    const { asked, run } = counting(100);
    for (const key of ['a', 'b', 'a', 'c']) await cache.get(key, run(key));
    expect(cache.size).toBe(2);
    await cache.get('a', run('a'));
    await cache.get('b', run('b'));
    expect(asked).toEqual(['a', 'b', 'c', 'b']);
  });

  it('does not keep failures, nor anything once cleared', async () => {
    const cache = new GoldCache<{ key: string; cells: number }>(500);
    await expect(cache.get('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(cache.size).toBe(0);
    const { asked, run } = counting(1);
    await cache.get('a', run('a'));
    cache.clear();
    await cache.get('a', run('a'));
    expect(asked).toEqual(['a', 'a']);
  });
});
