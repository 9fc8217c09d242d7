import { CandorError } from '../../../errors.ts';

/** Lets everything else that waits go on, then throws `knowledge.cancelled` when the work is no longer wanted. */
export async function yieldToEventLoop(signal: AbortSignal | undefined): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  if (signal?.aborted) throw new CandorError('knowledge.cancelled', 'clustering was cancelled');
}
