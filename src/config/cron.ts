/** Times of a schedule as cron writes them: minute, hour, day of the month, month, day of the week; UTC. */
export interface Cron {
  /** Whether the minute that a moment lies in is one of them. */
  matches(moment: Date): boolean;
}

interface Field {
  readonly name: string;
  readonly least: number;
  readonly most: number;
  readonly words?: readonly string[];
}

const FIELDS: readonly Field[] = [
  { name: 'minute', least: 0, most: 59 },
  { name: 'hour', least: 0, most: 23 },
  { name: 'day of the month', least: 1, most: 31 },
  {
    ...{ name: 'month', least: 1, most: 12 },
    words: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
  },
  { name: 'day of the week', least: 0, most: 7, words: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
];

/** `parseCron('0 3 * * mon-fri')`: at three on working days. Throws a RangeError that says what is wrong. */
export function parseCron(text: string): Cron {
  const parts = text.trim().split(/\s+/);
  if (parts.length !== FIELDS.length)
    throw new RangeError('expected five fields: minute, hour, day of the month, month, day of the week');
  const [minutes, hours, days, months, weekdays] = FIELDS.map((field, index) =>
    readField(parts[index] ?? '', field),
  );
  if (!minutes || !hours || !days || !months || !weekdays) throw new RangeError('expected five fields');
  if (weekdays.has(7)) weekdays.add(0);
  // As cron has it: where both kinds of days are named, either is enough.
  const isEither = !parts[2]?.startsWith('*') && !parts[4]?.startsWith('*');
  return {
    matches(moment) {
      if (!minutes.has(moment.getUTCMinutes()) || !hours.has(moment.getUTCHours())) return false;
      if (!months.has(moment.getUTCMonth() + 1)) return false;
      const isDay = days.has(moment.getUTCDate());
      const isWeekday = weekdays.has(moment.getUTCDay());
      return isEither ? isDay || isWeekday : isDay && isWeekday;
    },
  };
}

/** Lists, ranges and steps: `*`, `5`, `1-5`, `*\/15`, `1-31/2`, `mon,wed`. */
function readField(text: string, field: Field): Set<number> {
  const numbers = new Set<number>();
  for (const part of text.split(',')) {
    const [, from = '', to, step] = /^(\*|[a-z\d]+)(?:-([a-z\d]+))?(?:\/(\d+))?$/i.exec(part) ?? [];
    if (from === '' || (from === '*' && to !== undefined)) throw refuse(part, field);
    const start = from === '*' ? field.least : readNumber(from, field);
    const isAlone = from !== '*' && to === undefined && step === undefined;
    const end = to === undefined ? (isAlone ? start : field.most) : readNumber(to, field);
    const stride = step === undefined ? 1 : Number(step);
    if (stride < 1 || end < start) throw refuse(part, field);
    for (let number = start; number <= end; number += stride) numbers.add(number);
  }
  return numbers;
}

function readNumber(text: string, field: Field): number {
  const word = field.words?.indexOf(text.toLowerCase()) ?? -1;
  const number = word >= 0 ? word + field.least : Number(text);
  if (Number.isInteger(number) && number >= field.least && number <= field.most) return number;
  throw refuse(text, field);
}

function refuse(text: string, { name, least, most }: Field): RangeError {
  return new RangeError(`${JSON.stringify(text)} is no ${name} (${least} to ${most})`);
}
