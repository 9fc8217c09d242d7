/** Where words went that ask for a shape of the query and are no cue of the engine's lexicon, or only fill a sentence there. */
import type { WordRole } from '../../answer.ts';
import { isVerbLike, type Token, timeGrain } from '../../reasoning/grounded/question/index.ts';
import type { DatePart } from '../../sql/dialects/index.ts';
import { type Claimed, inQuery, type Ledger, type Teller, unused } from './ledger.ts';
import type { Mark } from './query/query-parts.ts';
import { isAsking } from './question/reply-words.ts';

/** Words of one meaning, with the marks of a query any of which says it. */
interface ShapeWord {
  readonly words: RegExp;
  readonly role: WordRole;
  readonly marks: readonly Mark[];
  readonly why: string;
  /** Where it is another word: "find out", "together with". */
  readonly unless?: (from: number, ledger: Ledger) => boolean;
  /** Without one of the marks it may still be any other word. */
  readonly isOpen?: true;
}

const SHAPE_WORDS: readonly ShapeWord[] = [
  { words: /^medians?$/, role: 'figure', marks: ['median', 'offset', 'rank'], why: 'no median is computed' },
  {
    words: /^(?:percentiles?|quartiles?|deciles?)$/,
    role: 'figure',
    marks: ['percentile', 'rank'],
    why: 'no percentile is computed',
  },
  {
    words: /^(?:running|cumulative|rolling|moving)$/,
    role: 'figure',
    marks: ['window', 'less'],
    why: 'nothing is summed up on the way',
  },
  {
    words: /^(?:ratios?|proportions?|rates?|shares?|percentages?)$/,
    role: 'figure',
    marks: ['ratio', 'average'],
    why: 'no share is computed',
  },
  {
    words: /^(?:differences?|gap)$/,
    role: 'figure',
    marks: ['difference'],
    why: 'no difference is computed',
  },
  {
    words: /^(?:mon|tues|wednes|thurs|fri|satur|sun)days?$|^week(?:day|end)s?$/,
    role: 'time',
    marks: ['weekday'],
    why: 'no day of the week is looked at',
  },
  {
    words: /^(?:frequency|frequencies|often|frequently)$/,
    role: 'figure',
    marks: ['count'],
    why: 'nothing is counted',
    isOpen: true,
  },
  {
    words: /^(?:late|overdue|early|punctual|delayed|time)$/,
    role: 'comparison',
    marks: ['paired-times'],
    why: 'no two times are compared',
    isOpen: true,
  },
  {
    words: /^(?:days?|hours?|weeks?|minutes?|long|duration|took|take|takes|within|time|until|till)$/,
    role: 'figure',
    marks: ['difference'],
    why: 'no time between two others is computed',
    isOpen: true,
  },
  { words: /^negatives?$/, role: 'comparison', marks: ['less'], why: 'nothing is compared so', isOpen: true },
  {
    words: /^positives?$/,
    role: 'comparison',
    marks: ['greater'],
    why: 'nothing is compared so',
    isOpen: true,
  },
  {
    words: /^(?:spen(?:d|ds|t|ding)|pays?|paid)$/,
    role: 'figure',
    marks: ['sum'],
    why: 'nothing is summed',
    // "the total of paid invoices" is of some of them; "how much did Ana pay" is all of it.
    unless: (from, ledger) => !asksHowMuch(from, ledger),
    isOpen: true,
  },
  {
    words: /^(?:managers?|boss(?:es)?|supervisors?|superiors?|subordinates?|reports?|managed)$/,
    role: 'word',
    marks: ['self'],
    why: 'nobody is looked for among the others',
    isOpen: true,
  },
  {
    words: /^(?:kept|keeping)$/,
    role: 'comparison',
    marks: ['difference'],
    why: 'no time between two others is computed',
    unless: (from, ledger) =>
      ![1, 2].some((step) => /^(?:longer|more|over|less|shorter|under)$/.test(wordAt(from + step, ledger))),
  },
  {
    words: /^(?:nobody|none|neither|nor|nothing)$/,
    role: 'negation',
    marks: ['not', 'null', 'negative'],
    why: 'nothing is denied',
  },
  {
    words: /^same$/,
    role: 'comparison',
    marks: ['paired', 'greater', 'equal', 'distinct', 'rank'],
    why: 'nothing is set beside another',
    unless: (from, ledger) =>
      !/^(?:has|have|had|the|share|shares|of|in|at|with)$/.test(wordAt(from - 1, ledger)),
  },
  {
    words: /^(?:still|already)$/,
    role: 'word',
    marks: ['null', 'not', 'negative', 'present', 'date'],
    why: 'the query does not tell what has ended',
  },
  {
    words: /^again$/,
    role: 'word',
    marks: ['count', 'paired'],
    why: 'nothing is looked for twice',
    unless: (from, ledger) => !isVerbAt(from - 1, ledger),
  },
  {
    words: /^out$/,
    role: 'word',
    marks: ['null', 'not', 'negative'],
    why: 'nothing missing is looked for',
    unless: (from, ledger) =>
      wordAt(from + 1, ledger) !== 'of' && !/^(?:still|are|is|was|were|yet)$/.test(wordAt(from - 1, ledger)),
  },
  {
    words: /^only$/,
    role: 'negation',
    marks: ['not', 'paired', 'count'],
    why: 'nothing else is ruled out',
    unless: (from, ledger) => !isExclusive(from, ledger),
  },
];

/** The same, of a word that stands by itself; undefined where it asks for no shape. */
export const claimShapeWord: Teller<Claimed> = ({ from, to, time }, _, ledger) => {
  if (time !== undefined || to !== from + 1) return undefined;
  const lower = wordAt(from, ledger);
  const { marks } = ledger.parts;
  const times = claimTimes(from, ledger);
  if (times !== undefined) return times;
  if (isDayLeftOut(lower, ledger)) return unused('time', 'no day of the week is looked at');
  let open: Claimed | undefined;
  for (const { words, role, marks: fitting, why, unless, isOpen } of SHAPE_WORDS) {
    if (!words.test(lower) || unless?.(from, ledger)) continue;
    const found = fitting.flatMap((mark) => marks.get(mark) ?? []);
    if (found.length > 0) return inQuery(role, found, 'the query does so');
    if (!isOpen) open ??= unused(role, why);
  }
  return open ?? claimGrain(lower, ledger);
};

/** "how much has Ana paid": the verb ends what begins so. */
function asksHowMuch(from: number, ledger: Ledger): boolean {
  const { tokens } = ledger.asked;
  const isAsked = tokens
    .slice(0, from)
    .some(({ lower }, at) => lower === 'how' && wordAt(at + 1, ledger) === 'much');
  const behind = tokens[from + 1];
  return (
    isAsked &&
    (behind === undefined ||
      behind.kind === 'stop' ||
      /^(?:in|on|since|before|after|for|last|this|so|altogether|overall)$/.test(behind.lower))
  );
}

function wordAt(at: number, { asked: { tokens } }: Ledger): string {
  return tokens[at]?.lower ?? '';
}

function isVerbAt(at: number, { asked: { tokens } }: Ledger): boolean {
  const token: Token | undefined = tokens[at];
  return isVerbLike(token, undefined) && !isAsking(token?.lower ?? '', tokens[at - 1]?.lower);
}

/** "bought only rock", "have only been in comedies", "rented only once": nothing else. "only those in Berlin" narrows as it stands. */
function isExclusive(from: number, ledger: Ledger): boolean {
  const next = wordAt(from + 1, ledger);
  const before = wordAt(from - 1, ledger);
  return (
    isVerbAt(from - 1, ledger) ||
    next === 'been' ||
    (isVerbAt(from + 1, ledger) && /^(?:have|has|had|who|that|which)$|s$/.test(before))
  );
}

/** "bought once", "ordered twice", "only one": a number that a count is compared with. */
function claimTimes(from: number, ledger: Ledger): Claimed | undefined {
  const lower = wordAt(from, ledger);
  const isOnce = lower === 'once' && !/^(?:has|have|had|was|were|is|are|at)$/.test(wordAt(from - 1, ledger));
  const isOne = lower === 'one' && wordAt(from - 1, ledger) === 'only';
  if (lower !== 'twice' && !isOnce && !isOne) return undefined;
  const times = ledger.parts.literals.filter(({ text }) =>
    (lower === 'twice' ? /^[12]$/ : /^[012]$/).test(text),
  );
  return times.length > 0
    ? inQuery('number', times, 'the number of times')
    : unused('number', 'the query has no such number');
}

/** How a format writes each grain. */
const FORMATS: Readonly<Record<string, RegExp>> = {
  year: /%Y|%y|YY/,
  month: /%m|%b|%B|MM|Mon/,
  day: /%d|%j|%w|%u|DD|Day/,
};

/** "per month", "monthly": a step of time, written as the format has it where there is one. */
/** "on a Monday or a Friday" by one day alone. */
function isDayLeftOut(lower: string, { asked: { tokens }, parts: { literals } }: Ledger): boolean {
  const said = [...new Set(tokens.flatMap((token) => DAY.exec(token.lower)?.[0] ?? []))];
  const compared = new Set(literals.flatMap(({ text }) => DAY_NUMBER.exec(text)?.[0].toLowerCase() ?? []));
  const day = DAY.exec(lower)?.[0];
  return day !== undefined && compared.size > 0 && said.indexOf(day) >= compared.size;
}

const DAY = /^(?:mon|tues|wednes|thurs|fri|satur|sun)day/;
const DAY_NUMBER = /^(?:[0-7]|(?:mon|tues|wednes|thurs|fri|satur|sun)day)$/i;

function claimGrain(
  lower: string,
  { asked: { tokens }, parts: { marks, literals } }: Ledger,
): Claimed | undefined {
  const grain = timeGrain(lower);
  if (grain === undefined) return undefined;
  const dates = marks.get('date') ?? [];
  const steps = literals.flatMap(({ text }) => (/%[YymdbBj]|YYYY|MM/.test(text) ? [finestStep(text)] : []));
  // "by year and month" are one step, that of months.
  const asked = tokens.map((token) => timeGrain(token.lower));
  const isOther =
    FORMATS[grain] !== undefined && steps.length > 0 && !steps.some((step) => asked.includes(step));
  if (isOther) return unused('time', 'the step of time is another');
  return dates.length > 0
    ? inQuery('time', dates, 'the step of time')
    : unused('time', 'no step of time is in the query', /ly$/.test(lower));
}

/** `%Y-%m` tells months. */
function finestStep(format: string): DatePart | undefined {
  const grains: readonly DatePart[] = ['day', 'month', 'year'];
  return grains.find((grain) => FORMATS[grain]?.test(format));
}
