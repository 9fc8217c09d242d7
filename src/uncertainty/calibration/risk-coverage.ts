import { checkLabelledRows, invalid, type LabelledRows, type Ranking, rankRows } from './labelled-rows.ts';

/** What showing only the answers of least risk costs and spares, as measured on some rows. Plain JSON. */
export interface RiskCurve {
  readonly rows: number;
  readonly wrong: number;
  /** Area under the curve of all rows, in [0, 1]; smaller is better. */
  readonly aurc: number;
  /** The largest share of rows that can be shown with at most 5 % and 10 % errors, as seen here and without a margin. */
  readonly coverageAt5: number;
  readonly coverageAt10: number;
  /** Ascending; the last one shows all rows. */
  readonly points: readonly RiskPoint[];
}

export interface RiskPoint {
  /** Rows of this risk or less are shown. */
  readonly threshold: number;
  readonly shown: number;
  readonly wrong: number;
}

/** How many of the rows most like an answer were wrong: what a risk rests on. */
export interface RiskBasis {
  readonly wrong: number;
  readonly of: number;
  /** All rows that were measured. */
  readonly measured: number;
  /** Those of them that are answers of this project; absent: none. */
  readonly own?: number;
}

/** So few that they are like the answer, so many that their share says something. */
const LIKE_IT = 100;

/**
 * Of the rows of a curve, some hundred whose risk is nearest to `risk`: those of its step, then those of the nearer neighbour, until they
 * are enough. Measured, not modelled: the share may differ from the risk, and then it is the share that was seen.
 */
export function likeThis(
  { points, rows, wrong }: Pick<RiskCurve, 'points' | 'rows' | 'wrong'>,
  risk: number,
): RiskBasis {
  const before = (at: number): RiskPoint => points[at] ?? { threshold: 0, shown: 0, wrong: 0 };
  const own = points.findIndex(({ threshold }) => threshold >= risk);
  let last = own < 0 ? points.length - 1 : own;
  let first = last;
  const count = (): number => before(last).shown - before(first - 1).shown;
  while (count() < LIKE_IT && (first > 0 || last < points.length - 1)) {
    const below = first > 0 ? risk - before(first - 1).threshold : Number.POSITIVE_INFINITY;
    const above = last < points.length - 1 ? before(last + 1).threshold - risk : Number.POSITIVE_INFINITY;
    if (below <= above) first -= 1;
    else last += 1;
  }
  return points.length === 0
    ? { wrong, of: rows, measured: rows }
    : { wrong: before(last).wrong - before(first - 1).wrong, of: count(), measured: rows };
}

/** A curve keeps every half percent of coverage: what lies between is lost to who sets a threshold by it. */
export const MOST_POINTS = 200;

/**
 * The curve of risks in [0, 1] and of labels, 1 for a wrong answer. Which points are kept depends on the risks alone,
 * as the guarantee of `thresholdFor` needs. Throws `uncertainty.data-invalid`.
 */
export function riskCoverage({
  risks,
  labels,
}: {
  readonly risks: ArrayLike<number>;
  readonly labels: LabelledRows['labels'];
}): RiskCurve {
  const all = showAscending({ scores: risks, labels });
  const [first, last] = [all[0], all.at(-1)];
  if (first === undefined || last === undefined)
    throw invalid('there is no row to measure risk and coverage of');
  const outside = [first, last].find(({ score }) => score < 0 || score > 1);
  if (outside !== undefined) throw invalid(`a risk is ${outside.score}; expected a probability`);
  return {
    rows: last.shown,
    wrong: last.wrong,
    aurc: aurc({ scores: risks, labels }),
    coverageAt5: coverageAt(all, 0.05),
    coverageAt10: coverageAt(all, 0.1),
    points: thin(all).map(({ score, shown, wrong }) => ({ threshold: score, shown, wrong })),
  };
}

function coverageAt(all: readonly ShownRows[], target: number): number {
  const best = all.findLast(({ shown, wrong }) => wrong <= target * shown);
  return (best?.shown ?? 0) / (all.at(-1)?.shown ?? 1);
}

/** The last point within each of equal steps of coverage. */
function thin(all: readonly ShownRows[]): ShownRows[] {
  const rows = all.at(-1)?.shown ?? 0;
  const stepOf = ({ shown }: ShownRows): number => Math.ceil((shown * MOST_POINTS) / rows);
  return all.filter((point, at) => {
    const next = all[at + 1];
    return next === undefined || stepOf(next) > stepOf(point);
  });
}

/** Rows by ascending score as far as one value of the score: all of them are shown, or none beyond. */
interface ShownRows {
  /** The largest score among them. */
  readonly score: number;
  readonly shown: number;
  readonly wrong: number;
}

/** How many rows are shown, and how many of them wrong, at every value of the score; nothing without rows. */
function showAscending(rows: LabelledRows): ShownRows[] {
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
