import { checkLabelledRows, type LabelledRows } from './labelled-rows.ts';
import { type Ranking, rankRows } from './rank-rows.ts';

/** Rows by ascending score as far as one value of the score: all of them are shown, or none beyond. */
export interface ShownRows {
  /** The largest score among them. */
  readonly score: number;
  readonly shown: number;
  readonly wrong: number;
}

/** How many rows are shown, and how many of them wrong, at every value of the score; nothing without rows. */
export function showAscending(rows: LabelledRows): ShownRows[] {
  checkLabelledRows(rows);
  const { scores, labels, weights } = rows;
  const { order, runEnds } = rankRows(scores);
  let [at, shown, wrong] = [0, 0, 0];
  return Array.from(runEnds, (end) => {
    for (; at < end; at++) {
      const weight = weights === undefined ? 1 : weights[order[at]!]!;
      shown += weight;
      if (labels[order[at]!] === 1) wrong += weight;
    }
    return { score: scores[order[end - 1]!]!, shown, wrong };
  }).filter((place, index, all) => place.shown > (all[index - 1]?.shown ?? 0));
}

/**
 * Area under the risk–coverage curve: the mean over k of the share of errors among the k rows of least score
 * (Geifman, Uziel and El-Yaniv, ICLR 2019), in [0, 1], smaller is better. Within equal scores it is the mean over all
 * orders of their rows. NaN without rows.
 */
export function aurc(rows: Omit<LabelledRows, 'weights'>): number {
  checkLabelledRows(rows);
  return aurcOfRanking(rankRows(rows.scores), rows.labels);
}

/** The same over a ranking made before. `counts` are whole numbers: how often each row is there. */
export function aurcOfRanking(
  { order, runEnds }: Ranking,
  labels: ArrayLike<number>,
  counts?: Float64Array,
): number {
  let [at, shown, wrong, sum] = [0, 0, 0, 0];
  for (let run = 0; run < runEnds.length; run++) {
    let size = 0;
    let errors = 0;
    for (const end = runEnds[run]!; at < end; at++) {
      const count = counts === undefined ? 1 : counts[order[at]!]!;
      size += count;
      if (labels[order[at]!] === 1) errors += count;
    }
    for (let row = 1; row <= size; row++) sum += (wrong + (errors * row) / size) / (shown + row);
    shown += size;
    wrong += errors;
  }
  return shown === 0 ? Number.NaN : sum / shown;
}
