/** Runs something on a session that a time limit, a cancel or the closing of the database can stop. */
import { setTimeout as sleep } from 'node:timers/promises';
import { CandorError } from '../../errors.ts';
import type { ServerSession } from './server-session.ts';

/** How long the server may take to stop after it was asked, before the connection is cut. */
const GRACE_MS = 2_000;
const ASK_AGAIN_MS = 150;

export interface StopReasons {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Filled with a function that stops the work with the given error, as long as it runs. */
  readonly stops: Set<(error: CandorError) => void>;
}

/**
 * The server is asked to stop (so that it does not go on for nobody) and the session is destroyed: the request may
 * arrive late, and must not hit what runs next. Throws why it was stopped, else whatever the work throws.
 */
export async function runStoppable<T>(
  session: ServerSession,
  { timeoutMs, signal, stops }: StopReasons,
  work: () => Promise<T>,
): Promise<T> {
  let reason: CandorError | null = null;
  let asking: Promise<void> = Promise.resolve();
  const settled = new AbortController();
  const stop = (error: CandorError): void => {
    if (reason !== null) return;
    reason = error;
    asking = askToStop(session, settled.signal);
  };
  const cancel = (): void => stop(new CandorError('database.cancelled', 'the query was cancelled'));
  const timer = setTimeout(() => stop(timeoutError(timeoutMs)), timeoutMs);
  signal?.addEventListener('abort', cancel);
  stops.add(stop);
  if (signal?.aborted) cancel();
  try {
    const result = await work();
    if (reason !== null) throw reason;
    return result;
  } catch (error) {
    throw reason ?? error;
  } finally {
    clearTimeout(timer);
    settled.abort();
    signal?.removeEventListener('abort', cancel);
    stops.delete(stop);
    if (reason !== null) {
      session.destroy();
      await Promise.race([asking, sleep(GRACE_MS)]);
    }
  }
}

/**
 * Asks again until it is heard: a request that arrives between two statements of the session is ignored. Where the
 * work does not end in time the connection is cut, which ends it on our side, and the server is asked once more.
 */
async function askToStop(session: ServerSession, settled: AbortSignal): Promise<void> {
  let isCut = false;
  const cut = setTimeout(() => {
    isCut = true;
    session.destroy();
  }, GRACE_MS);
  // Should the server not hear it, the cut ends the work; nobody could do anything about this failure.
  const ask = (): Promise<void> => session.cancel().catch(() => undefined);
  const pause = (): Promise<void> =>
    sleep(ASK_AGAIN_MS, undefined, { signal: settled }).catch(() => undefined);
  while (!settled.aborted && !isCut) {
    await ask();
    await pause();
  }
  clearTimeout(cut);
  if (isCut) await ask();
}

export function timeoutError(timeoutMs: number): CandorError {
  return new CandorError('database.timeout', `the query was stopped after ${timeoutMs} ms`, {
    data: { timeoutMs },
  });
}
