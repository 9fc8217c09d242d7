/** A time and a span after or before it. */
import type { PrintableNode } from '../print/printable.ts';
import { as, build, callNode, numberNode, operatorNode, textNode, wordNode } from './built-node.ts';
import type { TimeSpan, TimeUnit } from './read-interval.ts';
import type { Translation } from './translation.ts';
import { writeInterval } from './write-interval.ts';

/** What SQLite does otherwise. */
export const MONTH_END =
  'a month after 31 January is in March in sqlite and the last day of February elsewhere';

export interface TimeShift extends TimeSpan {
  readonly isBack: boolean;
  /** What is shifted is a date, so that days keep it one. */
  readonly isDate?: boolean;
}

/** `time + INTERVAL '3 days'`, `DATEADD(DAY, n, time)`, `DATE(time, '+3 days')`. */
export function shiftTime(time: PrintableNode, shift: TimeShift, translation: Translation): PrintableNode {
  const { to, translate } = translation;
  if (to === 'sqlite') return sqliteShift(time, shift, translation);
  const interval = writeInterval(shift, translation);
  if (interval !== undefined) return operatorNode(shift.isBack ? 'Sub' : 'Add', time, interval);
  const amount = typeof shift.amount === 'string' ? numberNode(shift.amount) : translate(shift.amount);
  const signed = shift.isBack ? build('Neg', [as('this', amount)]) : amount;
  return callNode('DATEADD', [wordNode(shift.unit.toUpperCase()), signed, time]);
}

/** SQLite's modifiers know neither weeks nor quarters. */
const IN_SMALLER: Readonly<Partial<Record<TimeUnit, readonly [unit: TimeUnit, times: number]>>> = {
  week: ['day', 7],
  quarter: ['month', 3],
};
const DAYS_AND_MORE: ReadonlySet<TimeUnit> = new Set(['year', 'quarter', 'month', 'week', 'day']);

function sqliteShift(time: PrintableNode, shift: TimeShift, { translate }: Translation): PrintableNode {
  const [unit, times] = IN_SMALLER[shift.unit] ?? [shift.unit, 1];
  const { amount, isBack } = shift;
  const modifier =
    typeof amount === 'string'
      ? textNode(`${signedNumber(Number(amount) * times * (isBack ? -1 : 1))} ${unit}s`)
      : operatorNode('DPipe', signedAmount(translate(amount), times, isBack), textNode(` ${unit}s`));
  const name = shift.isDate === true && DAYS_AND_MORE.has(shift.unit) ? 'DATE' : 'DATETIME';
  return callNode(name, [time, modifier]);
}

function signedNumber(value: number): string {
  return value < 0 ? String(value) : `+${value}`;
}

function signedAmount(amount: PrintableNode, times: number, isBack: boolean): PrintableNode {
  const factor = isBack ? -times : times;
  if (factor === 1) return amount;
  return build('Paren', [as('this', operatorNode('Mul', amount, numberNode(String(factor))))]);
}
