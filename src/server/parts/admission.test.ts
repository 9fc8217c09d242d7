import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { codeOf } from '../../../test/fixtures/code-of.ts';
import { CandorError } from '../../errors.ts';
import { Admission } from './admission.ts';

/** Lets each of the names in, and notes the order in which they begin; what begins ends when it is told to. */
function line(settings: ConstructorParameters<typeof Admission>[0]) {
  const admission = new Admission(settings);
  const began: string[] = [];
  const ends: (() => void)[] = [];
  const enter = (name: string, signal?: AbortSignal): Promise<void> =>
    admission.enter(name.slice(0, 1), signal).then((leave) => {
      began.push(name);
      ends.push(leave);
    });
  const endOne = async (): Promise<void> => {
    ends.shift()?.();
    await wait(0);
  };
  return { admission, began, enter, endOne };
}
const PATIENT = { mostAtOnce: 2, mostOfOne: 2, mostWaitMs: 60_000 };

describe('a line before scarce work', () => {
  it('lets in so many, and goes round among those who wait', async () => {
    const { began, enter, endOne } = line(PATIENT);
    const entering = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2'].map((name) => enter(name));
    await wait(0);
    expect(began).toEqual(['a1', 'a2']);
    for (let ended = 0; ended < 5; ended += 1) await endOne();
    await Promise.all(entering);
    expect(began.slice(2)).toEqual(['b1', 'a3', 'c1', 'b2', 'a4']);
  });

  it('keeps a place for others where one person has all that one may have', async () => {
    const { began, enter } = line({ mostAtOnce: 3, mostOfOne: 2, mostWaitMs: 60_000 });
    const gone = new AbortController();
    void enter('a1');
    void enter('a2');
    const third = codeOf(enter('a3', gone.signal));
    await enter('b1');
    expect(began).toEqual(['a1', 'a2', 'b1']);
    gone.abort();
    expect(await third).toBe('database.cancelled');
  });

  it('sends away who would wait too long, at once and with a time, later ones with a later time', async () => {
    const { enter } = line({ mostAtOnce: 1, mostOfOne: 1, mostWaitMs: 1_400 });
    await enter('a1');
    const waiting = [codeOf(enter('b1')), codeOf(enter('c1'))];
    const from = performance.now();
    const seconds: unknown[] = [];
    for (const name of ['d1', 'e1', 'f1', 'g1']) {
      const refused = await enter(name).catch((error: unknown) => error);
      expect(refused).toMatchObject({ code: 'server.overloaded' });
      if (refused instanceof CandorError) seconds.push(refused.data.retryAfter);
    }
    expect(seconds).toEqual([1, 1, 2, 2]);
    // What begins later than was thought is told so too.
    expect(await Promise.all(waiting)).toEqual(['server.overloaded', 'server.overloaded']);
    expect(performance.now() - from).toBeGreaterThan(1_000);
  });

  it('learns how long works take', async () => {
    const { admission, enter } = line({ mostAtOnce: 1, mostOfOne: 1, mostWaitMs: 300 });
    for (let works = 0; works < 30; works += 1) (await admission.enter('a'))();
    await enter('a1');
    for (const name of ['b1', 'c1', 'd1']) void enter(name).catch(() => undefined);
    const fast = await Promise.race([codeOf(enter('e1')), wait(50, 'waits')]);
    expect(fast).toBe('waits');
  });

  it('forgets who has gone away', async () => {
    const { began, enter, endOne } = line({ ...PATIENT, mostAtOnce: 1 });
    await enter('a1');
    const gone = new AbortController();
    const left = codeOf(enter('b1', gone.signal));
    const next = enter('c1');
    gone.abort();
    expect(await left).toBe('database.cancelled');
    await endOne();
    await next;
    expect(began).toEqual(['a1', 'c1']);
  });
});
