/** Where times, numbers, ordinals and words for figures went. */

import { ordinalNumber, splitName, stemOf } from '../../language/index.ts';
import {
  type TimeWindow,
  type Token,
  type Unit,
  unitNamed,
} from '../../reasoning/grounded/question/index.ts';
import { type Operator, operatorAt, writtenOperator } from './claim-structure.ts';
import { byRule, type Claimed, inQuery, unused } from './ledger.ts';
import type { LiteralPart, QueryParts } from './query/query-parts.ts';
import type { AskedQuestion } from './question/question-expressions.ts';

interface TimeContext {
  /** Stems of the words of the question. */
  readonly stems: ReadonlySet<string>;
  /** The words before it say which side of it is asked for. */
  readonly isCompared: boolean;
  /** The question denies something, and the query may do so of the period. */
  readonly isDenied: boolean;
}

/** A period is in the query when one of its days, its year or its instant is; one that rests on the clock may be computed. */
export function claimTime(
  window: TimeWindow,
  { literals, marks, farTimes }: QueryParts,
  { stems, isCompared, isDenied }: TimeContext,
): Claimed {
  const { from, until, year, label } = window;
  if (from === undefined && until === undefined) return byRule('time', 'all times are asked for');
  const days = [from, until].flatMap((day) => (day === undefined ? [] : [day]));
  const instants = days.flatMap((day) => {
    const time = Date.parse(`${day}T00:00:00Z`);
    return [String(time), String(time / 1000)];
  });
  const years = [
    ...(year === undefined ? [] : [String(year)]),
    ...(label.match(/\b\d{4}\b/g) ?? []),
    ...(from === undefined ? days : [from]).map((day) => day.slice(0, 4)),
  ];
  const said = literals.filter((literal) => {
    const { text } = literal;
    const day = text.slice(0, 10);
    return ISO_DATE.test(text)
      ? isWithin(day, window, writtenOperator(literal) === '<') || (isCompared && days.includes(day))
      : instants.includes(text) || years.some((one) => text.includes(one));
  });
  const far = said.filter((literal) => isFar(literal, farTimes, stems));
  if (far.length > 0 && far.length === said.length)
    return unused('time', `the period is that of ${far[0]?.columnIds[0] ?? ''}, which no word names`);
  // A step from the period before reads that one, too.
  const isOpen = isCompared || marks.has('difference');
  const missing = isOpen ? undefined : missingSide(window, said, isDenied ? writtenOperator : operatorAt);
  if (missing !== undefined) return unused('time', missing);
  if (said.length > 0) return inQuery('time', said, 'the period');
  const computed = window.isRelative ? (marks.get('date') ?? []) : [];
  if (computed.length > 0) return inQuery('time', computed, 'the period, from the clock');
  // "in May" where months are numbers or names.
  const named = literals.filter(({ text }) => label.includes(text.toLowerCase()) && text.length > 2);
  const months =
    from === undefined ? [] : literals.filter(({ text }) => Number(text) === Number(from.slice(5, 7)));
  const found = [...named, ...(window.grain === 'month' ? months : [])];
  return found.length > 0
    ? inQuery('time', found, 'the period')
    : unused('time', 'the query has no such period');
}

/** What is said by literals of a period that bound only its other side: "before 2022" by `>= 2022`, "in 2022" by it alone. */
function missingSide(
  { from, until, isRelative }: TimeWindow,
  said: readonly LiteralPart[],
  read: (literal: LiteralPart) => Operator | undefined,
): string | undefined {
  const operators = said.map(read);
  // What stands in a list or a function may bound both.
  if (said.length === 0 || !operators.every(isBound)) return undefined;
  const [isFrom, isUntil] = [/^>/, /^</].map((side) => operators.some((one) => side.test(one ?? '')));
  if (from !== undefined && until !== undefined)
    return isRelative || (isFrom && isUntil) ? undefined : 'only one end of the period is in the query';
  return (from !== undefined ? isFrom : isUntil) ? undefined : 'the query has the other side of it';
}

/** The time of something else than the rows, which no word of the question names. */
function isFar(
  { columnIds }: LiteralPart,
  farTimes: ReadonlySet<string>,
  asked: ReadonlySet<string>,
): boolean {
  if (columnIds.length === 0 || !columnIds.every((id) => farTimes.has(id))) return false;
  // A plain date or year is that of the row; what was opened or born then has to be said.
  const telling = columnIds.flatMap((id) => splitName(id.slice(id.lastIndexOf('.') + 1)).filter(isTelling));
  return telling.length > 0 && telling.every((word) => !asked.has(stemOf(word)));
}

function isTelling(word: string): boolean {
  return !TIME_WORDS.has(word);
}

const TIME_WORDS = new Set('date time at on dt ts day year month quarter week season start end'.split(' '));

const ISO_DATE = /^\d{4}-\d{2}-\d{2}/;

/** A day of the period, or where an open one begins or ends: that of the next period is a bound of every other one too. */
function isWithin(day: string, { from, until }: TimeWindow, isEnd: boolean): boolean {
  if (from === undefined || until === undefined)
    return day === from || day === until || isDayBefore(day, from ?? until);
  return isEnd ? from < day && day <= until : from <= day && day < until;
}

/** `<= '2024-12-31'` ends where `< '2025-01-01'` does, and `> '2024-12-31'` begins there. */
function isDayBefore(day: string, next: string | undefined): boolean {
  if (next === undefined) return false;
  return day === new Date(Date.parse(`${next}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10);
}

/** "the second most expensive", "the 3rd highest": a place in an order. Undefined where the word is none. */
export function claimOrdinal(
  from: number,
  { tokens, text }: AskedQuestion,
  { literals, marks }: QueryParts,
): Claimed | undefined {
  const token = tokens[from] as Token;
  const next = tokens[from + 1];
  const place = ordinalNumber(text.slice(token.start, token.end).toLowerCase());
  // "third grade" by `grade = 3`, "the first author" by their order.
  const equal = literals.filter((one) => Number(one.text) === place && writtenOperator(one) === '=');
  if (place !== undefined && equal.length > 0) return inQuery('ordinal', equal, 'the number');
  if (
    place === undefined ||
    next === undefined ||
    !/^(?:most|least|\w+est|best|worst|last|place|rank)$/.test(next.lower)
  )
    return undefined;
  const placed = literals.filter(({ text: digits, node }) => {
    const number = Number(digits);
    if (node.parent?.type === 'Limit' || node.parent?.type === 'Fetch') return false;
    return node.parent?.type === 'Offset' || node.role === 'offset' ? number === place - 1 : number === place;
  });
  const isNested =
    place === 2 && [...(marks.get('maximum') ?? []), ...(marks.get('minimum') ?? [])].length > 1;
  if (placed.length > 0) return inQuery('ordinal', placed, 'the place in the order');
  if (isNested)
    return inQuery('ordinal', marks.get('maximum') ?? marks.get('minimum') ?? [], 'the place in the order');
  return unused('ordinal', 'no place in an order is looked for');
}

/** A number is in the query as it stands, as a limit, one off where the comparison is, or in another unit. */
export function claimNumber(
  from: number,
  { tokens }: AskedQuestion,
  { literals, names }: QueryParts,
): Claimed {
  const token = tokens[from] as Token;
  const { number = Number.NaN, text } = token;
  if (names.has(token.lower)) return inQuery('number', names.get(token.lower) ?? [], 'a name in the query');
  const next = tokens[from + 1];
  const unit = unitNamed(next?.lower ?? '');
  const said = literals.filter((literal) => isNumber(literal, number, text));
  if (said.length > 0)
    return unit !== undefined && said.every((literal) => isOfOtherUnit(literal, unit))
      ? unused('number', 'the column has another unit')
      : inQuery('number', said, 'the number');
  const off = literals.filter(
    (literal) => Math.abs(Number(literal.text) - number) === 1 && isBound(writtenOperator(literal)),
  );
  if (off.length > 0) return inQuery('number', off, 'the number, one off by its comparison');
  const converted =
    unit === undefined ? [] : literals.filter((literal) => isConverted(literal, number, unit));
  if (converted.length > 0) return inQuery('number', converted, 'the number in another unit');
  const isPercent = /%$/.test(text) || /^(?:%|percent|pct|percentage)$/.test(next?.text ?? '');
  const shares = literals.filter(({ text: written }) => isPercent && near(Number(written), number / 100));
  if (shares.length > 0) return inQuery('number', shares, 'the number as a share');
  return unused('number', 'the query has no such number');
}

function isBound(operator: Operator | undefined): boolean {
  return operator !== undefined && operator !== '=' && operator !== '<>';
}

/** The units that numbers are turned into, beside the one that a column tells. */
const UNITS: readonly string[] =
  'millisecond second minute hour day week month year gram kilogram ton meter kilometer mile cent dollar byte kilobyte megabyte thousand million'.split(
    ' ',
  );

function unitsTold({ columnIds }: LiteralPart): readonly Unit[] {
  return columnIds.flatMap((id) =>
    splitName(id.slice(id.lastIndexOf('.') + 1)).flatMap((part) => unitNamed(part) ?? []),
  );
}

/** "3 minutes" as `milliseconds < 3`, with nothing computed of the column. */
function isOfOtherUnit(literal: LiteralPart, { quantity, factor }: Unit): boolean {
  const told = unitsTold(literal).filter((one) => one.quantity === quantity);
  const isPlain = literal.node.parent?.children.some(({ type }) => type === 'Column') === true;
  return isPlain && told.length > 0 && told.every((one) => one.factor !== factor);
}

/** The number of one unit as the column's own unit has it; any unit of the quantity where the column tells none. */
function isConverted(literal: LiteralPart, number: number, unit: Unit): boolean {
  const told = unitsTold(literal);
  const others = told.some(({ quantity }) => quantity === unit.quantity)
    ? told
    : UNITS.flatMap((name) => unitNamed(name) ?? []);
  return others.some(
    ({ quantity, factor }) =>
      quantity === unit.quantity && near(Number(literal.text), (number * unit.factor) / factor),
  );
}

function near(one: number, other: number): boolean {
  return Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(other));
}

function isNumber({ text, isText }: LiteralPart, number: number, digits: string): boolean {
  if (!isText) return near(Number(text), number);
  return (
    text.trim() !== '' && (near(Number(text), number) || new RegExp(`(?<!\\d)0*${digits}(?!\\d)`).test(text))
  );
}
