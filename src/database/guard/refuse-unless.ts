import { CandorError } from '../../errors.ts';
import type { ReadOnlyVerdict } from '../../sql/index.ts';

/** Throws `database.not-read-only`, with the offending part, for a verdict that says no; none at all is a yes. */
export function refuseUnless(verdict: ReadOnlyVerdict = { readOnly: true }): void {
  if (verdict.readOnly) return;
  throw new CandorError('database.not-read-only', `The SQL is refused: ${verdict.reason}.`, {
    data: { offending: verdict.offending },
  });
}
