import type { DemoRow } from '../table-spec.ts';
import { DAY_COUNT, printDay, readDay, weekdayOf } from './days.ts';

const HOLIDAYS = new Set(['01-01', '05-01', '10-03', '12-25', '12-26']);

/** One row per day of the three years. Fiscal years start on 1 April, fiscal weeks count from there. */
export function* generateCalendarRows(): Generator<DemoRow> {
  for (let day = 0; day < DAY_COUNT; day++) {
    const date = printDay(day);
    const year = Number(date.slice(0, 4));
    const month = Number(date.slice(5, 7));
    const fiscalYear = month >= 4 ? year : year - 1;
    const fiscalQuarter = Math.floor(((month + 8) % 12) / 3) + 1;
    const fiscalWeek = Math.floor((day - readDay(`${fiscalYear}-04-01`)) / 7) + 1;
    yield {
      table: 'calendar',
      values: [
        date,
        year,
        `${year}-Q${Math.ceil(month / 3)}`,
        date.slice(0, 7),
        printDay(day - weekdayOf(day)),
        fiscalYear,
        `FY${fiscalYear}-Q${fiscalQuarter}`,
        `FY${fiscalYear}-W${String(fiscalWeek).padStart(2, '0')}`,
        weekdayOf(day) >= 5 ? 1 : 0,
        HOLIDAYS.has(date.slice(5)) ? 1 : 0,
      ],
    };
  }
}
