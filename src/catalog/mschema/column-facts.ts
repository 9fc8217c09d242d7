/** What is known of the values of a column, in clauses short enough for a line of a prompt. */
import type { Column, ColumnProfile } from '../catalog.ts';
import { nameWords } from '../name-words.ts';
import { chooseExamples } from './choose-examples.ts';
import { listedValue } from './one-line.ts';

/** A list of values this short is given whole. */
const MOST_LISTED = 10;
const EXAMPLES = 5;
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

/**
 * Clauses about stored values: all of them where they are few, else a few; the range of numbers and times; a count of time since
 * 1970, where the name speaks of a time and both ends are one; how many are missing. A withheld column has none.
 */
export function columnFacts(column: Column): readonly string[] {
  const { profile } = column;
  if (profile === undefined) return [];
  return [...valueFacts(column, profile), ...formFact(profile), ...missingFact(profile)];
}

function valueFacts(column: Column, profile: ColumnProfile): readonly string[] {
  if (profile.pii?.isWithheld === true) return [];
  const { min, max, examples, distinctCount, sampledBy, semanticClass } = profile;
  const isWhole =
    sampledBy === undefined && examples.length === distinctCount && distinctCount <= MOST_LISTED;
  const unit =
    min === undefined || max === undefined ? undefined : epochUnit(column, Number(min), Number(max));
  if (unit !== undefined)
    return [`${unit.name} since 1970, ${dayOf(min, unit.perSecond)} to ${dayOf(max, unit.perSecond)}`];
  if (isWhole && examples.length > 0) return [`values: ${examples.map(listedValue).join(', ')}`];
  if (column.family === 'number' && semanticClass === 'key') return [];
  const isOrdered = column.family !== 'text' || profile.pattern?.startsWith('iso-') === true;
  if (isOrdered && min !== undefined && max !== undefined)
    return [`${listedValue(min)} to ${listedValue(max)}`];
  const shown = chooseExamples(column, [], EXAMPLES);
  return shown.length === 0 ? [] : [`e.g. ${shown.map(listedValue).join(', ')}`];
}

function epochUnit(
  { name, family }: Column,
  min: number,
  max: number,
): { readonly name: string; readonly perSecond: number } | undefined {
  if (family !== 'number' || !nameWords(name).some((word) => TIME_WORDS.has(word))) return undefined;
  const found = UNITS.find(([, perSecond]) => min >= EARLIEST * perSecond && max <= LATEST * perSecond);
  return found && { name: found[0], perSecond: found[1] };
}

function dayOf(value: string | undefined, perSecond: number): string {
  return new Date((Number(value) / perSecond) * 1_000).toISOString().slice(0, 10);
}

function formFact({ form }: ColumnProfile): readonly string[] {
  return form === undefined ? [] : [`form ${form}`];
}

function missingFact({ nullCount, countedRows, scannedRows }: ColumnProfile): readonly string[] {
  const rows = countedRows ?? scannedRows;
  if (nullCount === 0 || rows === 0) return [];
  const share = Math.round((nullCount / rows) * 100);
  return [nullCount === rows ? 'always NULL' : `${Math.min(99, Math.max(1, share))} % NULL`];
}
