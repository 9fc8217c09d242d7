import { checkLabelledRows, type LabelledRows, rankRows } from '../../uncertainty/index.ts';
import type { Statistic } from './auc.ts';

export interface PrecisionRecall {
  /** Weight of the rows at or above the threshold. */
  readonly flagged: number;
  /** Share of the flagged that are wrong; NaN where none is flagged. */
  readonly precision: number;
  /** Share of the wrong that are flagged; NaN where none is wrong. */
  readonly recall: number;
}

/** How well a threshold marks wrong rows: those with a score at or above it are flagged. */
export function precisionRecallAt(rows: LabelledRows, threshold: number): PrecisionRecall {
  checkLabelledRows(rows);
  const { scores, labels, weights } = rows;
  let [flagged, hits, wrong] = [0, 0, 0];
  for (let row = 0; row < scores.length; row++) {
    const weight = weights === undefined ? 1 : weights[row]!;
    if (labels[row] === 1) wrong += weight;
    if (scores[row]! < threshold) continue;
    flagged += weight;
    if (labels[row] === 1) hits += weight;
  }
  return { flagged, precision: hits / flagged, recall: hits / wrong };
}

/**
 * Average precision: the mean of the precision at each score, weighted by the recall it adds, without interpolation
 * (as scikit-learn's `average_precision_score`). Chance gives the share of wrong rows. NaN where none is wrong.
 */
export function averagePrecision(rows: LabelledRows): number {
  checkLabelledRows(rows);
  return makeAveragePrecision(rows.scores, rows.labels)(rows.weights && Float64Array.from(rows.weights));
}

/** Sorts once; each call then takes one walk over the rows. */
function makeAveragePrecision(scores: ArrayLike<number>, labels: ArrayLike<number>): Statistic {
  checkLabelledRows({ scores, labels });
  const { order, runEnds } = rankRows(scores);
  const isWrong = Uint8Array.from(order, (row) => labels[row]!);
  return (weights) => {
    let [at, flagged, wrong, sum] = [order.length - 1, 0, 0, 0];
    for (let run = runEnds.length - 1; run >= 0; run--) {
      const start = run === 0 ? 0 : runEnds[run - 1]!;
      let added = 0;
      for (; at >= start; at--) {
        const weight = weights === undefined ? 1 : weights[order[at]!]!;
        flagged += weight;
        if (isWrong[at] === 1) added += weight;
      }
      wrong += added;
      if (added > 0) sum += (added * wrong) / flagged;
    }
    return sum / wrong;
  };
}
