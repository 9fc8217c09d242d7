import type { ComparedResult, MatchOptions, Verdict } from '../../../results/index.ts';
import { comparePermuted } from './compare-spider.ts';

/**
 * The policy for our own suites: as Spider's, but a number equals its text, because a reader of the answer sees no
 * difference between a year written `2024` and one written `'2024'`.
 */
export function compareAnswer(
  gold: ComparedResult,
  predicted: ComparedResult,
  options: MatchOptions,
): Verdict {
  return comparePermuted(gold, predicted, { ...options, textEqualsNumber: true });
}
