import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { orAborted, untilAborted } from './abort.ts';

describe('orAborted', () => {
  it('is the work where no signal is given', async () => {
    const { signal } = new AbortController();
    expect(await orAborted(Promise.resolve(1), signal)).toBe(1);
    expect(await orAborted(Promise.resolve(2), undefined)).toBe(2);
    await expect(orAborted(Promise.reject(new Error('work')), signal)).rejects.toThrow('work');
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('is the reason of a signal, before or during the work', async () => {
    const never = new Promise<never>(() => undefined);
    await expect(orAborted(never, AbortSignal.abort(new Error('before')))).rejects.toThrow('before');
    const control = new AbortController();
    const waiting = orAborted(never, control.signal, () => new Error('of mine'));
    control.abort(new Error('during'));
    await expect(waiting).rejects.toThrow('of mine');
  });
});

it('waits until a signal is given', async () => {
  const control = new AbortController();
  const waiting = untilAborted(control.signal).then(() => 'given');
  expect(await Promise.race([waiting, new Promise((resolve) => setImmediate(resolve, 'still'))])).toBe(
    'still',
  );
  control.abort();
  expect(await waiting).toBe('given');
  expect(await untilAborted(control.signal)).toBeUndefined();
});
