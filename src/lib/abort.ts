/** Waiting that a signal ends. */

/** The work, or the reason of the signal as soon as it is given; the work itself goes on unseen. `reason` makes another error of it. */
export async function orAborted<Result>(
  work: Promise<Result>,
  signal: AbortSignal | undefined,
  reason: () => unknown = () => signal?.reason,
): Promise<Result> {
  if (signal === undefined) return work;
  let stop: () => void = () => undefined;
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(reason());
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, stopped]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Waits until the signal is given. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
