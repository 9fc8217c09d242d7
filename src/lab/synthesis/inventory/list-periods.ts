import type { Period } from '../items/structure.ts';

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;
const ORDINALS = ['first', 'second', 'third', 'fourth'] as const;

/** Whole years, halves, quarters and months between two days, each in every wording that a question may use. */
export function listPeriods(first: string, last: string, now: string): readonly Period[] {
  const periods: Period[] = [];
  const thisYear = Number(now.slice(0, 4));
  for (let year = Number(first.slice(0, 4)); year <= Number(last.slice(0, 4)); year++) {
    const add = (grain: Period['grain'], month: number, length: number, labels: readonly string[]): void => {
      const [from, until] = [dayOf(year, month), dayOf(year, month + length)];
      if (from < `${first.slice(0, 7)}-01` || from > last) return;
      for (const label of labels) periods.push({ grain, from, until, label, phrase: `in ${label}` });
    };
    add('year', 0, 12, [String(year)]);
    for (const half of [0, 1]) add('half', half * 6, 6, [`the ${ORDINALS[half]} half of ${year}`]);
    for (const quarter of [0, 1, 2, 3])
      add('quarter', quarter * 3, 3, [
        `Q${quarter + 1} ${year}`,
        `the ${ORDINALS[quarter]} quarter of ${year}`,
      ]);
    for (const [month, name] of MONTHS.entries()) add('month', month, 1, [`${name} ${year}`]);
  }
  const named = (label: string, year: number): Period[] =>
    periods
      .filter(({ grain, from }) => grain === 'year' && from === dayOf(year, 0))
      .map((period) => ({ ...period, label, phrase: label }));
  return [...periods, ...named('last year', thisYear - 1), ...named('this year', thisYear)];
}

/** The whole period of the same length just before, or a year before. */
export function yearBefore(period: Period, all: readonly Period[]): Period | undefined {
  const from = `${Number(period.from.slice(0, 4)) - 1}${period.from.slice(4)}`;
  const year = period.from.slice(0, 4);
  return all.find(
    (other) =>
      other.grain === period.grain &&
      other.from === from &&
      other.label === period.label.replace(year, from.slice(0, 4)),
  );
}

/** First day of a month; months beyond December are of the next year. */
function dayOf(year: number, month: number): string {
  const at = year + Math.floor(month / 12);
  return `${at}-${String((month % 12) + 1).padStart(2, '0')}-01`;
}
