/**
 * A figure of rows that were looked through and sorted before. `weights` say how much each row counts, in the order of
 * the rows; absent: 1 each. NaN where there is nothing to measure, such as an AUC of rows with one label.
 */
export type Statistic = (weights?: Float64Array) => number;

/** How much one figure is above another of the same rows; under a bootstrap both see the same resamples. */
export function differenceOf(first: Statistic, second: Statistic): Statistic {
  return (weights) => first(weights) - second(weights);
}
