import { checkLabelledRows, rankRows } from '../../uncertainty/index.ts';

/**
 * The area under the ROC curve: the chance that a wrong row (label 1) scores above a correct one, ties counted half.
 * Exact, by ranks (Hanley and McNeil, Radiology 143, 1982). NaN where all rows have one label.
 */
export function auc(
  scores: ArrayLike<number>,
  labels: ArrayLike<number>,
  weights?: ArrayLike<number>,
): number {
  checkLabelledRows({ scores, labels, weights });
  return makeAuc(scores, labels)(weights && Float64Array.from(weights));
}

/** Sorts once; each call then takes one walk over the rows. */
export function makeAuc(scores: ArrayLike<number>, labels: ArrayLike<number>): Statistic {
  checkLabelledRows({ scores, labels });
  const { order, runEnds } = rankRows(scores);
  const isWrong = Uint8Array.from(order, (row) => labels[row]!);
  return (weights) => {
    let [at, correctBelow, wrongAll, above] = [0, 0, 0, 0];
    for (let run = 0; run < runEnds.length; run++) {
      let wrong = 0;
      let all = 0;
      for (const end = runEnds[run]!; at < end; at++) {
        const weight = weights === undefined ? 1 : weights[order[at]!]!;
        // Multiplied, not asked for: labels are hard to foretell, and a bootstrap comes here 100 million times.
        wrong += weight * isWrong[at]!;
        all += weight;
      }
      const correct = all - wrong;
      above += wrong * (correctBelow + correct / 2);
      correctBelow += correct;
      wrongAll += wrong;
    }
    return wrongAll > 0 && correctBelow > 0 ? above / (wrongAll * correctBelow) : Number.NaN;
  };
}

/**
 * A figure of rows that were looked through and sorted before. `weights` say how much each row counts, in the order of
 * the rows; absent: 1 each. NaN where there is nothing to measure, such as an AUC of rows with one label.
 */
export type Statistic = (weights?: Float64Array) => number;

/** How much one figure is above another of the same rows; under a bootstrap both see the same resamples. */
export function differenceOf(first: Statistic, second: Statistic): Statistic {
  return (weights) => first(weights) - second(weights);
}
