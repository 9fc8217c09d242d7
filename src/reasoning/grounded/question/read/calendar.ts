/** The calendar: its steps and its days. */
import type { DatePart } from '../../../../sql/dialects/index.ts';

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

/** Days as UTC dates at midnight: no time zone ever moves a day. */
export function isoDate(day: Date): string {
  return day.toISOString().slice(0, 10);
}

export function addDays(day: Date, count: number): Date {
  return new Date(day.getTime() + count * 86_400_000);
}

/** The same day of another month, or that month's last day where it is shorter. */
export function addMonths(day: Date, count: number): Date {
  const first = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + count, 1));
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  return addDays(first, Math.min(day.getUTCDate(), last) - 1);
}

export function monthStart(day: Date): Date {
  return new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), 1));
}

export function quarterStart(day: Date): Date {
  return new Date(Date.UTC(day.getUTCFullYear(), Math.floor(day.getUTCMonth() / 3) * 3, 1));
}

export function yearStart(day: Date): Date {
  return new Date(Date.UTC(day.getUTCFullYear(), 0, 1));
}

export function weekStart(day: Date, first: 'monday' | 'sunday'): Date {
  const weekday = day.getUTCDay();
  return addDays(day, -(first === 'sunday' ? weekday : (weekday + 6) % 7));
}
