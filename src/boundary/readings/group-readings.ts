import type { Reading } from '../../reasoning/roles/reading.ts';
import { groupMeaningOf, type Meaning, type MeaningSchema, meaningKey, meaningOf } from './query-meaning.ts';

/** Readings that ask for the same thing in different SQL. */
export interface ReadingGroup {
  readonly meaning: Meaning;
  /** Likeliest first. */
  readonly readings: readonly Reading[];
  /** Share of all that the readings are thought likely, in [0, 1]; all groups together make 1. */
  readonly share: number;
}

/**
 * Readings by what they mean: the figure, the grain, the period and the conditions; the way of the joins and the
 * spelling do not count. In the order of their first readings.
 */
export function groupReadings(readings: readonly Reading[], schema: MeaningSchema): ReadingGroup[] {
  const total = readings.reduce((sum, { probability }) => sum + probability, 0);
  const groups = new Map<string, { meaning: Meaning; readings: Reading[] }>();
  for (const reading of readings) {
    const meaning = meaningOf(reading.query, schema);
    const key = meaningKey(meaning);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, { meaning, readings: [reading] });
    else known.readings.push(reading);
  }
  return [...groups.values()].map((group) => ({
    ...group,
    share: total === 0 ? 0 : group.readings.reduce((sum, { probability }) => sum + probability, 0) / total,
  }));
}

/** What a reading by name may lack of the likeliest one's probability, as a share of it, and still be shown in its place. */
const NEARLY = 0.7;

/**
 * Readings, likeliest first, with those that differ only in how they name their groups, by key or by name, taken together:
 * where the first alone is less likely than `enough`, "sales by customer" is not held back because there are two likely ways
 * to show a customer. Of ways that are nearly as likely, one that shows names is put first, with the chance that any is meant.
 */
export function poolLabelled(
  readings: readonly Reading[],
  schema: MeaningSchema,
  enough: number,
): readonly Reading[] {
  const [best] = readings;
  if (best === undefined || best.probability >= enough) return readings;
  const wanted = groupMeaningOf(best.query, schema);
  if (wanted === undefined) return readings;
  const same = readings.flatMap((reading) => {
    const meaning = groupMeaningOf(reading.query, schema);
    return meaning?.figure === wanted.figure ? [{ reading, meaning }] : [];
  });
  const isNear = ({ reading }: (typeof same)[number]): boolean =>
    reading.probability >= NEARLY * best.probability;
  const shown = same.find((one) => one.meaning.showsNames && isNear(one))?.reading ?? best;
  // Each probability was estimated as if there were no other reading, so their sum may go beyond 1.
  const unlikely = same.reduce((product, { reading }) => product * (1 - reading.probability), 1);
  return [{ ...shown, probability: 1 - unlikely }, ...readings.filter((one) => one !== shown)];
}
