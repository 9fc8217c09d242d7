import { setTimeout as wait } from 'node:timers/promises';
import { CandorError, type ErrorCode } from '../../errors.ts';
import { orAborted } from '../../lib/index.ts';

export interface RetryRules {
  /** The first one counts. */
  readonly tries: number;
  /** Where the service names no pause; doubled each time. */
  readonly firstPauseMs: number;
  /** Longer pauses are not waited for: the service means "not today". */
  readonly longestPauseMs: number;
  /** From 0 up to 1: how much of a pause of ours is added to it, so that many callers do not come back as one. */
  readonly random?: () => number;
  /** What is cancelled while it waits: `the chat`. */
  readonly what?: string;
}

/** As many tries, and such pauses, as suit a service on the network. */
export const RETRY_DEFAULTS: RetryRules = { tries: 5, firstPauseMs: 250, longestPauseMs: 60_000 };

/**
 * Does the work again after a `TransientError`, when the pause that the service names is over, or ours. Throws the last
 * error, `model.overloaded` when the pause is too long, `model.cancelled` while it waits.
 */
export async function retryTransient<Result>(
  work: () => Promise<Result>,
  rules: RetryRules,
  signal?: AbortSignal,
): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof TransientError) || tries >= rules.tries) throw error;
      const own = rules.firstPauseMs * 2 ** (tries - 1);
      const pauseMs = error.pauseMs ?? own + own * (rules.random?.() ?? 0);
      if (pauseMs > rules.longestPauseMs)
        throw new CandorError(
          'model.overloaded',
          `${error.message}; it takes no requests for the next ${Math.ceil(pauseMs / 1000)} s`,
        );
      await wait(pauseMs, undefined, { signal }).catch(() => {
        throw cancelledError(rules.what);
      });
    }
  }
}

/** A failure that may be over at the next try. */
export class TransientError extends CandorError {
  /** Milliseconds that the service asks to wait; absent where it says nothing. */
  readonly pauseMs: number | undefined;

  constructor(code: ErrorCode, message: string, pauseMs?: number) {
    super(code, message);
    this.pauseMs = pauseMs;
  }
}

/** Throws `model.cancelled` when the signal was given. */
export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw cancelledError();
}

export function cancelledError(what = 'the embedding'): CandorError {
  return new CandorError('model.cancelled', `${what} was cancelled`);
}

/** The work, or `model.cancelled` as soon as the signal is given; the work itself goes on unseen. */
export function orCancelled<Result>(
  work: Promise<Result>,
  signal: AbortSignal | undefined,
  what?: string,
): Promise<Result> {
  return orAborted(work, signal, () => cancelledError(what));
}
