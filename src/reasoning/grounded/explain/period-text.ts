import { addDays, addMonths, isoDate } from '../read/calendar-days.ts';

/** Days from (inclusive) to until (exclusive), as people write them: "2024", "2024-03", "from 2024-01-01 to 2024-06-30". */
export function periodText(from: string | undefined, until: string | undefined): string {
  if (from === undefined) return `before ${until}`;
  if (until === undefined) return `from ${from}`;
  const start = new Date(`${from}T00:00:00Z`);
  if (Number.isNaN(start.getTime())) return `from ${from} and before ${until}`;
  if (/-01-01$/.test(from) && until === isoDate(addMonths(start, 12))) return from.slice(0, 4);
  if (/-01$/.test(from) && until === isoDate(addMonths(start, 1))) return from.slice(0, 7);
  if (until === isoDate(addDays(start, 1))) return from;
  const last = new Date(`${until}T00:00:00Z`);
  return Number.isNaN(last.getTime())
    ? `from ${from} and before ${until}`
    : `from ${from} to ${isoDate(addDays(last, -1))}`;
}
