import { seededRandom } from '../lib/index.ts';
import { drawSome } from './draw-some.ts';
import { shortThreshold } from './short-threshold.ts';
import type { CheckedData } from './training-data.ts';

/** The values of a histogram cell: sums of first and second derivatives, and rows. */
export const CELL = 3;
/** Columns whose bins share one 32-bit number. */
export const GROUP = 4;

/** Where the bins of one column lie. */
export interface ColumnBins {
  /** `edges[bin]` is the highest value of a bin; the last bin has none. */
  readonly edges: Float64Array;
  /** Bins of values; missing values are the bin after them. */
  readonly valueBins: number;
  /** Place of its first cell in a histogram. */
  readonly offset: number;
}

/** Rows as numbers of bins, a byte each; four columns lie in one number so that one look-up reads them all. */
export interface BinnedRows {
  readonly columns: readonly ColumnBins[];
  readonly groups: readonly Uint32Array[];
  /** Length of a histogram over all columns. */
  readonly histogramLength: number;
}

/** Rows that bins are made of; LightGBM's default too. */
const BIN_ROWS = 200_000;

/** Bins are made of rows that are learned from, drawn where there are many; every row is sorted into them. */
export async function binRows(
  { columns, rows, learned }: CheckedData,
  { mostBins, seed }: { readonly mostBins: number; readonly seed: number },
  pause: () => Promise<void>,
): Promise<BinnedRows> {
  const groups = Array.from({ length: Math.ceil(columns.length / GROUP) }, () => new Uint32Array(rows));
  const { drawn } = drawSome(learned, Math.min(1, BIN_ROWS / learned.length), seededRandom(seed));
  const binned: ColumnBins[] = [];
  let offset = 0;
  for (const [at, column] of columns.entries()) {
    await pause();
    const values = new Float32Array(drawn.length);
    for (let place = 0; place < drawn.length; place++) values[place] = column[drawn[place]!]!;
    const edges = binEdges(values, mostBins);
    const bins: ColumnBins = { edges, valueBins: edges.length + 1, offset };
    binned.push(bins);
    offset += (bins.valueBins + 1) * CELL;
    writeBins(column, bins, groups[Math.floor(at / GROUP)]!, (at % GROUP) * 8);
  }
  return { columns: binned, groups, histogramLength: offset };
}

/** Where the bins of a column stand: `(bins[row] >>> shift) & 255`. */
export function placeOf({ groups }: BinnedRows, column: number): { bins: Uint32Array; shift: number } {
  return { bins: groups[Math.floor(column / GROUP)]!, shift: (column % GROUP) * 8 };
}

/** Keys are the upper half of a number of 32 bits, in the order of the numbers. */
const KEYS = 65_536;

/** A table over the keys leaves a few edges to look through, where a search over all of them would guess eight times. */
function writeBins(
  column: Float32Array,
  { edges, valueBins }: ColumnBins,
  group: Uint32Array,
  shift: number,
) {
  const below = countEdgesBelow(edges);
  const bits = new Int32Array(column.buffer, column.byteOffset, column.length);
  for (let row = 0; row < column.length; row++) {
    const value = column[row]!;
    let bin = valueBins;
    if (!Number.isNaN(value)) {
      const key = keyOf(bits[row]!);
      bin = below[key]!;
      let high = below[key + 1]!;
      while (bin < high) {
        const middle = (bin + high) >> 1;
        if (value <= edges[middle]!) high = middle;
        else bin = middle + 1;
      }
    }
    group[row]! |= bin << shift;
  }
}

/** For each key, how many edges have a lower one: those lie below every value with that key. */
function countEdgesBelow(edges: Float64Array): Uint8Array {
  const below = new Uint8Array(KEYS + 1);
  const keys = new Int32Array(Float32Array.from(edges).buffer).map(keyOf);
  let at = 0;
  for (let key = 0; key <= KEYS; key++) {
    while (at < keys.length && keys[at]! < key) at += 1;
    below[key] = at;
  }
  return below;
}

function keyOf(bits: number): number {
  return bits < 0 ? ~bits >>> 16 : (bits >>> 16) | 0x8000;
}

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
