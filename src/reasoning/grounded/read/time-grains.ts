import type { DatePart } from '../../../sql/index.ts';

const GRAINS: Readonly<Record<string, DatePart>> = {
  day: 'day',
  days: 'day',
  daily: 'day',
  week: 'week',
  weeks: 'week',
  weekly: 'week',
  month: 'month',
  months: 'month',
  monthly: 'month',
  quarter: 'quarter',
  quarters: 'quarter',
  quarterly: 'quarter',
  year: 'year',
  years: 'year',
  yearly: 'year',
  annual: 'year',
  annually: 'year',
  weekday: 'weekday',
  weekdays: 'weekday',
  'day of week': 'weekday',
  'day of the week': 'weekday',
  'days of the week': 'weekday',
  'month of year': 'month-of-year',
  'month of the year': 'month-of-year',
  'calendar month': 'month-of-year',
  'quarter of the year': 'quarter-of-year',
};

/** The grain of time a word names: "month", "monthly" → month. */
export function timeGrain(word: string): DatePart | undefined {
  const lower = word.toLowerCase();
  return Object.hasOwn(GRAINS, lower) ? GRAINS[lower] : undefined;
}
