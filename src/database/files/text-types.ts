/** What the texts of a column are, where a reader of files takes them for texts: amounts, shares, dates as people write them. */
import { quoteText } from '../../sql/dialects/index.ts';

/** How the texts of a column become values of a type. */
export interface TextReading {
  readonly type: 'BIGINT' | 'DOUBLE' | 'DATE' | 'TIMESTAMP';
  /** SQL of DuckDB over the quoted column; NULL for a text that is not of this kind. */
  readonly expression: (column: string) => string;
  /** For people; absent where there is nothing to say. */
  readonly note?: string;
  /** Of the amounts: `€`, `%`. */
  readonly unit?: string;
}

/** Texts that stand for "no value" among numbers and dates; in a column of texts they stay what they are. */
const NO_VALUE = [
  '',
  '-',
  '--',
  '–',
  '—',
  '.',
  '?',
  'na',
  'n/a',
  '#n/a',
  'nan',
  'null',
  'nil',
  'none',
  'tbd',
];
const NO_VALUES: ReadonlySet<string> = new Set(NO_VALUE);

/** SQL that is true where the column holds something. */
export function holdsValue(column: string): string {
  const words = NO_VALUE.map((word) => quoteText(word, 'duckdb')).join(', ');
  return `${column} IS NOT NULL AND lower(trim(${column})) NOT IN (${words})`;
}

/** What all the texts have in common; undefined where they are texts. Wants different texts of one column. */
export function readTexts(texts: readonly string[]): TextReading | undefined {
  const values = texts.map((text) => text.trim()).filter((text) => !NO_VALUES.has(text.toLowerCase()));
  if (values.length === 0) return undefined;
  return readAmounts(values) ?? readDates(values);
}

const UNIT = '(?:[$€£¥₹%]|EUR|USD|GBP|CHF|JPY)';
/** Sign, unit and blanks on either side; in brackets a negative amount of bookkeepers. */
const framed = (digits: string): string => `^\\(?[-+−]?\\s*${UNIT}?\\s*[-+−]?(?:${digits})\\s*${UNIT}?\\)?$`;

interface AmountStyle {
  readonly shape: string;
  readonly thousands: string;
  readonly decimal: string;
  readonly note: string;
}

// A number with zeros in front is a code; one of more than 15 digits would lose some of them.
const BARE = '(?:0|[1-9][0-9]{0,14})';
const AMOUNT_STYLES: readonly AmountStyle[] = [
  {
    ...{
      shape: framed(`(?:[1-9][0-9]{0,2}(?:,[0-9]{3})+|${BARE})(?:\\.[0-9]+)?`),
      thousands: ',',
      decimal: '.',
    },
    note: 'a comma between thousands',
  },
  {
    ...{
      shape: framed(`(?:[1-9][0-9]{0,2}(?:\\.[0-9]{3})+|${BARE})(?:,[0-9]+)?`),
      thousands: '.',
      decimal: ',',
    },
    note: 'a comma before decimals',
  },
  {
    ...{
      shape: framed(`(?:[1-9][0-9]{0,2}(?:['’\\s][0-9]{3})+|${BARE})(?:[.,][0-9]+)?`),
      thousands: "'’ \u00a0\u202f",
    },
    ...{ decimal: '.', note: 'a gap between thousands' },
  },
];

function readAmounts(values: readonly string[]): TextReading | undefined {
  const fitting = AMOUNT_STYLES.filter(({ shape }) => {
    const form = new RegExp(shape, 'u');
    return values.every((value) => form.test(value));
  });
  const [style] = fitting;
  if (style === undefined) return undefined;
  const units = new Set(values.map((value) => new RegExp(UNIT, 'u').exec(value)?.[0] ?? ''));
  // Amounts in two currencies are no column of numbers: their sum would mean nothing.
  if (units.size > 1) return undefined;
  const [unit = ''] = units;
  const isSeparated = values.some((value) => /[.,'’]|\d\s\d/u.test(value));
  const isWhole = !values.some((value) => decimalsOf(value, style));
  return {
    type: isWhole ? 'BIGINT' : 'DOUBLE',
    expression: (column) => amountExpression(column, style, isWhole ? 'BIGINT' : 'DOUBLE'),
    ...(unit !== '' && { unit }),
    ...(isSeparated && { note: `numbers with ${style.note}` }),
  };
}

function decimalsOf(value: string, { decimal, thousands }: AmountStyle): boolean {
  const bare = [...value].filter((sign) => !thousands.includes(sign) || sign === decimal).join('');
  return bare.includes(decimal) || (thousands.startsWith("'") && bare.includes(','));
}

function amountExpression(column: string, { shape, thousands, decimal }: AmountStyle, type: string): string {
  const text = `trim(${column})`;
  const gone = `[${thousands.replace("'", "''")}\\s()+$€£¥₹%]|EUR|USD|GBP|CHF|JPY`;
  const bare = `replace(replace(regexp_replace(${text}, '${gone}', '', 'g'), '−', '-'), ${decimal === ',' ? "',', '.'" : "',', '.'"})`;
  const sign = `CASE WHEN ${text} LIKE '(%' THEN -1 ELSE 1 END`;
  return `CASE WHEN regexp_matches(${text}, ${quoteText(shape, 'duckdb')}) THEN ${sign} * TRY_CAST(${bare} AS ${type}) END`;
}

interface DateStyle {
  readonly shape: RegExp;
  /** Formats of the date, the likelier first: the first that reads every text is taken. */
  readonly formats: readonly string[];
}

const DATE_STYLES: readonly DateStyle[] = [
  { shape: /^\d{4}-\d{1,2}-\d{1,2}(?!\d)/, formats: ['%Y-%m-%d'] },
  { shape: /^\d{4}\/\d{1,2}\/\d{1,2}(?!\d)/, formats: ['%Y/%m/%d'] },
  { shape: /^\d{1,2}\/\d{1,2}\/\d{4}(?!\d)/, formats: ['%d/%m/%Y', '%m/%d/%Y'] },
  { shape: /^\d{1,2}\/\d{1,2}\/\d{2}(?!\d)/, formats: ['%d/%m/%y', '%m/%d/%y'] },
  { shape: /^\d{1,2}\.\d{1,2}\.\d{4}(?!\d)/, formats: ['%d.%m.%Y'] },
  { shape: /^\d{1,2}\.\d{1,2}\.\d{2}(?!\d)/, formats: ['%d.%m.%y'] },
  { shape: /^\d{1,2}-\d{1,2}-\d{4}(?!\d)/, formats: ['%d-%m-%Y', '%m-%d-%Y'] },
  { shape: /^\d{1,2}[- ][A-Za-z]{3}[- ]\d{4}(?!\d)/, formats: ['%d-%b-%Y', '%d %b %Y'] },
  { shape: /^\d{1,2}[- ][A-Za-z]{3}[- ]\d{2}(?!\d)/, formats: ['%d-%b-%y', '%d %b %y'] },
  { shape: /^\d{1,2} [A-Za-z]{4,} \d{4}(?!\d)/, formats: ['%d %B %Y'] },
  { shape: /^[A-Za-z]{3} \d{1,2}, \d{4}(?!\d)/, formats: ['%b %d, %Y'] },
  { shape: /^[A-Za-z]{4,} \d{1,2}, \d{4}(?!\d)/, formats: ['%B %d, %Y'] },
];
const TIME = /^(?:[T ](\d{1,2}:\d{2})(:\d{2}(?:\.\d+)?)?(Z| ?[AP]M)?)?$/i;

/** Dates of one style, or of several that look different, as where a system was replaced. */
function readDates(values: readonly string[]): TextReading | undefined {
  const byStyle = new Map<DateStyle, string[]>();
  let hasTime = false;
  for (const value of values) {
    const style = DATE_STYLES.find(({ shape }) => shape.test(value));
    if (style === undefined) return undefined;
    const date = style.shape.exec(value)![0];
    const time = TIME.exec(value.slice(date.length));
    if (time === null) return undefined;
    hasTime ||= time[1] !== undefined;
    byStyle.set(style, [...(byStyle.get(style) ?? []), date]);
  }
  const readings = [...byStyle].map(([style, dates]) => readStyle(style, dates));
  if (readings.includes(undefined)) return undefined;
  const sure = readings.filter((reading) => reading !== undefined);
  const type = hasTime ? 'TIMESTAMP' : 'DATE';
  const notes = sure.flatMap(({ note }) => note ?? []);
  const formats = sure.flatMap(({ format }) => formatsWithTime(format, hasTime));
  if (sure.length > 1) notes.unshift(`dates written in ${sure.length} ways`);
  return {
    type,
    expression: (column) => dateExpression(column, formats, type),
    ...(notes.length > 0 && { note: notes.join(', ') }),
  };
}

interface StyleReading {
  readonly format: string;
  readonly note?: string;
}

function readStyle({ formats }: DateStyle, dates: readonly string[]): StyleReading | undefined {
  const [first, second] = formats.filter((format) => dates.every((date) => fits(date, format)));
  if (first === undefined) return undefined;
  const isDayFirst = first.startsWith('%d');
  if (formats.length === 1 || first.includes('%b')) return { format: first };
  const note = isDayFirst ? 'the day before the month' : 'the month before the day';
  if (second === undefined) return { format: first, note };
  return { format: first, note: `${note}, which its values do not prove` };
}

/** Days and months of numbers alone; a name of a month is proven by the engine. */
function fits(date: string, format: string): boolean {
  const parts = date.split(/[^\p{L}\p{N}]+/u);
  const marks = format.split(/[^%\w]+/);
  if (format.includes('%b') || format.includes('%B'))
    return /[- ]/.exec(date)?.[0] === /[- ]/.exec(format)?.[0];
  return marks.every((mark, at) => {
    const number = Number(parts[at]);
    if (mark === '%d') return number >= 1 && number <= 31;
    return mark !== '%m' || (number >= 1 && number <= 12);
  });
}

function formatsWithTime(format: string, hasTime: boolean): string[] {
  if (!hasTime) return [format];
  const times = [
    '',
    ' %H:%M:%S',
    ' %H:%M',
    'T%H:%M:%S',
    'T%H:%M',
    ' %H:%M:%S.%g',
    ' %I:%M %p',
    ' %I:%M:%S %p',
    'T%H:%M:%SZ',
    'T%H:%M:%S.%gZ',
  ];
  return times.map((time) => format + time);
}

function dateExpression(column: string, formats: readonly string[], type: string): string {
  const list = formats.map((format) => quoteText(format, 'duckdb')).join(', ');
  return `CAST(try_strptime(trim(${column}), [${list}]) AS ${type})`;
}
