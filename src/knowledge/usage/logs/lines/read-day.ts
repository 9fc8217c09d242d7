/** The day of a time as logs write it. */

const TIME =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?(?: ?(?:[zZ]|UTC|GMT|([+-])(\d\d):?(\d\d)?|[A-Za-z_/+-]{1,40}\d{0,2}))?)?$/;
const DAY_MS = 86_400_000;
/** Logs of other centuries are mistakes. */
const FIRST_DAY = Date.UTC(1990, 0, 1);
const LAST_DAY = Date.UTC(2100, 0, 1);

/**
 * YYYY-MM-DD of `2024-05-06 12:34:56.789 UTC`, ISO 8601 or a number since 1970 in seconds, milliseconds, microseconds
 * or nanoseconds; in UTC where the offset is a number, as written where the zone is only named. Undefined for all else.
 */
export function readDay(value: unknown): string | undefined {
  if (typeof value === 'number') return dayOfNumber(value);
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  const match = TIME.exec(text);
  if (match === null) return /^\d+(?:\.\d+)?(?:[eE]\d+)?$/.test(text) ? dayOfNumber(Number(text)) : undefined;
  const [, year, month, day, hour = '0', minute = '0', second = '0', sign, offsetHours, offsetMinutes] =
    match;
  const midnight = Date.UTC(Number(year), Number(month) - 1, Number(day));
  if (new Date(midnight).getUTCDate() !== Number(day) || Number(month) > 12) return undefined;
  if (sign === undefined) return dayText(midnight);
  const offset = (sign === '-' ? -1 : 1) * (Number(offsetHours) * 60 + Number(offsetMinutes ?? 0));
  return dayText(midnight + ((Number(hour) * 60 + Number(minute) - offset) * 60 + Number(second)) * 1000);
}

/** MariaDB's short form, `240506 12:34:56`, in the server's own zone. */
export function readShortDay(text: string): string | undefined {
  const [, year, month, day] = /^(\d\d)(\d\d)(\d\d) /.exec(text) ?? [];
  return year === undefined ? undefined : readDay(`20${year}-${month}-${day}`);
}

/** `days` before or, below zero, behind a day. */
export function daysBefore(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - days * DAY_MS).toISOString().slice(0, 10);
}

/** The day of a number since 1970: its size tells the unit. */
function dayOfNumber(value: number): string | undefined {
  const unit = value < 1e11 ? 1e-3 : value < 1e14 ? 1 : value < 1e17 ? 1e3 : 1e6;
  return dayText(value / unit);
}

function dayText(time: number): string | undefined {
  if (!(time >= FIRST_DAY && time < LAST_DAY)) return undefined;
  return new Date(time).toISOString().slice(0, 10);
}
