import { CandorError } from '../../errors.ts';

/** What a calibrator learns from and a metric measures: one score and one label a row. */
export interface LabelledRows {
  /** Higher: likelier wrong. Log-odds or probabilities. */
  readonly scores: ArrayLike<number>;
  /** 1 for wrong, 0 for correct. */
  readonly labels: ArrayLike<number>;
  /** How much a row counts, 0 or more; absent: 1 each. */
  readonly weights?: ArrayLike<number> | undefined;
}

/** Scores beyond are no log-odds, and their differences would lose what tells them apart. */
export const LARGEST_SCORE = 1e9;
/** More would drown the rows that keep a fit off certainty. */
const LARGEST_WEIGHT = 1e6;

/** Checks lengths and values; throws `uncertainty.data-invalid`, which names the row. */
export function checkLabelledRows({ scores, labels, weights }: LabelledRows): void {
  checkLength('labels', labels.length, scores.length);
  if (weights !== undefined) checkLength('weights', weights.length, scores.length);
  for (let row = 0; row < scores.length; row++) {
    const [score, label, weight] = [scores[row]!, labels[row]!, weights === undefined ? 1 : weights[row]!];
    if (!(Math.abs(score) <= LARGEST_SCORE))
      throw invalid(`the score of row ${row} is ${score}; expected a number within ±${LARGEST_SCORE}`);
    if (label !== 0 && label !== 1) throw invalid(`the label of row ${row} is ${label}; expected 0 or 1`);
    if (!(weight >= 0 && weight <= LARGEST_WEIGHT))
      throw invalid(`the weight of row ${row} is ${weight}; expected 0 to ${LARGEST_WEIGHT}`);
  }
}

export function checkLength(what: string, found: number, expected: number): void {
  if (found !== expected) throw invalid(`${what} has length ${found}; expected ${expected}, one a row`);
}

export function invalid(message: string): CandorError {
  return new CandorError('uncertainty.data-invalid', message);
}

/** Rows by ascending score, and where runs of equal scores end. */
export interface Ranking {
  /** Row numbers; equal scores by row number. */
  readonly order: Uint32Array;
  /** Ends of the runs in `order`, exclusive, ascending; the last is the number of rows. */
  readonly runEnds: Uint32Array;
}

/** Sorts once what many statistics of the same scores walk along. Scores are numbers; infinite ones may be. */
export function rankRows(scores: ArrayLike<number>): Ranking {
  const order = Uint32Array.from(scores, (_, row) => row);
  // Two infinite scores differ by NaN, which leaves them to their row numbers too.
  order.sort((a, b) => scores[a]! - scores[b]! || a - b);
  const ends: number[] = [];
  for (let at = 1; at <= order.length; at++)
    if (at === order.length || scores[order[at]!] !== scores[order[at - 1]!]) ends.push(at);
  return { order, runEnds: Uint32Array.from(ends) };
}
