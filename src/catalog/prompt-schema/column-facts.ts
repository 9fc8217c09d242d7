/** What is known of the values of a column, in clauses short enough for a line of a prompt. */

import { allValues } from '../profiles/collect-values.ts';
import { epochUnit } from '../profiles/epoch-unit.ts';
import type { Column, ColumnProfile } from '../schema/catalog.ts';
import { listedValue } from './schema-line.ts';

/** A list of texts is given whole up to so many characters, one of numbers up to so many of them. */
const MOST_LISTED_CHARACTERS = 200;
const LONGEST_LISTED = 50;
const MOST_NUMBERS = 10;
const EXAMPLES = 2;

export interface ColumnPlace {
  /** It leads to a column whose values are its own. */
  readonly isLink: boolean;
  readonly isPrimaryKey: boolean;
}

/**
 * Clauses about stored values, of those that help to write a condition: `one of …` has all of them, `e.g.` a few; the range of numbers
 * and times; a count of time since 1970, where the name speaks of a time and both ends are one; how many are missing. Numbers that are
 * keys have none, nor has a withheld column.
 */
export function columnFacts(column: Column, place: ColumnPlace): readonly string[] {
  const { profile } = column;
  if (profile === undefined) return [];
  return [...valueFacts(column, profile, place), ...formFact(profile), ...missingFact(profile)];
}

function valueFacts(column: Column, profile: ColumnProfile, place: ColumnPlace): readonly string[] {
  const isTime = column.family !== 'text' && column.family !== 'number';
  const isOrdered = isTime || profile.pattern?.startsWith('iso-') === true;
  // The values of a link are those of what it leads to, but for how a day is written.
  if (profile.pii?.isWithheld === true || (place.isLink && !isOrdered)) return [];
  const { min, max, semanticClass } = profile;
  const unit = epochUnit(column);
  if (unit !== undefined)
    return [`${unit.name} since 1970, ${dayOf(min, unit.perSecond)} to ${dayOf(max, unit.perSecond)}`];
  const isKey = place.isPrimaryKey || semanticClass === 'key';
  if (column.family === 'number' && isKey) return [];
  const list = wholeList(column, profile);
  if (list.length > 0)
    return [`${list.length === 1 ? 'only' : 'one of'} ${list.map(listedValue).join(', ')}`];
  if ((isOrdered || column.family === 'number') && min !== undefined && max !== undefined)
    return [`${rangeEnd(column, min)} to ${rangeEnd(column, max)}`];
  const shown = chooseExamples(column, [], EXAMPLES);
  // One says how a name of a thing looks; who is asked about is found by the question's words.
  const isName = isKey || semanticClass === 'identifier_like_text';
  return shown.length === 0
    ? []
    : [
        `e.g. ${shown
          .slice(0, isName ? 1 : EXAMPLES)
          .map(listedValue)
          .join(', ')}`,
      ];
}

/** Whether the schema shows all values of a column. */
export function hasWholeList(column: Column): boolean {
  const { profile } = column;
  return profile !== undefined && wholeList(column, profile).length > 0;
}

/** All values, where they are codes, statuses or names of few things; none where they are prose, people, measures or times. */
function wholeList(column: Column, profile: ColumnProfile): readonly string[] {
  const { pattern, semanticClass, pii } = profile;
  const all = allValues(column) ?? [];
  const isShort =
    all.join(', ').length <= MOST_LISTED_CHARACTERS && all.every((value) => value.length <= LONGEST_LISTED);
  switch (column.family) {
    case 'text':
      return isShort && pii === undefined && !pattern?.startsWith('iso-') ? all : [];
    case 'number':
      return all.length <= MOST_NUMBERS && semanticClass !== 'measure' && all.every(isWholeNumber)
        ? inOrder(all)
        : [];
    default:
      return all.length === 1 ? all : [];
  }
}

function isWholeNumber(value: string): boolean {
  return /^-?\d+$/.test(value);
}

function inOrder(numbers: readonly string[]): readonly string[] {
  return [...numbers].sort((a, b) => Number(a) - Number(b));
}

/** The engine reads a number, whoever wrote it; a text of a time is anything. */
function rangeEnd({ family }: Column, value: string): string {
  return family === 'number' && /^-?\d+(?:\.\d+)?$/.test(value) ? value : listedValue(value);
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
  return [nullCount === rows ? 'always NULL' : `${Math.min(99, Math.max(1, share))}% NULL`];
}

// Which stored values of a column a schema text shows.

const MOST_SHOWN = 3;
/** Samples longer than this say what they are by one of them, and longer than that by none. */
const LONG = 20;
const TOO_LONG = 50;
/** Profiles keep so much of a value: a sample of as many characters may have been cut. */
const CUT = 80;
/** A value of the question is shown whole or not at all: a cut literal would be a wrong one. */
const LONGEST_VALUE = 200;

/**
 * Values that the question's words were found in come first, whatever their length, then samples: three at most, one
 * where the longest has more than 20 characters or the column holds times, none beyond 50, but where they are times in words, of which
 * nothing else tells how they are written; addresses of mail and of pages are left out, and all of a withheld column. Source: XiYan
 * M-Schema, example rules (ThothAI, section 11).
 */
export function chooseExamples(
  { family, type, profile }: Column,
  found: readonly string[],
  most: number,
): readonly string[] {
  if (profile?.pii?.isWithheld === true) return [];
  const limit = Math.min(most, MOST_SHOWN);
  const values = distinct(found).filter((value) => value.length <= LONGEST_VALUE);
  const sampled = distinct(profile?.examples.slice(0, Math.max(0, most)) ?? []).filter(
    (value) => !isAddress(value),
  );
  const shown = sampled.slice(0, limit);
  const isTime = family === 'time' || profile?.pattern?.startsWith('iso-') === true;
  const isSaidToBeTime = profile?.semanticClass === 'temporal' || /date|time/i.test(type);
  const byLength = Math.max(allowedByLength(shown), isSaidToBeTime && longestOf(shown) < CUT ? 1 : 0);
  const allowed = isTime ? Math.min(1, byLength) : byLength;
  const hits = values.slice(0, limit);
  const samples = shown.filter((value) => !hits.includes(value));
  return [...hits, ...samples.slice(0, Math.max(0, Math.min(allowed, limit) - hits.length))];
}

function allowedByLength(values: readonly string[]): number {
  const longest = longestOf(values);
  return longest > TOO_LONG ? 0 : longest > LONG ? 1 : MOST_SHOWN;
}

function longestOf(values: readonly string[]): number {
  return Math.max(0, ...values.map((value) => value.length));
}

function isAddress(value: string): boolean {
  return /^[^\s@]+@[^\s@]+\.\p{L}{2,}$|^(?:[a-z][a-z0-9+.-]{1,10}:\/\/|www\.)|\.com(?:[/?#:]|$)/iu.test(
    value,
  );
}

/** Without empty ones, each once; blanks around a value stay: whoever compares with it without them finds nothing. */
function distinct(values: readonly string[]): string[] {
  const bare = new Map(values.toReversed().map((value) => [value.trim(), value]));
  bare.delete('');
  return [...bare.values()].toReversed();
}
