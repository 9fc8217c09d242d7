import { expect, it } from 'vitest';
import type { ServerSession } from './session-pool.ts';
import { SessionPool } from './session-pool.ts';

const LIMITS = { timeoutMs: 10_000 };

it('tells a failed opening to those who waited for it, not to one who came later', async () => {
  const openings: { succeed: (session: ServerSession) => void; fail: (error: Error) => void }[] = [];
  const pool = new SessionPool(
    2,
    () => new Promise((succeed, fail) => void openings.push({ succeed, fail })),
  );
  const [first, second] = [pool.acquire(LIMITS), pool.acquire(LIMITS)];
  openings[0]?.succeed(aSession());
  pool.release(await first);
  pool.release(await second);
  // The second opening still goes on, for nobody; whoever asks meanwhile gets the idle session, and the next waits.
  const third = await pool.acquire(LIMITS);
  const fourth = pool.acquire(LIMITS);
  openings[1]?.fail(new Error('the server went away'));
  await new Promise((resolve) => setImmediate(resolve));
  openings[2]?.succeed(aSession());
  expect(await fourth).not.toBe(third);
  expect(openings).toHaveLength(3);
});

it('tells each who waits why no session can be opened', async () => {
  const pool = new SessionPool(2, () => Promise.reject(new Error('nothing listens there')));
  const outcomes = await Promise.allSettled([1, 2, 3].map(() => pool.acquire(LIMITS)));
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
});

function aSession(): ServerSession {
  const never = (): never => {
    throw new Error('not used');
  };
  return {
    isUsable: true,
    hold: () => undefined,
    end: async () => undefined,
    destroy: () => undefined,
    cancel: async () => undefined,
    query: never,
    explain: never,
    readSchema: never,
    stamp: never,
    readOwnCode: never,
    describe: never,
  };
}
