import { seededRandom } from '../../lib/index.ts';
import type { Statistic } from './auc.ts';
import { type Interval, percentile } from './intervals.ts';

/** A figure with its 95 % interval. */
export interface Estimate extends Interval {
  /** Of the rows as they are. */
  readonly value: number;
  /** Resamples that had something to measure; the interval is theirs. */
  readonly resamples: number;
  /** Resamples without: a type of few rows may lose one of its labels. */
  readonly skipped: number;
}

export interface BootstrapOptions {
  readonly resamples?: number;
  readonly seed?: number;
}

const RESAMPLES = 1_000;
const SEED = 20_000;

/**
 * The interval of a statistic over resamples of whole groups: rows of one question are not independent, so questions
 * are drawn with replacement and never single rows (percentile bootstrap of clusters: Davison and Hinkley, Bootstrap
 * Methods, 1997, §3.8). For two scores of the same rows give `differenceOf` both: an interval without 0 tells them apart.
 * Throws the errors of the statistic; the same seed gives the same interval.
 */
export function bootstrapByGroup(
  statistic: Statistic,
  groups: ArrayLike<string | number>,
  { resamples = RESAMPLES, seed = SEED }: BootstrapOptions = {},
): Estimate {
  const { codes, count } = codeGroups(groups);
  const random = seededRandom(seed);
  const drawn = new Float64Array(count);
  const weights = new Float64Array(codes.length);
  const figures: number[] = [];
  for (let resample = 0; resample < resamples; resample++) {
    drawn.fill(0);
    for (let draw = 0; draw < count; draw++) drawn[Math.floor(random() * count)]! += 1;
    for (let row = 0; row < codes.length; row++) weights[row] = drawn[codes[row]!]!;
    const figure = statistic(weights);
    if (!Number.isNaN(figure)) figures.push(figure);
  }
  const bound = (share: number): number => (figures.length === 0 ? Number.NaN : percentile(figures, share));
  return {
    value: statistic(),
    low: bound(0.025),
    high: bound(0.975),
    resamples: figures.length,
    skipped: resamples - figures.length,
  };
}

/** The groups of rows as numbers from 0 in the order in which they are met. */
export interface GroupCodes {
  /** One a row. */
  readonly codes: Int32Array;
  readonly count: number;
}

export function codeGroups(groups: ArrayLike<string | number>): GroupCodes {
  const known = new Map<string | number, number>();
  const codes = Int32Array.from(groups, (group) => {
    const code = known.get(group) ?? known.size;
    known.set(group, code);
    return code;
  });
  return { codes, count: known.size };
}
