import { invalid, type LabelledRows } from './labelled-rows.ts';
import { aurc, type ShownRows, showAscending } from './selective-risk.ts';

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
