import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readCases, testCases } from '../../../../../test/fixtures/grounded/read-cases.ts';
import { emptySemanticModel, type TimeRules } from '../../../../knowledge/semantic/index.ts';
import { findTimes, type TimeWindow } from './find-times.ts';

const CASE = z.strictObject({
  phrase: z.string(),
  now: z.iso.date(),
  rules: z
    .strictObject({
      excludesToday: z.boolean().optional(),
      fiscalYearStartMonth: z.number().optional(),
      weekStart: z.enum(['monday', 'sunday']).optional(),
    })
    .optional(),
  windows: z.array(z.strictObject({ from: z.iso.date().optional(), until: z.iso.date().optional() })),
  mustFail: z.string().optional(),
});

const RULES: TimeRules = emptySemanticModel.timeRules;
const CASES = readCases('times.jsonl', CASE);

function find(phrase: string, now: string, rules: Partial<TimeRules> = {}): TimeWindow[] {
  return findTimes(phrase, new Date(`${now}T12:00:00Z`), { ...RULES, ...rules });
}

describe('findTimes', () => {
  testCases(
    CASES,
    ({ phrase, now, rules }) => `“${phrase}” on ${now} ${rules === undefined ? '' : JSON.stringify(rules)}`,
    ({ phrase, now, rules, windows }) => {
      const found = find(phrase, now, rules).map(({ from, until }) => ({ from, until }));
      expect(found).toEqual(windows.map(({ from, until }) => ({ from, until })));
    },
  );

  const labels: readonly [phrase: string, label: string, grain: TimeWindow['grain'], isRelative: boolean][] =
    [
      ['orders in March 2023, please', 'march 2023', 'month', false],
      ['orders since 2020?', 'since 2020', 'year', false],
      ['orders in the last 7 days by city', 'last 7 days', 'day', true],
      ['orders from 2020 to 2022 by city', 'from 2020 to 2022', 'year', false],
      ['orders in 2020 or later by city', '2020 or later', 'year', false],
      ['Q3 2024 orders', 'q3 2024', 'quarter', false],
      ['H1 2024 orders', 'h1 2024', 'half', false],
      ['orders last week', 'last week', 'week', true],
    ];
  it.each(labels)('marks the words of “%s”', (phrase, label, grain, isRelative) => {
    const [window] = find(phrase, '2024-05-15');
    expect(window).toMatchObject({ label, grain, isRelative });
    expect(phrase.slice(window?.start, window?.end).toLowerCase()).toBe(label);
  });

  it('keeps the two ends of a range apart', () => {
    const [window] = find('from 2022 to 2023', '2024-05-15');
    expect(window?.ends?.map(({ from, until }) => [from, until])).toEqual([
      ['2022-01-01', '2023-01-01'],
      ['2023-01-01', '2024-01-01'],
    ]);
  });

  it('says when a window is one bare year', () => {
    const years = (phrase: string) => find(phrase, '2024-05-15').map((window) => window.year);
    expect(years('in 2023')).toEqual([2023]);
    expect(years('in March 2023')).toEqual([undefined]);
    expect(years('from 2022 to 2023')).toEqual([undefined]);
  });

  it('does not move a day by the hour of the clock', () => {
    for (const hour of ['00:00:00', '12:00:00', '23:59:59'])
      expect(findTimes('yesterday', new Date(`2024-03-01T${hour}Z`), RULES)).toMatchObject([
        { from: '2024-02-29', until: '2024-03-01' },
      ]);
  });
});

const year = fc.integer({ min: 1900, max: 2099 });
const day = fc
  .date({ min: new Date('1900-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const month = fc.constantFrom(
  ...['january', 'Feb', 'March', 'apr.', 'May', 'june', 'July', 'Aug', 'September', 'oct', 'Nov', 'December'],
);
const period = fc.oneof(
  year.map(String),
  day,
  fc.tuple(month, year).map(([name, number]) => `${name} ${number}`),
  fc.tuple(fc.integer({ min: 1, max: 4 }), year).map(([quarter, number]) => `Q${quarter} ${number}`),
  fc.tuple(fc.constantFrom('first', 'second'), year).map(([half, number]) => `${half} half of ${number}`),
  fc
    .tuple(fc.integer({ min: 1, max: 400 }), fc.constantFrom('day', 'weeks', 'months', 'quarters', 'years'))
    .map(([count, unit]) => `the last ${count} ${unit}`),
  fc
    .tuple(fc.constantFrom('this', 'last'), fc.constantFrom('week', 'month', 'quarter', 'year'))
    .map((words) => words.join(' ')),
  fc.constantFrom('yesterday', 'today', 'year to date', 'this month'),
);
const opener = fc.constantFrom('in', 'since', 'before', 'after', 'until', 'from', 'by the end of', 'during');
const rules = fc.record({
  defaultWindow: fc.constantFrom('all' as const, 'current-year' as const),
  // On the first day of a year "year to date" without today holds no day at all, and rightly so.
  excludesToday: fc.constant(false),
  fiscalYearStartMonth: fc.integer({ min: 1, max: 12 }),
  weekStart: fc.constantFrom('monday' as const, 'sunday' as const),
});

describe('every window', () => {
  it('begins before it ends, and stands where its words stand', () => {
    fc.assert(
      fc.property(opener, period, day, rules, (open, named, now, given) => {
        const question = `Orders ${open} ${named} by city`;
        const windows = findTimes(question, new Date(`${now}T08:00:00Z`), given);
        expect(windows.length).toBeGreaterThan(0);
        for (const window of windows) {
          expect(window.from ?? window.until).toBeDefined();
          if (window.from !== undefined && window.until !== undefined)
            expect(window.from < window.until, `${window.from} < ${window.until}`).toBe(true);
          expect(question.slice(window.start, window.end).trim().toLowerCase()).toBe(window.label);
        }
      }),
      { seed: 7, numRuns: 1500 },
    );
  });

  it('comes from ordered ranges ordered', () => {
    fc.assert(
      fc.property(fc.tuple(year, year), fc.constantFrom('from|to', 'between|and'), (years, words) => {
        const [low, high] = [Math.min(...years), Math.max(...years)];
        const [open, joint] = words.split('|');
        const [window, second] = find(`orders ${open} ${low} ${joint} ${high}`, '2024-05-15');
        expect(second).toBeUndefined();
        expect(window).toMatchObject({ from: `${low}-01-01`, until: `${high + 1}-01-01` });
      }),
      { seed: 7, numRuns: 200 },
    );
  });

  it('never overlaps another, whatever the text', () => {
    const words = fc.constantFrom(
      ...'from to between and until since before after or later last 3 days month year 2023 2024-02-29 march 5, 2022 q2 this week first half of - the end'.split(
        ' ',
      ),
    );
    fc.assert(
      fc.property(fc.array(words, { maxLength: 14 }), (list) => {
        const windows = find(list.join(' '), '2024-05-15');
        for (const [index, window] of windows.entries()) {
          expect(window.start).toBeLessThan(window.end);
          expect(window.start).toBeGreaterThanOrEqual(windows[index - 1]?.end ?? 0);
        }
      }),
      { seed: 7, numRuns: 1500 },
    );
  });
});
