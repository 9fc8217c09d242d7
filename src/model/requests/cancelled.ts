import { CandorError } from '../../errors.ts';

/** Throws `model.cancelled` when the signal was given. */
export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw cancelledError();
}

export function cancelledError(what = 'the embedding'): CandorError {
  return new CandorError('model.cancelled', `${what} was cancelled`);
}

/** The work, or `model.cancelled` as soon as the signal is given; the work itself goes on unseen. */
export async function orCancelled<Result>(
  work: Promise<Result>,
  signal: AbortSignal | undefined,
  what?: string,
): Promise<Result> {
  if (signal === undefined) return work;
  let stop: () => void = () => undefined;
  const cancelled = new Promise<never>((_, reject) => {
    stop = () => reject(cancelledError(what));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, cancelled]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
