import type { TimeRules } from '../../../../knowledge/semantic/index.ts';
import type { Span } from '../../../../sql/dialects/index.ts';
import { isoDate } from './calendar.ts';
import { MONTH, monthIndex, months, PERIOD_FORMS, type Period } from './period-forms.ts';

/** A period the question names: days [start, end) as ISO text. */
export interface TimeWindow extends Span {
  /** First day, inclusive; absent for an open beginning ("before 2020"). */
  readonly from?: string;
  /** First day after the window; absent for an open end ("since 2020"). */
  readonly until?: string;
  readonly label: string;
  readonly grain: 'day' | 'week' | 'month' | 'quarter' | 'half' | 'year';
  /** The window is a bare year: in a database with year columns it may be compared as a number. */
  readonly year?: number;
  /** Rests on the clock ("last month") rather than on the words alone. */
  readonly isRelative: boolean;
  /** The words name no year: the last one that has begun was taken. */
  readonly isYearTaken?: boolean;
  /** A range of two named periods ("from 2022 to 2023"): each for itself, to compare. */
  readonly ends?: readonly [TimeWindow, TimeWindow];
}

const COMPILED = PERIOD_FORMS.map((form) => ({
  ...form,
  pattern: new RegExp(`\\b(?:${form.pattern})\\b`, 'y'),
}));

/** Finds the periods a question names, leftmost and longest form first; ranges and open ends are joined. */
export function findTimes(question: string, now: Date, rules: TimeRules): TimeWindow[] {
  const text = question.toLowerCase();
  const today = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()));
  const found: (Period & Span)[] = [];
  for (let at = 0; at < text.length; at++) {
    if (at > 0 && /[\p{L}\p{N}]/u.test(text[at - 1] ?? '')) continue;
    const period = readPeriodAt(text, at, today, rules);
    if (period === null) continue;
    found.push(period);
    at = period.end - 1;
  }
  const dated = shareYears(text, found);
  // A month without a year is one of the present where people wrote down what times mean here, and wherever it opens or ends a period.
  const bare = findBarePeriods(text, today, dated).filter(
    ({ start }) => rules.isWritten === true || IS_BOUND.test(text.slice(0, start)),
  );
  const all = joinRanges(
    text,
    [...dated, ...bare].sort((a, b) => a.start - b.start),
  );
  // Where no time means the current year, all time must be said.
  if (rules.defaultWindow === 'all') return all;
  return [...all, ...findAllTime(text)].sort((a, b) => a.start - b.start);
}

const IS_BOUND = /\b(?:since|until|till|after|before)\s+(?:the\s+)?(?:(?:beginning|start|end)\s+of\s+)?$/;

const ALL_TIME =
  /\b(?:over|across|for|in|of|during|through)\s+(?:all (?:of )?(?:the )?(?:time|years|periods)|any (?:time|year))\b|\ball[- ]time\b|\bsince the (?:beginning|start)\b(?! of)/g;

function findAllTime(text: string): TimeWindow[] {
  return [...text.matchAll(ALL_TIME)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    label: 'all time',
    grain: 'year',
    isRelative: false,
  }));
}

function readPeriodAt(text: string, at: number, today: Date, rules: TimeRules): (Period & Span) | null {
  for (const form of COMPILED) {
    form.pattern.lastIndex = at;
    const match = form.pattern.exec(text);
    if (match === null) continue;
    const period = form.read(match.slice(1), today, rules);
    if (period !== null) return { ...period, start: at, end: at + match[0].length };
  }
  return null;
}

/** "from March to June 2023": the month without a year takes the year of the one that follows. */
function shareYears(text: string, found: readonly (Period & Span)[]): (Period & Span)[] {
  return found.flatMap((period) => {
    if (period.grain !== 'month') return [period];
    const lead = new RegExp(`\\b(${MONTH})\\.? (?:to|and|through|until|-|–|vs\\.?|versus) $`).exec(
      text.slice(0, period.start),
    );
    if (lead === null) return [period];
    const year = period.from.getUTCFullYear();
    return [
      {
        ...months(year, monthIndex(lead[1]), 1, 'month'),
        start: lead.index,
        end: lead.index + (lead[1]?.length ?? 0),
      },
      period,
    ];
  });
}

function joinRanges(text: string, found: readonly (Period & Span)[]): TimeWindow[] {
  const windows: TimeWindow[] = [];
  for (let index = 0; index < found.length; index++) {
    const period = found[index];
    if (period === undefined) continue;
    // "compared with the month before in 2022": the step before, and a period of its own.
    const before =
      /(?:(?<!\b(?:over|with|to|than|from)(?: the)? (?:day|week|month|quarter|year) )\b(from|between|since|starting|after|before|until|till|(?<=\b\w+(?:ed|en|wn) )by|up to and including|up to|by the end of|prior to|through|(?:on|in|at|during) or (?:after|before)|(?:no|not) (?:later|earlier) than|(?:at the )?latest (?:by|on|in)|(?:at the )?earliest (?:on|in))\s+(?:the\s+)?(?:(beginning|start|end)\s+of\s+(?:the\s+)?)?)$/.exec(
        text.slice(0, period.start),
      );
    const opener = edged(before?.[1], before?.[2]);
    const start = before === null ? period.start : before.index;
    const next = found[index + 1];
    const between = next === undefined ? '' : text.slice(period.end, next.start);
    if (
      next !== undefined &&
      /^\s*(?:to|until|till|through|-|–|and)\s*(?:the end of\s*)?$/.test(between) &&
      (opener === 'from' || opener === 'between' || !/and/.test(between))
    ) {
      const ends = [
        toWindow(text, period, period.start, period.end),
        toWindow(text, next, next.start, next.end),
      ] as const;
      windows.push({
        ...toWindow(text, spanOf(period, next), start, next.end),
        ends,
      });
      index++;
      continue;
    }
    windows.push(openEnded(text, period, opener, start));
  }
  return windows;
}

/** "between 2023 and 2021" means the years from 2021 on. */
function spanOf(a: Period, b: Period): Period {
  const [first, last] = a.from.getTime() <= b.from.getTime() ? [a, b] : [b, a];
  return { from: first.from, until: last.until, grain: a.grain };
}

/** The period itself belongs to what is open. */
const FROM_THEN_ON = /^(?:since|from|starting|.* or after|(?:no|not) earlier than|(?:at the )?earliest .*)$/;
const UP_TO_THEN =
  /^(?:by|until|till|up to(?: and including)?|by the end of|through|.* or before|(?:no|not) later than|(?:at the )?latest .*)$/;

/** "since the end of May" is after it, "until the beginning of May" before it; each other edge of a period is what the word says by itself. */
function edged(opener: string | undefined, edge: string | undefined): string | undefined {
  if (opener === undefined || edge === undefined) return opener;
  const isEnd = edge === 'end';
  if (opener === 'after' || FROM_THEN_ON.test(opener)) return isEnd ? 'after' : 'since';
  if (opener === 'before' || UP_TO_THEN.test(opener)) return isEnd ? 'until' : 'before';
  return opener;
}

function openEnded(
  text: string,
  period: Period & Span,
  opener: string | undefined,
  start: number,
): TimeWindow {
  // "before 2003 and after 2005" are two windows.
  const tail =
    /^\s+(or (?:after|later)|and (?:after|later)|onwards?|on(?=\s*[?.!]?$)|at the (?:earliest|latest)|(?:or|and) (?:before|earlier))\b(?!\s+(?:the )?(?:year )?\d)/.exec(
      text.slice(period.end),
    );
  const end = period.end + (tail?.[0].length ?? 0);
  const year = period.year;
  const later = tail !== null && !/before|earlier|latest/.test(tail[1] ?? '');
  if (later || (opener !== undefined && FROM_THEN_ON.test(opener)))
    return { ...toWindow(text, period, start, end), until: undefined, year };
  if (tail !== null || (opener !== undefined && UP_TO_THEN.test(opener)))
    return { ...toWindow(text, period, start, end), from: undefined, year };
  if (opener === 'after')
    return { ...toWindow(text, { ...period, from: period.until }, start, end), until: undefined, year };
  if (opener === 'before' || opener === 'prior to')
    return { ...toWindow(text, { ...period, until: period.from }, start, end), from: undefined, year };
  return toWindow(text, period, period.start, end);
}

function toWindow(text: string, period: Period, start: number, end: number): TimeWindow {
  const { grain, year } = period;
  return {
    start,
    end,
    from: isoDate(period.from),
    until: isoDate(period.until),
    label: text.slice(start, end).trim(),
    grain,
    year,
    isRelative: period.isRelative ?? false,
    ...(period.isYearTaken === true && { isYearTaken: true }),
  };
}

/** A month, quarter or half without a year; "may" and the short names need a word before them that a time follows. */
const BARE =
  /\b(?:(?<month>january|february|march|april|june|july|august|september|october|november|december)|(?<=\b(?:in|of|for|during|since|until|from|to|through|and) )(?<short>may|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)|q(?<quarter>[1-4])|(?<ordinal>first|second|third|fourth|last) quarter(?: of the year)?|h(?<half>[12])|(?<which>first|second) half(?: of the year)?)\b(?! ?(?:of )?\d)/g;

const ORDINALS = ['first', 'second', 'third', 'fourth'];

/** Periods of text in lower case that name no year, outside those that are known: of the last year in which they have begun. */
function findBarePeriods(text: string, today: Date, known: readonly Span[]): (Period & Span)[] {
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
