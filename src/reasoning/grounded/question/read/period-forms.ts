import type { TimeRules } from '../../../../knowledge/semantic/index.ts';
import { numberWord } from '../../../../language/index.ts';
import { addDays, addMonths, monthStart, quarterStart, weekStart, yearStart } from './calendar.ts';

/** Days [from, until) that a phrase means. */
export interface Period {
  readonly from: Date;
  readonly until: Date;
  readonly grain: 'day' | 'week' | 'month' | 'quarter' | 'half' | 'year';
  readonly year?: number;
  readonly isRelative?: boolean;
  /** The words name no year. */
  readonly isYearTaken?: boolean;
}

const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);
export const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const YEAR = '(?:1[89]\\d\\d|20\\d\\d)';
const ORDINALS = ['first', 'second', 'third', 'fourth'];

/** Longer windows are typing mistakes, and leave the calendar. */
const MAX_ROLLING = 10_000;

const COUNT = '\\d+|one|two|three|four|five|six|seven|eight|nine|ten|twelve';

function countOf(text: string | undefined): number {
  return text === 'one' ? 1 : (numberWord(text ?? '') ?? Number(text));
}

/** One form of period: a pattern and what days it means. */
export interface PeriodForm {
  readonly pattern: string;
  readonly read: (groups: readonly (string | undefined)[], now: Date, rules: TimeRules) => Period | null;
}

/** The forms of period we know, longer and more special ones first. */
export const PERIOD_FORMS: readonly PeriodForm[] = [
  {
    pattern: `(${YEAR})-(\\d\\d?)-(\\d\\d?)`,
    read: ([year, month, day]) => oneDay(Number(year), Number(month) - 1, Number(day)),
  },
  {
    pattern: `(${YEAR})-(\\d\\d)(?!\\d|-)`,
    read: ([year, month]) =>
      Number(month) >= 1 && Number(month) <= 12 ? months(Number(year), Number(month) - 1, 1, 'month') : null,
  },
  {
    pattern: `(${MONTH})\\.? (\\d\\d?)(?:st|nd|rd|th)?,? (${YEAR})`,
    read: ([month, day, year]) => oneDay(Number(year), monthIndex(month), Number(day)),
  },
  {
    pattern: `(\\d\\d?)(?:st|nd|rd|th)?(?: of)? (${MONTH})\\.?,? (${YEAR})`,
    read: ([day, month, year]) => oneDay(Number(year), monthIndex(month), Number(day)),
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
    pattern: `(?:last|past|previous|prior) (${COUNT}) (?:calendar|full|complete|whole) (weeks?|months?|quarters?|years?)(?: \\((?:not including|excluding|without) the current (?:week|month|quarter|year))?`,
    read: ([count, unit], now, rules) => {
      const number = countOf(count);
      if (number < 1 || number > MAX_ROLLING) return null;
      const name = (unit ?? '').replace(/s$/, '');
      const { from } = wholeUnit(name, -number, now, rules);
      return { ...wholeUnit(name, -1, now, rules), from };
    },
  },
  {
    pattern: `(${COUNT}) (days?|weeks?|months?|quarters?|years?) ago`,
    read: ([count, unit], now, rules) => {
      const number = countOf(count);
      if (number < 1 || number > MAX_ROLLING) return null;
      const name = (unit ?? '').replace(/s$/, '');
      if (name !== 'day') return wholeUnit(name, -number, now, rules);
      return { from: addDays(now, -number), until: addDays(now, 1 - number), grain: 'day', isRelative: true };
    },
  },
  {
    pattern: `(?:last|past|previous|recent|trailing) (${COUNT}) (days?|weeks?|months?|quarters?|years?)`,
    read: ([count, unit], now, rules) => rolling(countOf(count), unit ?? '', now, rules),
  },
  { pattern: 'same (?:period|time|month|quarter) (?:last|of last|of the previous) year', read: () => null },
  {
    pattern: '(?:last|previous|prior|past) (week|month|quarter|year)',
    read: ([unit], now, rules) => wholeUnit(unit ?? '', -1, now, rules),
  },
  {
    pattern:
      '(year|quarter|month) to date|(ytd|qtd|mtd)|so far (this (?:year|quarter|month))|(this (?:year|quarter|month)) so far',
    read: ([unit, short, early, late], now, rules) => {
      const soFar = early ?? late;
      const name =
        unit ?? { ytd: 'year', qtd: 'quarter', mtd: 'month' }[short ?? ''] ?? soFar?.slice(5) ?? 'year';
      const whole = wholeUnit(name, 0, now, rules);
      return { ...whole, until: addDays(now, rules.excludesToday ? 0 : 1) };
    },
  },
  {
    pattern: '(?:this|the current|current) (week|month|quarter|year)',
    read: ([unit], now, rules) => wholeUnit(unit ?? '', 0, now, rules),
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
    pattern: `(?:the year |year |calendar )?(?<!\\b\\d{1,2}[/.-])(${YEAR})(?![\\d,.]*\\d|/\\d|-\\d\\d?(?!\\d))`,
    read: ([year]) => ({ ...months(Number(year), 0, 12, 'year'), year: Number(year) }),
  },
];

/** One day; null when the calendar has no such day. */
function oneDay(year: number, month: number, day: number): Period | null {
  const from = new Date(Date.UTC(year, month, day));
  return from.getUTCMonth() === month && from.getUTCDate() === day
    ? { from, until: addDays(from, 1), grain: 'day' }
    : null;
}

/** Whole months from a month on. */
export function months(year: number, month: number, count: number, grain: Period['grain']): Period {
  const from = new Date(Date.UTC(year, month, 1));
  return { from, until: addMonths(from, count), grain };
}

/** 0 to 11 for a month's name or its beginning. */
export function monthIndex(name: string | undefined): number {
  return MONTHS.findIndex((month) => month.startsWith((name ?? '').slice(0, 3)));
}

/** "last 3 months": whole days back from today, today itself left out when the rules say so. */
function rolling(count: number, unit: string, now: Date, rules: TimeRules): Period | null {
  if (count < 1 || count > MAX_ROLLING) return null;
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
