import { invalid } from './labelled-rows.ts';
import type { RiskCurve } from './risk-coverage.ts';

/** A stored risk–coverage curve: the highest risk that may be shown so that the error stays at the target. */
export interface RiskThresholds {
  readonly thresholdFor: (targetRisk: number) => number | undefined;
  /** Whose answers prove the threshold, and what is lacking where it is not the project's. */
  readonly promiseFor?: (targetRisk: number) => RiskPromise;
}

/** Whether a target is promised of this project, by answers of it of which somebody knows whether they were right. */
export interface RiskPromise {
  readonly target: number;
  readonly isOwn: boolean;
  /** So many more labelled answers would prove it, as often wrong as those before; absent: none are needed, or no number would do. */
  readonly labelsNeeded?: number;
}

const CONFIDENCE = 0.95;
/** Coverages from which the search goes upwards: low ones for where little can be shown, high ones to spend few tests. */
const STARTS = [1 / 16, 1 / 8, 1 / 4, 1 / 2];

/**
 * The risk up to which answers may be shown so that at most `targetRisk` of those shown are wrong; undefined where the
 * rows behind the curve do not prove it for any. With the given confidence (over draws of these rows) the promise holds
 * for answers drawn as these rows were, provided that nothing was fitted to them.
 *
 * Each point is tested by the Clopper–Pearson bound of its errors. Taking the best of many points would break the
 * bound; the points are therefore tested in a fixed order, upwards from each of four coverages until one fails, each
 * walk with a quarter of the allowed chance of error (Angelopoulos et al., Learn then Test, 2021: fixed sequences with
 * several starts). Throws `uncertainty.data-invalid` for a target or a confidence that is no share.
 */
export function thresholdFor(
  { rows, points }: RiskCurve,
  targetRisk: number,
  { confidence = CONFIDENCE }: { readonly confidence?: number } = {},
): number | undefined {
  for (const [name, value] of Object.entries({ targetRisk, confidence }))
    if (!(value > 0 && value < 1)) throw invalid(`${name} is ${value}; expected a share between 0 and 1`);
  const level = (1 - confidence) / STARTS.length;
  const isProven = points.map(({ wrong, shown }) => binomialTail(wrong, shown, targetRisk) <= level);
  let best: number | undefined;
  for (const coverage of STARTS) {
    const from = points.findIndex(({ shown }) => shown >= coverage * rows);
    for (let at = from; isProven[at] === true; at++) best = Math.max(best ?? 0, points[at]?.threshold ?? 0);
  }
  return best;
}

/**
 * The chance of at most `wrong` errors among `shown` rows, each wrong with `probability` in (0, 1): the p-value of the
 * claim that the rate of errors is above it. One minus the confidence of the one-sided Clopper–Pearson bound
 * (Biometrika, 1934) that stands there. Summed from the likeliest term of the tail down, in logarithms.
 */
export function binomialTail(wrong: number, shown: number, probability: number): number {
  if (wrong >= shown) return 1;
  // Above its middle the tail is summed from the other end, where the terms fall.
  if (wrong + 1 > shown * probability) return 1 - fallingTail(shown - wrong - 1, shown, 1 - probability);
  return fallingTail(wrong, shown, probability);
}

/** The terms from `wrong` errors down to none. */
function fallingTail(wrong: number, shown: number, probability: number): number {
  const odds = probability / (1 - probability);
  let term = Math.exp(
    logChoose(shown, wrong) + wrong * Math.log(probability) + (shown - wrong) * Math.log1p(-probability),
  );
  let sum = term;
  for (let k = wrong; k > 0 && term > sum * Number.EPSILON; k--) {
    term *= k / ((shown - k + 1) * odds);
    sum += term;
  }
  return Math.min(1, sum);
}

function logChoose(n: number, k: number): number {
  return logFactorial(n) - logFactorial(k) - logFactorial(n - k);
}

/** Stirling's series; below 16 by multiplication, where the series is not exact enough. */
function logFactorial(n: number): number {
  if (n < 16) {
    let product = 1;
    for (let factor = 2; factor <= n; factor++) product *= factor;
    return Math.log(product);
  }
  const series = 1 / (12 * n) - 1 / (360 * n ** 3) + 1 / (1260 * n ** 5);
  return n * Math.log(n) - n + 0.5 * Math.log(2 * Math.PI * n) + series;
}
