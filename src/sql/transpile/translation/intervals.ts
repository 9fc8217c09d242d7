/** Intervals: read from every way of writing them, written in another's, and added to a time. */
import type { PrintableNode } from '../../print/printable.ts';
import { child, type SqlNode } from '../../tree/node.ts';
import { as, build, callNode, numberNode, operatorNode, textNode, wordNode } from './built-node.ts';
import { readText } from './read-text.ts';
import type { Translation } from './translation.ts';

type TimeUnit = 'year' | 'quarter' | 'month' | 'week' | 'day' | 'hour' | 'minute' | 'second';

export interface TimeSpan {
  /** A number as written, or the expression that computes it. */
  readonly amount: string | SqlNode;
  readonly unit: TimeUnit;
}

const UNITS: Readonly<Record<string, TimeUnit>> = {
  year: 'year',
  years: 'year',
  y: 'year',
  quarter: 'quarter',
  quarters: 'quarter',
  month: 'month',
  months: 'month',
  mon: 'month',
  mons: 'month',
  week: 'week',
  weeks: 'week',
  day: 'day',
  days: 'day',
  d: 'day',
  hour: 'hour',
  hours: 'hour',
  h: 'hour',
  minute: 'minute',
  minutes: 'minute',
  min: 'minute',
  second: 'second',
  seconds: 'second',
  s: 'second',
};

/** `unitOf('DAYS')` → `day`. */
export function unitOf(word: string): TimeUnit | undefined {
  return UNITS[word.toLowerCase()];
}

/** `INTERVAL '3 days'`, `INTERVAL '3' DAY`, `INTERVAL 3 DAY`; `undefined` for spans of several units. */
export function readInterval(node: SqlNode, { tree }: Translation): TimeSpan | undefined {
  const value = child(node, 'this');
  const unitNode = child(node, 'unit');
  if (value === undefined) return undefined;
  const amount = value.type === 'Paren' ? (child(value, 'this') ?? value) : value;
  const text = amount.flags.string === undefined ? undefined : readText(amount, tree);
  if (unitNode !== undefined) {
    const unit = unitOf(unitNode.value ?? '');
    const plain = text ?? plainNumber(amount);
    if (unit === undefined) return undefined;
    if (plain === undefined) return { amount, unit };
    return /^[+-]?\d+(?:\.\d+)?$/.test(plain.trim()) ? { amount: plain.trim(), unit } : undefined;
  }
  const [, number = '', word = ''] = /^\s*([+-]?\d+(?:\.\d+)?)\s*([A-Za-z]+)\s*$/.exec(text ?? '') ?? [];
  const unit = unitOf(word);
  return unit === undefined ? undefined : { amount: number, unit };
}

/** The digits of a number that stands in the text, with its sign. */
export function plainNumber(node: SqlNode): string | undefined {
  if (node.type === 'Literal' && node.flags.string === undefined) return node.value;
  const inner = node.type === 'Neg' ? node.children[0] : undefined;
  const digits = inner && plainNumber(inner);
  return digits === undefined ? undefined : `-${digits}`;
}

// Spans of time in the target's spelling.

/** `undefined` for SQLite, which has no intervals. */
export function writeInterval(
  { amount, unit }: TimeSpan,
  translation: Translation,
): PrintableNode | undefined {
  const { to, translate } = translation;
  const isPlain = typeof amount === 'string';
  const word = as('unit', wordNode(unit.toUpperCase()));
  switch (to) {
    case 'sqlite':
      return undefined;
    case 'mysql':
    case 'bigquery':
    case 'duckdb': {
      const value = isPlain ? numberNode(amount) : translate(amount);
      const inBrackets = isPlain || to !== 'duckdb' ? value : build('Paren', [as('this', value)]);
      return build('Interval', [as('this', inBrackets), word]);
    }
    case 'trino':
      return multiplied(amount, translation, (number) =>
        build('Interval', [as('this', textNode(number)), word]),
      );
    default:
      return multiplied(amount, translation, (number) =>
        build('Interval', [as('this', textNode(`${number} ${unit}`))]),
      );
  }
}

/** Where the amount must stand in a text, an expression multiplies a span of one. */
function multiplied(
  amount: TimeSpan['amount'],
  { to, translate }: Translation,
  write: (number: string) => PrintableNode,
): PrintableNode | undefined {
  if (typeof amount === 'string') return write(amount);
  return to === 'snowflake' ? undefined : operatorNode('Mul', translate(amount), write('1'));
}

// A time and a span after or before it.

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
