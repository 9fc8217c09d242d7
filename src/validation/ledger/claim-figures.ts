/** Where times, numbers, ordinals and words for figures went. */

import {
  ordinalNumber,
  splitName,
  stemOf,
  type TimeWindow,
  type Token,
  timeGrain,
} from '../../reasoning/index.ts';
import { writtenOperator } from './claim-structure.ts';
import { byRule, type Claimed, inQuery, unused } from './claimed.ts';
import type { LiteralPart, Mark, QueryParts } from './query-parts.ts';
import type { AskedQuestion } from './question-expressions.ts';

/** A period is in the query when one of its days, its year or its instant is; one that rests on the clock may be computed. */
export function claimTime(
  window: TimeWindow,
  { literals, marks, farTimes }: QueryParts,
  asked: ReadonlySet<string>,
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
    return ISO_DATE.test(text)
      ? isWithin(text.slice(0, 10), window, writtenOperator(literal) === '<')
      : instants.includes(text) || years.some((one) => text.includes(one));
  });
  const far = said.filter((literal) => isFar(literal, farTimes, asked));
  if (far.length > 0 && far.length === said.length)
    return unused('time', `the period is that of ${far[0]?.columnIds[0] ?? ''}, which no word names`);
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
  if (
    place === undefined ||
    next === undefined ||
    !/^(?:most|least|\w+est|best|worst|last|place|rank)$/.test(next.lower)
  )
    return undefined;
  const placed = literals.filter(({ text: digits, node }) => {
    const number = Number(digits);
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
  const unit = tokens[from + 1];
  const said = literals.filter((literal) => isNumber(literal, number, text));
  if (said.length > 0) return inQuery('number', said, 'the number');
  const off = literals.filter(({ text: written }) => Math.abs(Number(written) - number) === 1);
  if (off.length > 0) return inQuery('number', off, 'the number, one off by its comparison');
  const converted = literals.filter(
    ({ text: written }) =>
      unit?.kind === 'word' && FACTORS.some((factor) => near(Number(written), number * factor)),
  );
  if (converted.length > 0) return inQuery('number', converted, 'the number in another unit');
  const percent = literals.filter(({ text: written }) => near(Number(written), number / 100));
  if (percent.length > 0) return inQuery('number', percent, 'the number as a share');
  return unused('number', 'the query has no such number');
}

/** Between units of time, of weight, of length, of money. */
const FACTORS = [
  60,
  3600,
  24,
  7,
  1000,
  60_000,
  3_600_000,
  86_400,
  86_400_000,
  1 / 60,
  1 / 1000,
  100,
  1_000_000,
  12,
];

function near(one: number, other: number): boolean {
  return Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(other));
}

function isNumber({ text, isText }: LiteralPart, number: number, digits: string): boolean {
  if (!isText) return near(Number(text), number);
  return (
    text.trim() !== '' && (near(Number(text), number) || new RegExp(`(?<!\\d)0*${digits}(?!\\d)`).test(text))
  );
}

const FIGURE_WORDS: readonly {
  readonly words: RegExp;
  readonly marks: readonly Mark[];
  readonly why: string;
}[] = [
  { words: /^medians?$/, marks: ['median', 'offset', 'rank'], why: 'no median is computed' },
  {
    words: /^(?:percentiles?|quartiles?|deciles?)$/,
    marks: ['percentile', 'rank'],
    why: 'no percentile is computed',
  },
  {
    words: /^(?:running|cumulative|rolling|moving)$/,
    marks: ['window', 'less'],
    why: 'nothing is summed up on the way',
  },
  {
    words: /^(?:ratios?|proportions?|rates?|shares?|percentages?)$/,
    marks: ['ratio', 'average'],
    why: 'no share is computed',
  },
  { words: /^(?:differences?|gap)$/, marks: ['difference'], why: 'no difference is computed' },
  {
    words: /^(?:mon|tues|wednes|thurs|fri|satur|sun)days?$|^week(?:day|end)s?$/,
    marks: ['date'],
    why: 'no day of the week is looked at',
  },
];

/** Words for figures that are no cue of the engine's lexicon, and grains of time. */
export function claimFigureWord({ lower }: Token, { marks, literals }: QueryParts): Claimed | undefined {
  if (lower === 'twice' || lower === 'once') {
    const times = literals.filter(({ text }) => (lower === 'twice' ? /^[12]$/ : /^[012]$/).test(text));
    return times.length > 0
      ? inQuery('number', times, 'the number of times')
      : unused('number', 'the query has no such number', lower === 'twice');
  }
  const figure = FIGURE_WORDS.find(({ words }) => words.test(lower));
  if (figure !== undefined) {
    const found = figure.marks.flatMap((mark) => marks.get(mark) ?? []);
    return found.length > 0 ? inQuery('figure', found, 'the query does so') : unused('figure', figure.why);
  }
  if (timeGrain(lower) === undefined) return undefined;
  const dates = marks.get('date') ?? [];
  return dates.length > 0
    ? inQuery('time', dates, 'the step of time')
    : unused('time', 'no step of time is in the query', /ly$/.test(lower));
}
