import type { Assumption } from '../../answer.ts';

/** Defaults of a plan: another plan of the same words takes them otherwise. */
const OF_PLANS: ReadonlySet<string> = new Set(['tie', 'grain', 'join']);

export type Assumed = Readonly<Record<string, string>>;

/** Whether anything is asked of the plans. */
export function asksPlans(assume: Assumed | undefined): assume is Assumed {
  return assume !== undefined && Object.keys(assume).some((id) => OF_PLANS.has(id));
}

/** Whether a plan takes what a person wants taken. */
export function isAsAssumed(assumptions: readonly Assumption[], assume: Assumed): boolean {
  return Object.entries(assume)
    .filter(([id]) => OF_PLANS.has(id))
    .every(([id, choice]) => assumptions.some((one) => one.id === id && one.taken === choice));
}
