/** Which failures of a reasoner linking survives, and where it stops on request. */
import { CandorError } from '../../../errors.ts';
import { oneLine } from './one-line.ts';

const LONGEST_CAUSE = 200;

/** Throws `linking.cancelled` when the signal was given. */
export function throwIfStopped(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new CandorError('linking.cancelled', 'the schema linking was cancelled');
}

/** The error as a short sentence; rethrows what no other path could mend: bugs and stops. */
export function passedOver(error: unknown, signal: AbortSignal | undefined): string {
  throwIfStopped(signal);
  if (!(error instanceof CandorError) || error.kind === 'bug' || error.code.endsWith('.cancelled'))
    throw error;
  return `${error.code}: ${oneLine(error.message, LONGEST_CAUSE)}`;
}
