import type { Calibrator } from './fit-calibrator.ts';
import { applyIsotonic } from './fit-isotonic.ts';
import { applyPlatt } from './fit-platt.ts';

/** The probability that a row of the group with this score is wrong; within a group it never falls as the score rises. */
export function calibrate(calibrator: Calibrator, group: string, score: number): number {
  const own = Object.hasOwn(calibrator.groups, group) ? calibrator.groups[group] : undefined;
  return own === undefined ? applyPlatt(calibrator.others, score) : applyIsotonic(own, score);
}
