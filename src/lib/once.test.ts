import { describe, expect, it } from 'vitest';
import { OpenAtNeed, once } from './once.ts';

/** Fails as often as is said, then gives how often it was called. */
function failing(times: number): () => Promise<number> {
  let calls = 0;
  return async () => {
    calls += 1;
    if (calls <= times) throw new Error(`failed ${calls}`);
    return calls;
  };
}

describe('what is made once', () => {
  it('is one for all who ask', async () => {
    const made = once(failing(0));
    expect(made.begun()).toBeUndefined();
    expect(await Promise.all([made(), made()])).toEqual([1, 1]);
    expect(await made.begun()).toBe(1);
  });

  it('is tried again after it has failed', async () => {
    const made = once(failing(1));
    const both = await Promise.allSettled([made(), made()]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(made.begun()).toBeUndefined();
    expect(await made()).toBe(2);
  });

  it('is made anew when it was forgotten, and an old failure takes nothing away', async () => {
    const made = once(failing(1));
    const old = made();
    made.forget();
    const next = made();
    await expect(old).rejects.toThrow('failed 1');
    expect(await next).toBe(2);
    expect(await made()).toBe(2);
  });

  it('is made from what the first gives', async () => {
    const made = once(async (name: string) => name);
    expect([await made('first'), await made('second')]).toEqual(['first', 'first']);
  });
});

describe('what is opened at need', () => {
  it('is closed where it was opened, and opened again after that', async () => {
    const closed: number[] = [];
    const make = failing(0);
    const held = new OpenAtNeed(async () => {
      const number = await make();
      return { number, close: async () => void closed.push(number) };
    });
    await held.close();
    expect(closed).toEqual([]);
    expect((await held.open()).number).toBe(1);
    await held.close();
    expect(closed).toEqual([1]);
    expect((await held.open()).number).toBe(2);
  });
});
