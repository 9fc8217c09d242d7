/** 95 % intervals of the figures we print: Wilson for shares, bootstrap by question for percentiles and means. */
import { seededRandom } from '../../lib/index.ts';

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** The 97.5 % point of the normal distribution. */
const Z = 1.959963984540054;

const RESAMPLES = 10_000;
const SEED = 20_000;

/**
 * Wilson's score interval of a share; of nothing at all it is everything.
 * `wilsonInterval(8, 10)` → `{ low: 0.490…, high: 0.943… }`
 */
export function wilsonInterval(hits: number, total: number): Interval {
  if (total === 0) return { low: 0, high: 1 };
  const share = hits / total;
  const spread = Z ** 2 / total;
  const centre = (share + spread / 2) / (1 + spread);
  const half = (Z * Math.sqrt((share * (1 - share)) / total + spread / (4 * total))) / (1 + spread);
  return { low: Math.max(0, centre - half), high: Math.min(1, centre + half) };
}

/** The value below which the share `p` of the values lies, by linear interpolation between neighbours. */
export function percentile(values: readonly number[], p: number): number {
  return percentileOfSorted(Float64Array.from(values).sort(), p);
}

/** Interval of a percentile over 10,000 seeded resamples by question. */
export function bootstrapPercentile(
  values: readonly number[],
  p: number,
  options: { readonly resamples?: number; readonly seed?: number } = {},
): Interval {
  const { resamples = RESAMPLES, seed = SEED } = options;
  if (values.length === 0) return { low: 0, high: 0 };
  const random = seededRandom(seed);
  const sorted = Float64Array.from(values).sort();
  const figures = new Float64Array(resamples);
  const counts = new Uint32Array(sorted.length);
  for (let i = 0; i < resamples; i += 1) {
    // Counting how often each sorted value was drawn spares sorting every resample.
    counts.fill(0);
    for (let j = 0; j < sorted.length; j += 1) counts[Math.floor(random() * sorted.length)]! += 1;
    figures[i] = percentileOfCounts(sorted, counts, p);
  }
  figures.sort();
  return { low: percentileOfSorted(figures, 0.025), high: percentileOfSorted(figures, 0.975) };
}

/** Interval of a mean over seeded resamples by question. */
export function bootstrapMean(
  values: readonly number[],
  options: { readonly resamples?: number; readonly seed?: number } = {},
): Interval {
  const { resamples = RESAMPLES, seed = SEED } = options;
  if (values.length === 0) return { low: 0, high: 0 };
  const random = seededRandom(seed);
  const means = new Float64Array(resamples);
  for (let i = 0; i < resamples; i += 1) {
    let sum = 0;
    for (let j = 0; j < values.length; j += 1) sum += values[Math.floor(random() * values.length)]!;
    means[i] = sum / values.length;
  }
  means.sort();
  return { low: percentileOfSorted(means, 0.025), high: percentileOfSorted(means, 0.975) };
}

function percentileOfSorted(sorted: Float64Array, p: number): number {
  if (sorted.length === 0) return 0;
  const place = p * (sorted.length - 1);
  const below = sorted[Math.floor(place)]!;
  const above = sorted[Math.ceil(place)]!;
  return below + (above - below) * (place - Math.floor(place));
}

function percentileOfCounts(sorted: Float64Array, counts: Uint32Array, p: number): number {
  const place = p * (sorted.length - 1);
  const lower = Math.floor(place);
  let seen = 0;
  let below: number | undefined;
  for (let i = 0; i < sorted.length; i += 1) {
    seen += counts[i]!;
    if (below === undefined && seen > lower) below = sorted[i]!;
    if (below !== undefined && seen > Math.ceil(place)) return below + (sorted[i]! - below) * (place - lower);
  }
  return below ?? 0;
}
