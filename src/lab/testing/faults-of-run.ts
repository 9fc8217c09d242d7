import type { TestRun } from './run-tests.ts';
import type { TestSummary } from './summarise-tests.ts';

/** What a run is held to. */
export interface Thresholds {
  /** Least share of the cases that must pass; every one where absent. */
  readonly minAccuracy?: number;
  /** Largest share of the turns due another outcome that may be answered. */
  readonly maxForced?: number;
}

/** Why a run does not pass, in sentences; none where it does. A known failure that passes always counts. */
export function faultsOfRun(
  { stoppedBy }: Pick<TestRun, 'stoppedBy'>,
  { accuracy, counts, forcedAnswers }: TestSummary,
  { minAccuracy = 1, maxForced }: Thresholds,
): readonly string[] {
  const faults: string[] = [];
  const wrong = accuracy.total - accuracy.hits;
  const { share = 1 } = accuracy;
  if (share < minAccuracy)
    faults.push(
      minAccuracy === 1
        ? `${wrong} of ${accuracy.total} cases did not come out as expected`
        : `the accuracy of ${inPercent(share)} is below ${inPercent(minAccuracy)}`,
    );
  if (maxForced !== undefined && (forcedAnswers.share ?? 0) > maxForced)
    faults.push(
      `${inPercent(forcedAnswers.share ?? 0)} forced answers are more than ${inPercent(maxForced)}`,
    );
  if (counts['unexpected-pass'] > 0)
    faults.push(`cases known to fail that pass: ${counts['unexpected-pass']}; remove their knownFailure`);
  const left = `cases not asked: ${counts['not-asked']}`;
  if (stoppedBy === 'cost') faults.push(`the cost reached --max-cost; ${left}`);
  if (stoppedBy === 'cancel') faults.push(`cancelled; ${left}`);
  if (stoppedBy === 'bail') faults.push(`stopped by --bail; ${left}`);
  return faults;
}

function inPercent(share: number): string {
  return `${Number((100 * share).toFixed(1))} %`;
}
