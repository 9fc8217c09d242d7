/** Arithmetic that differs: division, remainders, rounding. */
import type { DialectName } from '../../dialects/dialect.ts';
import type { PrintableNode } from '../../print/printable.ts';
import { child, type SqlNode } from '../../tree/node.ts';
import { writtenForm } from '../phrases/phrase.ts';
import { DAYS_BETWEEN } from '../phrases/time-units.ts';
import {
  as,
  build,
  callNode,
  castNode,
  copy,
  numberNode,
  operatorNode,
  say,
} from '../translation/built-node.ts';
import {
  MONTH_END,
  plainNumber,
  readInterval,
  shiftTime,
  type TimeSpan,
  unitOf,
} from '../translation/intervals.ts';
import { asNumber, asTime, kindIn } from '../translation/loose-values.ts';
import type { Rules, Translation } from '../translation/translation.ts';
import { typeName } from '../translation/type-names.ts';
import { DIVIDES_WHOLE, type ValueKind } from '../translation/value-kind.ts';

export const NUMBER_RULES: Rules = {
  Add: translateSum,
  Sub: translateSum,
  Mul: translateProduct,
  DateAdd: translateShift,
  DateSub: translateShift,
  DatetimeAdd: translateShift,
  DatetimeSub: translateShift,
  TimestampAdd: translateShift,
  TimestampSub: translateShift,
  Div: translateDivision,
  Mod: translateRemainder,
  Round: translateRound,
};

function translateSum(node: SqlNode, translation: Translation): PrintableNode | undefined {
  return translateShift(node, translation) ?? translateProduct(node, translation);
}

function translateProduct(node: SqlNode, translation: Translation): PrintableNode | undefined {
  if (node.flags.call !== undefined) return undefined;
  return build(
    node.type,
    node.children.map((side) => asNumber(side, translation)),
  );
}

/** Division by zero is NULL here, infinite in DuckDB, an error in the others. */
const NULL_BY_ZERO: ReadonlySet<DialectName> = new Set(['sqlite', 'mysql']);

function translateDivision(node: SqlNode, translation: Translation): PrintableNode | undefined {
  const { from, to, changed } = translation;
  const left = child(node, 'this');
  const right = child(node, 'expression');
  if (node.flags.call !== undefined || left === undefined || right === undefined) return undefined;
  const kinds = [kindIn(left, translation), kindIn(right, translation)];
  const isReal = kinds.includes('real');
  const areWhole = kinds.every(isWhole);
  const dividend = asNumber(left, translation);
  const divisor = divisorOf(right, translation);
  if (DIVIDES_WHOLE.has(from) === DIVIDES_WHOLE.has(to) || isReal)
    return operatorNode('Div', dividend, divisor);
  if (!DIVIDES_WHOLE.has(from)) {
    return operatorNode('Div', castNode(dividend, typeName('float64', to) ?? 'DOUBLE'), divisor);
  }
  if (areWhole) return wholeDivision(dividend, divisor, to);
  changed('division', node, `${from} drops the rest when both are whole numbers, ${to} does not`);
  return operatorNode('Div', dividend, divisor);
}

function isWhole(kind: ValueKind | undefined): boolean {
  return kind === 'integer' || kind === 'boolean';
}

function wholeDivision(dividend: PrintableNode, divisor: PrintableNode, to: DialectName): PrintableNode {
  if (to === 'bigquery') return callNode('DIV', [dividend, divisor]);
  if (to === 'snowflake') return callNode('TRUNC', [operatorNode('Div', dividend, divisor)]);
  return operatorNode('IntDiv', dividend, divisor);
}

/** The divisor, made NULL instead of zero where the source's division would be NULL. */
function divisorOf(right: SqlNode, { from, to, translate }: Translation): PrintableNode {
  const divisor = translate(right);
  const isSafe = !NULL_BY_ZERO.has(from) || NULL_BY_ZERO.has(to) || isNeverZero(right);
  return isSafe ? divisor : callNode('NULLIF', [divisor, numberNode('0')], 'Nullif');
}

function isNeverZero(node: SqlNode): boolean {
  const inner = node.type === 'Paren' ? (node.children[0] ?? node) : node;
  const number = plainNumber(inner);
  return (number !== undefined && Number(number) !== 0) || inner.type === 'Nullif';
}

/** `a % b` and MOD(a, b): BigQuery has only the call, SQLite only the sign, and that for whole numbers. */
function translateRemainder(node: SqlNode, translation: Translation): PrintableNode | undefined {
  const { from, to, changed, translate } = translation;
  const [left, right] = node.children;
  if (left === undefined || right === undefined || node.children.length !== 2) return undefined;
  const mayBeReal = [left, right].some((side) => kindIn(side, translation) === 'real');
  if (mayBeReal && (from === 'sqlite' || to === 'sqlite')) {
    changed('division', node, 'sqlite cuts both sides of % to whole numbers');
  }
  const divisor = divisorOf(right, translation);
  if (to === 'bigquery') return callNode('MOD', [translate(left), divisor]);
  return operatorNode('Mod', translate(left), divisor);
}

/** PostgreSQL rounds to digits only what is NUMERIC. */
function translateRound(node: SqlNode, translation: Translation): PrintableNode | undefined {
  const { to, translate } = translation;
  const [value, digits] = node.children;
  if (value === undefined || node.children.length > 2) return undefined;
  if (to !== 'postgres' || digits === undefined || kindIn(value, translation) === 'integer') {
    return copy(node, translation);
  }
  const isNumeric = value.type === 'Cast' && /^(?:NUMERIC|DECIMAL)/.test(child(value, 'to')?.value ?? '');
  const number = isNumeric ? translate(value) : castNode(translate(value), 'NUMERIC');
  return build('Round', [as('this', number), as('expressions', translate(digits))], node);
}

// Adding spans to times and taking times from each other, as operators and as calls.

interface Shift {
  readonly time: SqlNode;
  readonly span: TimeSpan;
  readonly isBack: boolean;
}

/** `a + INTERVAL …`, `a - INTERVAL …`, `DATE_ADD(…)`; `undefined` for all other sums and calls. */
function translateShift(node: SqlNode, translation: Translation): PrintableNode | undefined {
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
