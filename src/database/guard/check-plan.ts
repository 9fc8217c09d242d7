import { CandorError } from '../../errors.ts';
import type { Plan } from '../interface/database.ts';

/** What the engine may expect of a statement at most; what is absent has no cap. */
export interface PlanCaps {
  /** Rows that come out. */
  readonly maxPlanRows?: number;
  /** In the engine's own unit, see `Plan.cost`. */
  readonly maxPlanCost?: number;
  /** Bytes read from storage. */
  readonly maxPlanBytes?: number;
}

const CAPPED = [
  ['rows', 'maxPlanRows', 'rows'],
  ['cost', 'maxPlanCost', 'units of cost'],
  ['bytes', 'maxPlanBytes', 'bytes read'],
] as const;

/**
 * Throws `database.too-expensive` with the estimate and the cap. An estimate that the engine does not give, though a
 * cap asks for it, is refused too: a cap that holds nothing back would be no cap. An estimate that counts rows which
 * the caller may not see is not told.
 */
export function checkPlan(
  plan: Plan,
  caps: PlanCaps,
  { tellsEstimate }: { readonly tellsEstimate: boolean },
): void {
  for (const [estimate, cap, unit] of CAPPED) {
    const [expected, allowed] = [plan[estimate], caps[cap]];
    if (allowed === undefined || (expected !== undefined && expected <= allowed)) continue;
    const found =
      expected === undefined
        ? `The engine gives no estimate of ${unit}`
        : `The engine expects ${tellsEstimate ? Math.round(expected).toLocaleString('en') : 'too many'} ${unit}`;
    throw new CandorError(
      'database.too-expensive',
      `${found}; ${cap} allows ${allowed.toLocaleString('en')}.`,
      { data: { estimate, ...(tellsEstimate ? { expected } : {}), cap, allowed } },
    );
  }
}

export function hasCaps(caps: PlanCaps): boolean {
  return CAPPED.some(([, cap]) => caps[cap] !== undefined);
}
