/** What is done with a query of a known risk: given as the answer, with warnings, repaired first, or withheld. */

import type { CertainFault } from '../../faults/index.ts';
import type { RiskPromise, RiskThresholds } from '../calibration/threshold-for.ts';
import type { Assessment } from '../units/node-risk.ts';
import { decidingRisk } from './fault-precision.ts';

export interface RiskCase {
  readonly assessment: Assessment;
  /** Absent before a model was calibrated: then certain faults alone decide. */
  readonly curve?: RiskThresholds;
  /** Share of shown answers that may be wrong, in [0, 1]; the person sets it. */
  readonly targetRisk: number;
  /** Somebody can repair, and this query has not been repaired yet. */
  readonly canRepair: boolean;
  readonly faults?: readonly CertainFault[];
}

export type RiskAction = 'answer' | 'warn' | 'repair' | 'abstain';

export interface RiskDecision {
  readonly action: RiskAction;
  /** For people, a clause without a full stop. */
  readonly reason: string;
  /** Up to here a query is answered, and up to here shown with warnings; undefined: no query may be. */
  readonly r1: number | undefined;
  readonly r2: number | undefined;
  /** Absent where the curve does not say. */
  readonly promise?: RiskPromise;
}

/** With a warning beside it, an answer may be wrong so many times as often as without one. */
export const WARNED_FACTOR = 2;

/**
 * node-uncertainty.md §11: `answer` up to r1, the threshold of the curve for the target; `warn` up to r2, the threshold for
 * twice the target, or where neither is proven, up to a risk of twice the target; beyond it `repair` if somebody can and some part is suspicious, else `abstain`. A query that the
 * engine would refuse is never answered or shown, and one with another fault that decides is never answered without a warning. A query that could not be looked at has no risk, hence no answer.
 */
export function decideByRisk(asked: RiskCase): RiskDecision {
  const { assessment, curve, targetRisk, faults = [] } = asked;
  const promise = curve?.promiseFor?.(targetRisk);
  const thresholds = { ...thresholdsOf(curve, targetRisk), ...(promise && { promise }) };
  const decided = (action: RiskAction, reason: string): RiskDecision => ({ action, reason, ...thresholds });
  if (assessment.unreadBecause !== undefined)
    return decided('abstain', `the query could not be looked at: ${assessment.unreadBecause}`);
  const refused = faults.find(({ isRefused }) => isRefused);
  if (refused !== undefined) return decided(repairOr('abstain', asked), refused.text);
  if (curve === undefined) {
    const [doubt] = faults;
    return doubt === undefined
      ? decided('answer', 'nothing certain speaks against it; no measured risk is at hand')
      : decided(repairOr('warn', asked), doubt.text);
  }
  const { r1, r2 } = thresholds;
  const risk = assessment.queryRisk;
  const decisive = faults.find((fault) => decidingRisk(fault) !== undefined);
  if (decisive !== undefined && r2 !== undefined && risk <= r2) return decided('warn', decisive.text);
  if (r1 !== undefined && risk <= r1)
    return decided('answer', `its risk ${shown(risk)} is at most ${shown(r1)}`);
  const lacking = lackOf(promise);
  if (r2 !== undefined)
    return risk <= r2
      ? decided('warn', `its risk ${shown(risk)} is above ${shown(r1)}${lacking}`)
      : decided(repairOr('abstain', asked), `its risk ${shown(risk)} is above ${shown(r2)}${lacking}`);
  // Where no share of wrong answers can be promised, the figure itself is all there is: enough for a warning, never for an answer.
  const told = Math.min(1, WARNED_FACTOR * targetRisk);
  const unproven = `no target of ${shown(targetRisk)} can be promised with what was measured${lacking}`;
  return risk <= told
    ? decided('warn', `its risk is ${shown(risk)}, but ${unproven}`)
    : decided(repairOr('abstain', asked), `its risk ${shown(risk)} is above ${shown(told)}, and ${unproven}`);
}

/** What a promise of this very project takes. */
function lackOf(promise: RiskPromise | undefined): string {
  if (promise === undefined || promise.isOwn) return '';
  const { labelsNeeded } = promise;
  if (labelsNeeded === undefined) return '; no number of labelled answers of this project would promise it';
  const labels = labelsNeeded === 1 ? 'answer is' : 'answers are';
  return `; to promise that of this project, ${labelsNeeded.toLocaleString('en-US')} more labelled ${labels} needed`;
}

/** r2 is never below r1, whatever the curve says. */
function thresholdsOf(
  curve: RiskThresholds | undefined,
  targetRisk: number,
): Pick<RiskDecision, 'r1' | 'r2'> {
  const r1 = curve?.thresholdFor(targetRisk);
  const wider = curve?.thresholdFor(Math.min(1, WARNED_FACTOR * targetRisk));
  return { r1, r2: r1 !== undefined && !(wider !== undefined && wider >= r1) ? r1 : wider };
}

function repairOr(otherwise: RiskAction, { canRepair, assessment }: RiskCase): RiskAction {
  return canRepair && assessment.units.length > 0 ? 'repair' : otherwise;
}

function shown(risk: number | undefined): string {
  return risk === undefined ? 'what may be answered' : risk.toFixed(2);
}
