import type { Span } from '../../../sql/index.ts';
import { monthIndex, months, type Period } from './period-forms.ts';

/** A month, quarter or half without a year; "may" and the short names need a word before them that a time follows. */
const BARE =
  /\b(?:(?<month>january|february|march|april|june|july|august|september|october|november|december)|(?<=\b(?:in|of|for|during|since|until|from|to|through|and) )(?<short>may|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)|q(?<quarter>[1-4])|(?<ordinal>first|second|third|fourth|last) quarter(?: of the year)?|h(?<half>[12])|(?<which>first|second) half(?: of the year)?)\b(?! ?(?:of )?\d)/g;

const ORDINALS = ['first', 'second', 'third', 'fourth'];

/** Periods of text in lower case that name no year, outside those that are known: of the last year in which they have begun. */
export function findBarePeriods(text: string, today: Date, known: readonly Span[]): (Period & Span)[] {
  return [...text.matchAll(BARE)].flatMap((match) => {
    const span = { start: match.index, end: match.index + match[0].length };
    if (known.some((other) => span.start < other.end && other.start < span.end)) return [];
    const { first, count, grain } = placeOf(match.groups ?? {});
    const year = today.getUTCFullYear();
    const isAhead = Date.UTC(year, first, 1) > today.getTime();
    return [{ ...months(isAhead ? year - 1 : year, first, count, grain), ...span, isYearTaken: true }];
  });
}

function placeOf(groups: Readonly<Record<string, string | undefined>>): {
  readonly first: number;
  readonly count: number;
  readonly grain: Period['grain'];
} {
  const { month, short, quarter, ordinal, half, which } = groups;
  const name = month ?? short;
  if (name !== undefined) return { first: monthIndex(name), count: 1, grain: 'month' };
  if (quarter !== undefined) return { first: (Number(quarter) - 1) * 3, count: 3, grain: 'quarter' };
  if (ordinal !== undefined)
    return { first: (ordinal === 'last' ? 3 : ORDINALS.indexOf(ordinal)) * 3, count: 3, grain: 'quarter' };
  return { first: half === '2' || which === 'second' ? 6 : 0, count: 6, grain: 'half' };
}
