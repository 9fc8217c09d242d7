/** Days are whole numbers, counted from 2022-01-01; ISO text only at the edge. */
const DAY_MS = 86_400_000;
const EPOCH_MS = Date.UTC(2022, 0, 1);

/** 2022-01-01 to 2024-12-31. */
export const DAY_COUNT = 1096;
export const LAST_DAY = DAY_COUNT - 1;

const texts = new Map<number, string>();

/** The ISO text of a day. */
export function printDay(day: number): string {
  let text = texts.get(day);
  if (text === undefined) {
    text = new Date(EPOCH_MS + day * DAY_MS).toISOString().slice(0, 10);
    texts.set(day, text);
  }
  return text;
}

/** The day of an ISO text. */
export function readDay(text: string): number {
  return Math.round((Date.parse(`${text}T00:00:00Z`) - EPOCH_MS) / DAY_MS);
}

/** 0 Monday to 6 Sunday. 2022-01-01 was a Saturday. */
export function weekdayOf(day: number): number {
  return (((day + 5) % 7) + 7) % 7;
}

/** 0 for January 2022 to 35 for December 2024. */
export function monthIndexOf(day: number): number {
  const text = printDay(day);
  return (Number(text.slice(0, 4)) - 2022) * 12 + Number(text.slice(5, 7)) - 1;
}

/** First day of a month given as 0 to 35. */
export function firstDayOfMonth(monthIndex: number): string {
  const month = String((monthIndex % 12) + 1).padStart(2, '0');
  return `${2022 + Math.floor(monthIndex / 12)}-${month}-01`;
}
