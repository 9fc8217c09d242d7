/** What is known of the values of a column, in clauses short enough for a line of a prompt. */
import { allValues } from '../all-values.ts';
import type { Column, ColumnProfile } from '../catalog.ts';
import { epochUnit } from '../epoch-unit.ts';
import { chooseExamples } from './choose-examples.ts';
import { listedValue } from './one-line.ts';

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
