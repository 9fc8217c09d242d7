import { shortThreshold } from './short-threshold.ts';

/**
 * The thresholds that part a column into bins of about as many rows each, ascending: at most `mostBins - 1`.
 * Few distinct values get a bin each; a value with more rows than an even bin would hold gets its own, as in
 * LightGBM (Ke et al. 2017, §2). `values` is sorted in place; NaN is passed over.
 */
export function binEdges(values: Float32Array, mostBins: number): Float64Array {
  const { distinct, counts } = countDistinct(values.sort());
  const lastOfBin = distinct.length <= mostBins ? [...counts.keys()] : fillBins(counts, mostBins);
  return Float64Array.from(lastOfBin.slice(0, -1), (at) => shortThreshold(distinct[at]!, distinct[at + 1]!));
}

/** The distinct values, written over the sorted ones, and how often each was there. */
function countDistinct(sorted: Float32Array): { distinct: Float32Array; counts: Int32Array } {
  const counts = new Int32Array(sorted.length);
  let found = 0;
  for (let at = 0; at < sorted.length; at++) {
    const value = sorted[at]!;
    // The order of typed arrays puts NaN last.
    if (Number.isNaN(value)) break;
    if (found === 0 || sorted[found - 1] !== value) sorted[found++] = value;
    counts[found - 1]! += 1;
  }
  return { distinct: sorted.subarray(0, found), counts: counts.subarray(0, found) };
}

/** For each bin, the place of its last distinct value. */
function fillBins(counts: Int32Array, mostBins: number): number[] {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const isLarge = (at: number): boolean => counts[at]! >= total / mostBins;
  let smallBins = mostBins;
  let smallRows = total;
  for (let at = 0; at < counts.length; at++) {
    if (!isLarge(at)) continue;
    smallBins -= 1;
    smallRows -= counts[at]!;
  }
  const last: number[] = [];
  let filled = 0;
  for (let at = 0; at < counts.length - 1 && last.length < mostBins - 1; at++) {
    filled += counts[at]!;
    // Of the values that share bins, so many rows are even for each bin that is left.
    const even = smallRows / Math.max(1, smallBins);
    if (!isLarge(at) && filled < (isLarge(at + 1) ? even / 2 : even)) continue;
    last.push(at);
    if (!isLarge(at)) {
      smallBins -= 1;
      smallRows -= filled;
    }
    filled = 0;
  }
  return [...last, counts.length - 1];
}
