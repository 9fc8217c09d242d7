/** Adding spans to times and taking times from each other, as operators and as calls. */
import type { PrintableNode } from '../../print/printable.ts';
import { child, type SqlNode } from '../../tree/node.ts';
import { as, castNode, operatorNode } from '../built-node.ts';
import { asTime, kindIn } from '../loose-values.ts';
import { writtenForm } from '../phrase.ts';
import { DAYS_BETWEEN } from '../phrases/time-units.ts';
import { plainNumber, readInterval, type TimeSpan, unitOf } from '../read-interval.ts';
import { say } from '../say-phrase.ts';
import { MONTH_END, shiftTime } from '../shift-time.ts';
import type { Translation } from '../translation.ts';

interface Shift {
  readonly time: SqlNode;
  readonly span: TimeSpan;
  readonly isBack: boolean;
}

/** `a + INTERVAL …`, `a - INTERVAL …`, `DATE_ADD(…)`; `undefined` for all other sums and calls. */
export function translateShift(node: SqlNode, translation: Translation): PrintableNode | undefined {
  const shift = node.flags.call === undefined ? readOperator(node, translation) : readCall(node, translation);
  if (shift === undefined) return daysBetween(node, translation);
  const { time, span, isBack } = shift;
  const { from, to, changed } = translation;
  // BigQuery's DATE_ADD takes dates alone; others have names of their own.
  const isOfDate = from === 'bigquery' && /^DATE_/i.test(node.value ?? '');
  const kind = isOfDate ? 'date' : kindIn(time, translation);
  const isLarge = !['hour', 'minute', 'second'].includes(span.unit);
  if (to === 'sqlite' && kind === undefined && isLarge) {
    changed('type', node, 'sqlite gives a date with a time of day here, whatever it is shifted from');
  }
  if (to === 'sqlite' && ['month', 'quarter', 'year'].includes(span.unit) && !/Trunc$/.test(time.type)) {
    changed('month-end', node, MONTH_END);
  }
  const shifted = shiftTime(
    asTime(time, translation),
    { ...span, isBack, isDate: kind === 'date' },
    translation,
  );
  const keepsDate = kind === 'date' && isLarge && !MAKES_TIMESTAMPS.has(from) && MAKES_TIMESTAMPS.has(to);
  return keepsDate ? castNode(shifted, 'DATE') : shifted;
}

/** A date and an interval make a timestamp here, in the others they make a date. */
const MAKES_TIMESTAMPS: ReadonlySet<string> = new Set(['postgres', 'duckdb']);

function readOperator(node: SqlNode, translation: Translation): Shift | undefined {
  const left = child(node, 'this');
  const right = child(node, 'expression');
  if (left === undefined || right === undefined) return undefined;
  const isBack = node.type === 'Sub';
  if (right.type === 'Interval') return shiftBy({ time: left, interval: right, isBack }, translation);
  if (left.type === 'Interval' && !isBack)
    return shiftBy({ time: right, interval: left, isBack: false }, translation);
  const days = plainNumber(right);
  const isDate = days !== undefined && kindIn(left, translation) === 'date';
  return isDate ? { time: left, span: { amount: days, unit: 'day' }, isBack } : undefined;
}

interface Shifted {
  readonly time: SqlNode;
  readonly interval: SqlNode;
  readonly isBack: boolean;
}

function shiftBy({ time, interval, isBack }: Shifted, translation: Translation): Shift | undefined {
  const span = readInterval(interval, translation);
  return span && { time, span, isBack };
}

/** Where a call has its time, its amount and its unit. */
const CALLS: Readonly<Record<string, { readonly isBack: boolean; readonly isUnitFirst: boolean }>> = {
  DATE_ADD: { isBack: false, isUnitFirst: false },
  ADDDATE: { isBack: false, isUnitFirst: false },
  DATETIME_ADD: { isBack: false, isUnitFirst: false },
  TIMESTAMP_ADD: { isBack: false, isUnitFirst: false },
  DATE_SUB: { isBack: true, isUnitFirst: false },
  SUBDATE: { isBack: true, isUnitFirst: false },
  DATETIME_SUB: { isBack: true, isUnitFirst: false },
  TIMESTAMP_SUB: { isBack: true, isUnitFirst: false },
  DATEADD: { isBack: false, isUnitFirst: true },
  TIMESTAMPADD: { isBack: false, isUnitFirst: true },
};

function readCall(node: SqlNode, translation: Translation): Shift | undefined {
  const call = CALLS[(node.value ?? '').toUpperCase()];
  const [first, second, third] = node.children;
  if (call === undefined || first === undefined || second === undefined) return undefined;
  if (third === undefined) {
    return second.type === 'Interval'
      ? shiftBy({ time: first, interval: second, isBack: call.isBack }, translation)
      : undefined;
  }
  // Trino's DATE_ADD has its unit first too, as a text.
  const unit = call.isUnitFirst || translation.from === 'trino' ? unitOf(first.value ?? '') : undefined;
  if (unit === undefined || node.children.length !== 3) return undefined;
  return { time: third, span: { amount: plainNumber(second) ?? second, unit }, isBack: call.isBack };
}

/** `date - date` counts days where dates can be taken from each other. */
function daysBetween(node: SqlNode, translation: Translation): PrintableNode | undefined {
  const { to } = translation;
  const left = child(node, 'this');
  const right = child(node, 'expression');
  if (node.type !== 'Sub' || left === undefined || right === undefined) return undefined;
  const areDates = kindIn(left, translation) === 'date' && kindIn(right, translation) === 'date';
  if (!areDates) return undefined;
  const values = { _time1: translation.translate(right), _time2: translation.translate(left) };
  const form = writtenForm(DAYS_BETWEEN, to);
  return form === undefined
    ? operatorNode('Sub', values._time2, values._time1)
    : as(node.role, say(form, to, values));
}
