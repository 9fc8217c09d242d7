import { binomialTail } from './binomial-tail.ts';
import { invalid } from './labelled-rows.ts';
import type { RiskCurve } from './risk-coverage.ts';

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
