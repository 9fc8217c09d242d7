import type { Reading } from '../reasoning/index.ts';
import { type Meaning, type MeaningSchema, meaningKey, meaningOf } from './meaning-of.ts';

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
