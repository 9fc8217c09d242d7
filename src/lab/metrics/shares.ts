/** Shares with Wilson's 95 % interval, for programs and for people. */
import { percentile, wilsonInterval } from './intervals.ts';

/** How many of how many; the figure is their share in percent. */
export interface Share {
  readonly hits: number;
  readonly total: number;
}

/** How many of the items are so. */
export function shareOf<Item>(items: readonly Item[], isSo: (item: Item) => boolean): Share {
  return { hits: items.filter(isSo).length, total: items.length };
}

/** Each share in percent under its name, with its interval as `…Low` and `…High`; 0 where there is no case. */
export function shareFigures(shares: Readonly<Record<string, Share>>): Readonly<Record<string, number>> {
  const round = (share: number): number => Number((100 * share).toFixed(3));
  return Object.fromEntries(
    Object.entries(shares).flatMap(([name, { hits, total }]) => {
      const { low, high } = wilsonInterval(hits, total);
      return [
        [name, total === 0 ? 0 : round(hits / total)],
        [`${name}Low`, round(low)],
        [`${name}High`, round(high)],
      ];
    }),
  );
}

/** A line of a table: title, percent, interval, and how many of how many. */
export function shareRow(title: string, { hits, total }: Share): readonly string[] {
  if (total === 0) return [title, '–', '', 'no such case'];
  const { low, high } = wilsonInterval(hits, total);
  const percent = (share: number): string => (100 * share).toFixed(1);
  return [title, `${percent(hits / total)} %`, `${percent(low)}–${percent(high)}`, `${hits} of ${total}`];
}

/** The share in percent alone. */
export function shareText(share: Share | undefined): string {
  return share === undefined || share.total === 0 ? '–' : ((100 * share.hits) / share.total).toFixed(1);
}

/** How much of something a question took: what money follows, and what the dearest take. */
export interface Spread {
  readonly mean: number;
  readonly p95: number;
}

/** `spreadOf([1, 1, 4])` → `{ mean: 2, p95: … }`; undefined of nothing. */
export function spreadOf(values: readonly number[]): Spread | undefined {
  if (values.length === 0) return undefined;
  const rounded = (value: number): number => Number(value.toFixed(3));
  const sum = values.reduce((all, value) => all + value, 0);
  return { mean: rounded(sum / values.length), p95: rounded(percentile(values, 0.95)) };
}
