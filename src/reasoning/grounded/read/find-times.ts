import type { TimeRules } from '../../../knowledge/semantic-model.ts';
import type { Span } from '../../../sql/span.ts';
import {
  addDays,
  addMonths,
  isoDate,
  monthStart,
  quarterStart,
  weekStart,
  yearStart,
} from './calendar-days.ts';

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
  /** A range of two named periods ("from 2022 to 2023"): each for itself, to compare. */
  readonly ends?: readonly [TimeWindow, TimeWindow];
}

interface Period {
  readonly from: Date;
  readonly until: Date;
  readonly grain: TimeWindow['grain'];
  readonly year?: number;
  readonly isRelative?: boolean;
}

const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);
const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const YEAR = '(?:1[89]\\d\\d|20\\d\\d)';
const ORDINALS = ['first', 'second', 'third', 'fourth'];
const COUNTS: Readonly<Record<string, number>> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  twelve: 12,
};

/** One form of period: a pattern and what days it means. */
interface PeriodForm {
  readonly pattern: string;
  readonly read: (groups: readonly (string | undefined)[], now: Date, rules: TimeRules) => Period | null;
}

const FORMS: readonly PeriodForm[] = [
  {
    pattern: `(${YEAR})-(\\d\\d?)-(\\d\\d?)`,
    read: ([year, month, day]) => {
      const from = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
      return { from, until: addDays(from, 1), grain: 'day' };
    },
  },
  {
    pattern: `(${YEAR})-(\\d\\d)(?!\\d|-)`,
    read: ([year, month]) => months(Number(year), Number(month) - 1, 1, 'month'),
  },
  {
    pattern: `(${MONTH})\\.? (\\d\\d?)(?:st|nd|rd|th)?,? (${YEAR})`,
    read: ([month, day, year]) => {
      const from = new Date(Date.UTC(Number(year), monthIndex(month), Number(day)));
      return { from, until: addDays(from, 1), grain: 'day' };
    },
  },
  {
    pattern: `(\\d\\d?)(?:st|nd|rd|th)?(?: of)? (${MONTH})\\.?,? (${YEAR})`,
    read: ([day, month, year]) => {
      const from = new Date(Date.UTC(Number(year), monthIndex(month), Number(day)));
      return { from, until: addDays(from, 1), grain: 'day' };
    },
  },
  {
    pattern: `(${MONTH})\\.?(?: of)?,? (${YEAR})`,
    read: ([month, year]) => months(Number(year), monthIndex(month), 1, 'month'),
  },
  {
    pattern: `q([1-4])(?: of|,)? ?(?:fy)?(${YEAR})`,
    read: ([quarter, year]) => months(Number(year), (Number(quarter) - 1) * 3, 3, 'quarter'),
  },
  {
    pattern: `(${YEAR}) ?-?q([1-4])`,
    read: ([year, quarter]) => months(Number(year), (Number(quarter) - 1) * 3, 3, 'quarter'),
  },
  {
    pattern: `(first|second|third|fourth|last) quarter(?: of|,)? (${YEAR})`,
    read: ([ordinal, year]) =>
      months(Number(year), (ordinal === 'last' ? 3 : ORDINALS.indexOf(ordinal ?? '')) * 3, 3, 'quarter'),
  },
  {
    pattern: `(?:(first|second) half(?: of|,)?|h([12])(?: of)?) (${YEAR})`,
    read: ([word, digit, year]) =>
      months(Number(year), word === 'second' || digit === '2' ? 6 : 0, 6, 'half'),
  },
  {
    pattern: `(first|last) week of (${YEAR})`,
    read: ([which, year]) => {
      const from = new Date(Date.UTC(Number(year), which === 'first' ? 0 : 11, which === 'first' ? 1 : 25));
      return { from, until: addDays(from, 7), grain: 'week' };
    },
  },
  {
    pattern: `fiscal year (${YEAR})|fy ?(${YEAR})`,
    read: ([a, b], _now, rules) => {
      const from = new Date(Date.UTC(Number(a ?? b), rules.fiscalYearStartMonth - 1, 1));
      return { from, until: addMonths(from, 12), grain: 'year' };
    },
  },
  {
    pattern:
      '(?:last|past|previous|recent|trailing) (\\d+|one|two|three|four|five|six|seven|eight|nine|ten|twelve) (days?|weeks?|months?|quarters?|years?)',
    read: ([count, unit], now, rules) =>
      rolling(COUNTS[count ?? ''] ?? Number(count), unit ?? '', now, rules),
  },
  { pattern: 'same (?:period|time|month|quarter) (?:last|of last|of the previous) year', read: () => null },
  {
    pattern: '(?:last|previous|prior) (week|month|quarter|year)',
    read: ([unit], now, rules) => wholeUnit(unit ?? '', -1, now, rules),
  },
  {
    pattern: '(?:this|the current|current) (week|month|quarter|year)',
    read: ([unit], now, rules) => wholeUnit(unit ?? '', 0, now, rules),
  },
  {
    pattern: '(year|quarter|month) to date|(ytd|qtd|mtd)|(?:so far )?(this (?:year|quarter|month)) so far',
    read: ([unit, short, soFar], now, rules) => {
      const name =
        unit ?? { ytd: 'year', qtd: 'quarter', mtd: 'month' }[short ?? ''] ?? soFar?.slice(5) ?? 'year';
      const whole = wholeUnit(name, 0, now, rules);
      return { ...whole, until: addDays(now, rules.excludesToday ? 0 : 1) };
    },
  },
  {
    pattern: 'yesterday',
    read: (_groups, now) => ({ from: addDays(now, -1), until: now, grain: 'day', isRelative: true }),
  },
  {
    pattern: 'today',
    read: (_groups, now) => ({ from: now, until: addDays(now, 1), grain: 'day', isRelative: true }),
  },
  {
    pattern: `(?:the year |year |calendar )?(${YEAR})(?![\\d,.]*\\d)`,
    read: ([year]) => ({ ...months(Number(year), 0, 12, 'year'), year: Number(year) }),
  },
];

const COMPILED = FORMS.map((form) => ({ ...form, pattern: new RegExp(`\\b(?:${form.pattern})\\b`, 'y') }));

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
  return joinRanges(text, shareYears(text, found));
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
    const before =
      /(?:\b(from|between|since|starting|after|before|until|till|up to|by the end of|prior to|through)\s+(?:the\s+)?)$/.exec(
        text.slice(0, period.start),
      );
    const opener = before?.[1];
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
        ...toWindow(text, { from: period.from, until: next.until, grain: period.grain }, start, next.end),
        ends,
      });
      index++;
      continue;
    }
    windows.push(openEnded(text, period, opener, start));
  }
  return windows;
}

function openEnded(
  text: string,
  period: Period & Span,
  opener: string | undefined,
  start: number,
): TimeWindow {
  const tail = /^\s+(or (?:after|later)|and (?:after|later)|onwards?|or (?:before|earlier))\b/.exec(
    text.slice(period.end),
  );
  const end = period.end + (tail?.[0].length ?? 0);
  const year = period.year;
  const later = tail !== null && !/before|earlier/.test(tail[1] ?? '');
  if (later || opener === 'since' || opener === 'from' || opener === 'starting')
    return { ...toWindow(text, period, start, end), until: undefined, year };
  if (
    tail !== null ||
    opener === 'until' ||
    opener === 'till' ||
    opener === 'up to' ||
    opener === 'by the end of' ||
    opener === 'through'
  )
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
  };
}

function months(year: number, month: number, count: number, grain: Period['grain']): Period {
  const from = new Date(Date.UTC(year, month, 1));
  return { from, until: addMonths(from, count), grain };
}

function monthIndex(name: string | undefined): number {
  return MONTHS.findIndex((month) => month.startsWith((name ?? '').slice(0, 3)));
}

/** "last 3 months": whole days back from today, today itself left out when the rules say so. */
function rolling(count: number, unit: string, now: Date, rules: TimeRules): Period {
  const until = addDays(now, rules.excludesToday ? 0 : 1);
  const name = unit.replace(/s$/, '');
  const grain = name === 'day' || name === 'week' || name === 'month' || name === 'quarter' ? name : 'year';
  const from =
    name === 'day'
      ? addDays(until, -count)
      : name === 'week'
        ? addDays(until, -7 * count)
        : addMonths(until, -count * ({ month: 1, quarter: 3, year: 12 }[name] ?? 1));
  return { from, until, grain, isRelative: true };
}

function wholeUnit(unit: string, offset: number, now: Date, rules: TimeRules): Period {
  if (unit === 'week') {
    const from = addDays(weekStart(now, rules.weekStart), 7 * offset);
    return { from, until: addDays(from, 7), grain: 'week', isRelative: true };
  }
  const size = { month: 1, quarter: 3, year: 12 }[unit] ?? 12;
  const first = unit === 'month' ? monthStart(now) : unit === 'quarter' ? quarterStart(now) : yearStart(now);
  const from = addMonths(first, offset * size);
  return {
    from,
    until: addMonths(from, size),
    grain: unit === 'month' || unit === 'quarter' ? unit : 'year',
    isRelative: true,
  };
}
