import { nameWords } from '../../language/index.ts';
import type { Column } from '../schema/catalog.ts';

const TIME_WORDS = new Set([
  ...['at', 'on', 'ts', 'time', 'timestamp', 'date', 'datetime', 'dt', 'epoch', 'when', 'created'],
  ...['updated', 'modified', 'deleted', 'started', 'ended', 'seen', 'since', 'until'],
]);
/** 1990 and 2100 in seconds since 1970. */
const EARLIEST = 631_152_000;
const LATEST = 4_102_444_800;
const UNITS = [
  ['seconds', 1],
  ['milliseconds', 1_000],
  ['microseconds', 1_000_000],
] as const;

/** What a count of time since 1970 is counted in. */
export interface EpochUnit {
  readonly name: (typeof UNITS)[number][0];
  readonly perSecond: (typeof UNITS)[number][1];
}

/** The unit of a column of numbers that counts time since 1970: its name speaks of a time, and both of its ends are one. */
export function epochUnit({
  name,
  family,
  profile,
}: Pick<Column, 'name' | 'family' | 'profile'>): EpochUnit | undefined {
  const { min, max } = profile ?? {};
  if (family !== 'number' || min === undefined || max === undefined) return undefined;
  if (!nameWords(name).some((word) => TIME_WORDS.has(word))) return undefined;
  const found = UNITS.find(
    ([, perSecond]) => Number(min) >= EARLIEST * perSecond && Number(max) <= LATEST * perSecond,
  );
  return found && { name: found[0], perSecond: found[1] };
}
