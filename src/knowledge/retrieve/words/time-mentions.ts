/** The periods a question names in plain dates, for tables that are one a day, month or year. */
import { wholeWords } from '../../../language/index.ts';

/** Days as numbers `yyyymmdd`, both included; they compare as days do. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

interface Mention extends Period {
  readonly start: number;
  readonly end: number;
  /** The text gives no year; the next mention may lend its own. */
  readonly isYearless: boolean;
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const MONTH =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?';
const YEAR = '((?:19|20)\\d{2})';
const DAY = '(\\d{1,2})(?:st|nd|rd|th)?';
const QUARTERS: Readonly<Record<string, number>> = { first: 1, second: 2, third: 3, fourth: 4, last: 4 };

/** Forms of a date, the most telling first: text that one has taken is not read again. */
const FORMS: readonly { readonly pattern: string; read(groups: readonly string[]): Period | undefined }[] = [
  { pattern: `${YEAR}[-/](\\d{1,2})[-/](\\d{1,2})`, read: ([y, m, d]) => dayPeriod(y, Number(m), d) },
  { pattern: `${MONTH} ${DAY},? (?:of )?${YEAR}`, read: ([m, d, y]) => dayPeriod(y, monthOf(m), d) },
  { pattern: `${DAY} (?:of )?${MONTH},? ${YEAR}`, read: ([d, m, y]) => dayPeriod(y, monthOf(m), d) },
  { pattern: `${MONTH},? (?:of )?${YEAR}`, read: ([m, y]) => months(y, monthOf(m), monthOf(m)) },
  { pattern: `q([1-4])[ ,]*(?:of )?${YEAR}`, read: ([q, y]) => quarter(y, Number(q)) },
  {
    pattern: `(first|second|third|fourth|last) quarter (?:of )?${YEAR}`,
    read: ([q = '', y]) => quarter(y, QUARTERS[q] ?? 1),
  },
  { pattern: `first half of ${YEAR}`, read: ([y]) => months(y, 1, 6) },
  { pattern: `second half of ${YEAR}`, read: ([y]) => months(y, 7, 12) },
  { pattern: YEAR, read: ([y]) => months(y, 1, 12) },
  { pattern: `${MONTH} ${DAY}`, read: ([m, d]) => dayPeriod('0', monthOf(m), d) },
  // May is also a verb, and a month without a year or a day is seldom more than that.
  { pattern: MONTH.replace('|may|', '|'), read: ([m]) => months('0', monthOf(m), monthOf(m)) },
];

/** What stands between the two ends of a range. */
const RANGE = /^\s*,?\s*(?:to|through|thru|until|till|up to|and|-|–|—)\s*(?:the )?(?:end of )?$/;
const MAX_MENTIONS = 50;

/** `between April 1 and July 31 of 2017` → one period, 20170401 to 20170731. Relative words (`last week`) are not read. */
export function timeMentions(question: string): readonly Period[] {
  const text = question.slice(0, 4_000).toLowerCase();
  const mentions = withYears(readMentions(text));
  const periods: Period[] = [];
  for (let at = 0; at < mentions.length; at += 1) {
    const [first, second] = [mentions[at], mentions[at + 1]];
    if (first === undefined) continue;
    const { from, to } = first;
    const isRange = second !== undefined && second.from >= from && isRangeBetween(text, first, second);
    periods.push(isRange ? { from, to: second.to } : { from, to });
    if (isRange) at += 1;
  }
  return periods.filter(({ from }) => from >= 1000_00_00);
}

/** Both ends, and `and` joins ends only behind `between` or `from`: `2015 and 2018` are two years. */
function isRangeBetween(text: string, first: Mention, second: Mention): boolean {
  const between = text.slice(first.end, second.start);
  if (!RANGE.test(between)) return false;
  return (
    !/\band\b/.test(between) ||
    /\b(?:between|from)\s+(?:the )?(?:start of )?$/.test(text.slice(0, first.start))
  );
}

function readMentions(text: string): Mention[] {
  const mentions: Mention[] = [];
  for (const { pattern, read } of FORMS) {
    for (const found of text.matchAll(wholeWords(pattern, 'gu', text))) {
      const start = found.index;
      const end = start + found[0].length;
      if (mentions.some((other) => start < other.end && other.start < end)) continue;
      const period = read(found.slice(1));
      if (period === undefined || mentions.length >= MAX_MENTIONS) continue;
      mentions.push({ ...period, start, end, isYearless: period.from < 1000_00_00 });
    }
  }
  return mentions.sort((a, b) => a.start - b.start);
}

/** `April 1 and July 31 of 2017`: the year of the next mention that has one, else of the one before. */
function withYears(mentions: readonly Mention[]): Mention[] {
  return mentions.map((mention, at) => {
    if (!mention.isYearless) return mention;
    const lender =
      mentions.slice(at + 1).find(({ isYearless }) => !isYearless) ??
      mentions.slice(0, at).findLast(({ isYearless }) => !isYearless);
    const year = lender === undefined ? 0 : Math.floor(lender.from / 1_00_00) * 1_00_00;
    return { ...mention, from: mention.from + year, to: mention.to + year };
  });
}

function monthOf(name = ''): number {
  return MONTHS.indexOf(name.slice(0, 3)) + 1;
}

function dayPeriod(year = '', month: number, day = ''): Period | undefined {
  if (month < 1 || month > 12 || Number(day) < 1 || Number(day) > 31) return undefined;
  const number = Number(year) * 1_00_00 + month * 100 + Number(day);
  return { from: number, to: number };
}

function months(year = '', first: number, last: number): Period {
  return { from: Number(year) * 1_00_00 + first * 100 + 1, to: Number(year) * 1_00_00 + last * 100 + 31 };
}

function quarter(year = '', number: number): Period {
  return months(year, number * 3 - 2, number * 3);
}
