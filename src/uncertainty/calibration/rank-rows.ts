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
