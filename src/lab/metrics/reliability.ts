import { checkLabelledRows, type LabelledRows, rankRows } from '../../uncertainty/index.ts';

/** Rows of similar probability: what was said of them, and what was so. */
export interface ReliabilityBin {
  /** Weight of the rows in it; a run of equal probabilities may be shared between bins. */
  readonly weight: number;
  readonly meanProbability: number;
  readonly errorRate: number;
}

const BINS = 15;

/**
 * Bins of equal weight by ascending probability. Equal probabilities are shared out with their mean label, so that the
 * bins do not depend on the order of the rows. None without rows.
 */
export function reliabilityBins(
  { scores, labels, weights }: LabelledRows,
  bins: number = BINS,
): ReliabilityBin[] {
  checkLabelledRows({ scores, labels, weights });
  const runs = runsOf({ scores, labels, weights });
  const all = runs.reduce((sum, { weight }) => sum + weight, 0);
  if (!(all > 0)) return [];
  const sums = Array.from({ length: bins }, () => ({ weight: 0, probability: 0, wrong: 0 }));
  let below = 0;
  for (const { probability, weight, wrong } of runs) {
    const above = below + weight;
    for (let bin = Math.min(bins - 1, Math.floor((below / all) * bins)); bin < bins; bin++) {
      const part = Math.min(above, ((bin + 1) * all) / bins) - Math.max(below, (bin * all) / bins);
      const sum = sums[bin];
      if (sum === undefined || !(part > 0)) break;
      sum.weight += part;
      sum.probability += part * probability;
      sum.wrong += (part * wrong) / weight;
    }
    below = above;
  }
  return sums
    .filter(({ weight }) => weight > 0)
    .map(({ weight, probability, wrong }) => ({
      weight,
      meanProbability: probability / weight,
      errorRate: wrong / weight,
    }));
}

/**
 * Expected calibration error over bins of equal weight: the mean distance between what was said and what was so
 * (Naeini, Cooper and Hauskrecht, AAAI 2015; equal mass as Nguyen and O'Connor, EMNLP 2015). NaN without rows.
 */
export function ece(rows: LabelledRows, bins: number = BINS): number {
  let [distance, all] = [0, 0];
  for (const { weight, meanProbability, errorRate } of reliabilityBins(rows, bins)) {
    distance += weight * Math.abs(meanProbability - errorRate);
    all += weight;
  }
  return distance / all;
}

/** The mean squared distance between probability and label (Brier, Monthly Weather Review 78, 1950). NaN without rows. */
export function brier({ scores, labels, weights }: LabelledRows): number {
  checkLabelledRows({ scores, labels, weights });
  let [sum, all] = [0, 0];
  for (let row = 0; row < scores.length; row++) {
    const weight = weights === undefined ? 1 : weights[row]!;
    sum += weight * (scores[row]! - labels[row]!) ** 2;
    all += weight;
  }
  return sum / all;
}

function runsOf({ scores, labels, weights }: LabelledRows) {
  const { order, runEnds } = rankRows(scores);
  let at = 0;
  return Array.from(runEnds, (end) => {
    let [weight, wrong] = [0, 0];
    for (; at < end; at++) {
      const own = weights === undefined ? 1 : weights[order[at]!]!;
      weight += own;
      wrong += own * labels[order[at]!]!;
    }
    return { probability: scores[order[end - 1]!]!, weight, wrong };
  }).filter(({ weight }) => weight > 0);
}
