/** What the texts of a column are, where a reader of files takes them for texts: amounts, shares, dates as people write them. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { quoteName, quoteText } from '../../sql/dialects/index.ts';

/** How the texts of a column become values of a type. */
export interface TextReading {
  readonly type: 'BIGINT' | 'DOUBLE' | 'BOOLEAN' | 'DATE' | 'TIMESTAMP';
  /** SQL of DuckDB over the quoted column; NULL for a text that is not of this kind. */
  readonly expression: (column: string) => string;
  /** For people; absent where there is nothing to say. */
  readonly note?: string;
  /** Of the amounts: `€`, `%`. */
  readonly unit?: string;
  /** What its values prove about the texts of its table. */
  readonly proves?: Usage;
}

/** How numbers and dates are written in a table. */
export interface Usage {
  readonly decimal?: '.' | ',';
  readonly isMonthFirst?: boolean;
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
export function readTexts(texts: readonly string[], usage: Usage = {}): TextReading | undefined {
  const values = texts.map((text) => text.trim()).filter((text) => !NO_VALUES.has(text.toLowerCase()));
  if (values.length === 0) return undefined;
  if (values.every((value) => /^(?:true|false)$/i.test(value)))
    return { type: 'BOOLEAN', expression: (column) => `TRY_CAST(trim(${column}) AS BOOLEAN)` };
  return readAmounts(values, usage) ?? readDates(values, usage);
}

const UNIT = '(?:[$€£¥₹%]|EUR|USD|GBP|CHF|JPY)';
/** Also those that no line breaks at: French programs write them between thousands. The engine's `\\s` does not know them. */
const BLANK = ' \t\u00a0\u2009\u202f';
const GAP = `[${BLANK}]*`;
/** Sign, unit and blanks on either side; a minus behind it as SAP writes it; in brackets a negative amount of bookkeepers. */
const framed = (digits: string): string =>
  `^${GAP}\\(?[-+−]?${GAP}${UNIT}?${GAP}[-+−]?(?:${digits})${GAP}-?${GAP}${UNIT}?\\)?${GAP}$`;

const GAPS = 'a gap between thousands';

interface AmountStyle {
  readonly shape: string;
  readonly thousands: string;
  readonly decimal: '.' | ',';
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
      shape: framed(`(?:[1-9][0-9]{0,2}(?:['’${BLANK}][0-9]{3})+|${BARE})(?:[.,][0-9]+)?`),
      thousands: `'’${BLANK}`,
    },
    ...{ decimal: '.', note: GAPS },
  },
];

function readAmounts(values: readonly string[], { decimal: usual }: Usage): TextReading | undefined {
  const fitting = AMOUNT_STYLES.filter(({ shape }) => {
    const form = new RegExp(shape, 'u');
    return values.every((value) => form.test(value));
  });
  const isSeparated = values.some((value) => /[.,'’]|\d\s\d/u.test(value));
  // 1.234 is a thousand where a comma is before decimals, and little more than one elsewhere.
  const isOpen = isSeparated && fitting.filter(({ note }) => note !== GAPS).length > 1;
  const style = (isOpen && fitting.find(({ decimal }) => decimal === usual)) || fitting[0];
  if (style === undefined) return undefined;
  const units = new Set(values.map((value) => new RegExp(UNIT, 'u').exec(value)?.[0] ?? ''));
  // Amounts in two currencies are no column of numbers: their sum would mean nothing.
  if (units.size > 1) return undefined;
  const [unit = ''] = units;
  const isWhole = !values.some((value) => decimalsOf(value, style));
  const isSaid = isOpen || values.some((value) => /,|\d['’\s]\d|\..*\./u.test(value));
  const proof = isOpen && usual === undefined ? ', which its values do not prove' : '';
  return {
    type: isWhole ? 'BIGINT' : 'DOUBLE',
    expression: (column) => amountExpression(column, style, isWhole ? 'BIGINT' : 'DOUBLE'),
    ...(unit !== '' && { unit }),
    ...(isSaid && { note: `numbers with ${noteOf(style, isOpen && !isWhole)}${proof}` }),
    ...(isSeparated && !isOpen && style.note !== GAPS && { proves: { decimal: style.decimal } }),
  };
}

function noteOf({ decimal, note }: AmountStyle, isDecimal: boolean): string {
  return isDecimal && decimal === '.' ? 'a point before decimals' : note;
}

function decimalsOf(value: string, { decimal, thousands }: AmountStyle): boolean {
  const bare = [...value].filter((sign) => !thousands.includes(sign) || sign === decimal).join('');
  return bare.includes(decimal) || (thousands.startsWith("'") && bare.includes(','));
}

function amountExpression(column: string, { shape, thousands }: AmountStyle, type: string): string {
  const text = `trim(${column}, ${quoteText(BLANK, 'duckdb')})`;
  const gone = `[${thousands.replace("'", "''")}${BLANK}()+$€£¥₹%]|EUR|USD|GBP|CHF|JPY`;
  const bare = `rtrim(replace(replace(regexp_replace(${text}, '${gone}', '', 'g'), '−', '-'), ',', '.'), '-')`;
  const sign = `CASE WHEN ${text} LIKE '(%' OR regexp_matches(${text}, '-[^0-9]*$') THEN -1 ELSE 1 END`;
  // The engine would round 1.5 to a whole number.
  const whole = type === 'BIGINT' ? ` AND NOT contains(${bare}, '.')` : '';
  return `CASE WHEN regexp_matches(${text}, ${quoteText(shape, 'duckdb')})${whole} THEN ${sign} * TRY_CAST(${bare} AS ${type}) END`;
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
function readDates(values: readonly string[], usage: Usage): TextReading | undefined {
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
  const readings = [...byStyle].map(([style, dates]) => readStyle(style, dates, usage));
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
    ...(sure.some(({ isProven }) => isProven) && {
      proves: { isMonthFirst: sure.some(({ isProven, format }) => isProven && format.startsWith('%m')) },
    }),
  };
}

interface StyleReading {
  readonly format: string;
  /** Whether the values show which of day and month comes first. */
  readonly isProven?: boolean;
  readonly note?: string;
}

function readStyle(
  { formats }: DateStyle,
  dates: readonly string[],
  { isMonthFirst }: Usage,
): StyleReading | undefined {
  const fitting = formats.filter((format) => dates.every((date) => fits(date, format)));
  const [first] = fitting;
  if (first === undefined) return undefined;
  if (formats.length === 1 || first.includes('%b')) return { format: first };
  const isOpen = fitting.length > 1;
  const format = (isOpen && isMonthFirst === true && fitting.find((one) => one.startsWith('%m'))) || first;
  const note = format.startsWith('%d') ? 'the day before the month' : 'the month before the day';
  if (!isOpen) return { format, note, isProven: true };
  return { format, note: isMonthFirst === undefined ? `${note}, which its values do not prove` : note };
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

/** Rows that a type is tried on first. */
const SAMPLED_ROWS = 100_000;
/** Texts of a column that are looked at before a type is tried on all of them. */
const SAMPLED_TEXTS = 2_000;

/**
 * Columns of texts become amounts or dates where all of their values are. What one column proves about the way in which numbers
 * and dates are written holds for the others of its table; else the separator of a CSV file tells the sign before decimals.
 */
export async function convertTexts(
  table: string,
  delimiter: string | undefined,
  connection: DuckDBConnection,
): Promise<Map<string, TextReading>> {
  const described = (await connection.runAndReadAll(`DESCRIBE ${table}`)).getRows();
  const samples = new Map<string, string[]>();
  for (const [name] of described.filter(([, type]) => type === 'VARCHAR')) {
    const column = quoteName(String(name), 'duckdb');
    const sample = await connection.runAndReadAll(
      `SELECT DISTINCT ${column} FROM (SELECT ${column} FROM ${table} WHERE ${column} IS NOT NULL LIMIT ${SAMPLED_ROWS}) LIMIT ${SAMPLED_TEXTS}`,
    );
    samples.set(
      String(name),
      sample.getRows().map(([value]) => String(value)),
    );
  }
  const hasDecimals = delimiter !== undefined && described.some(([, type]) => type === 'DOUBLE');
  const usage = usageOf([...samples.values()], { delimiter, hasDecimals });
  const converted = new Map<string, TextReading>();
  for (const [name, sample] of samples) {
    const reading = await convertColumn(table, { name, sample, usage }, connection);
    if (reading !== undefined) converted.set(name, reading);
  }
  return converted;
}

function usageOf(
  samples: readonly (readonly string[])[],
  { delimiter, hasDecimals }: { readonly delimiter: string | undefined; readonly hasDecimals: boolean },
): Usage {
  const proofs = samples.flatMap((sample) => readTexts(sample)?.proves ?? []);
  const decimals = new Set(proofs.flatMap(({ decimal }) => decimal ?? []));
  if (hasDecimals) decimals.add('.');
  const orders = new Set(proofs.flatMap(({ isMonthFirst }) => isMonthFirst ?? []));
  const [decimal = delimiter === ';' ? ',' : delimiter === ',' ? '.' : undefined] = decimals;
  const [isMonthFirst] = orders;
  return {
    ...(decimals.size < 2 && decimal !== undefined && { decimal }),
    ...(orders.size === 1 && { isMonthFirst }),
  };
}

interface TextColumn {
  readonly name: string;
  readonly sample: readonly string[];
  readonly usage: Usage;
}

async function convertColumn(
  table: string,
  { name, sample, usage }: TextColumn,
  connection: DuckDBConnection,
): Promise<TextReading | undefined> {
  const column = quoteName(name, 'duckdb');
  // What the first sample did not show, such as a day above twelve, is in the values that did not fit.
  for (let texts = sample, attempt = 0; attempt < 2; attempt += 1) {
    const reading = readTexts(texts, usage);
    if (reading === undefined) return undefined;
    const expression = reading.expression(column);
    const misfits = await connection.runAndReadAll(
      `SELECT DISTINCT ${column} FROM ${table} WHERE ${holdsValue(column)} AND (${expression}) IS NULL LIMIT ${SAMPLED_TEXTS}`,
    );
    if (misfits.currentRowCount === 0) {
      await connection.run(
        `ALTER TABLE ${table} ALTER COLUMN ${column} SET DATA TYPE ${reading.type} USING ${expression}`,
      );
      return reading;
    }
    texts = [...texts, ...misfits.getRows().map(([value]) => String(value))];
  }
  return undefined;
}

const TOTAL =
  '(?i)(grand |sub)?total(s|en)?( g[ée]n[ée]ral)?|(gesamt|end|zwischen)?summen?|gesamt(betrag|ergebnis)?|insgesamt|sum|somme|suma|totale|totaal|итого';
/** A table of more rows was not written for people. */
const MOST_TOTALLED = 1_100_000;

/** A row that adds up all others would be counted twice. It is left out where its numbers prove what its name says. */
export async function leaveOutTotal(
  table: string,
  connection: DuckDBConnection,
): Promise<{ readonly isLeftOut: boolean; readonly notes: readonly string[] }> {
  const described = (await connection.runAndReadAll(`DESCRIBE ${table}`)).getRows();
  const texts = described.filter(([, type]) => type === 'VARCHAR').slice(0, 3);
  const numbers = described.filter(([, type]) => type === 'BIGINT' || type === 'DOUBLE');
  if (texts.length === 0 || numbers.length === 0) return { isLeftOut: false, notes: [] };
  const labels = texts.map(
    ([name]) => `regexp_full_match(trim(${quoteName(String(name), 'duckdb')}, ' :'), '${TOTAL}')`,
  );
  const isTotal = labels.map((label) => `coalesce(${label}, false)`).join(' OR ');
  const sums = numbers.map(([name]) => {
    const column = quoteName(String(name), 'duckdb');
    const own = `sum(${column}) FILTER (WHERE ${isTotal})`;
    const others = `sum(${column}) FILTER (WHERE NOT (${isTotal}))`;
    return `coalesce(${own} <> 0 AND abs(${own} - ${others}) <= 1e-9 * abs(${own}), false)`;
  });
  const reader = await connection.runAndReadAll(
    `SELECT count(*), count(*) FILTER (WHERE ${isTotal}), ${sums.join(' OR ')} FROM ${table}`,
  );
  const [[rows, totals, isProven] = []] = reader.getRows();
  if (Number(totals) !== 1 || Number(rows) < 3 || Number(rows) > MOST_TOTALLED)
    return { isLeftOut: false, notes: [] };
  if (isProven !== true)
    return {
      isLeftOut: false,
      notes: ['one of its rows is called a total; it does not add up the others, and was kept'],
    };
  await connection.run(`DELETE FROM ${table} WHERE ${isTotal}`);
  return { isLeftOut: true, notes: ['a row that adds up the others left out'] };
}

export const MISFIT = 'candor: a value further down does not fit the type of the beginning';

/** Types that all values of the beginning have, the narrowest first. Dates as people write them are told apart on all values, later. */
const TYPES = ['BIGINT', 'DOUBLE', 'BOOLEAN', 'DATE', 'TIMESTAMP'] as const;
export type ColumnType = (typeof TYPES)[number];

const SHAPES: Readonly<Record<ColumnType, string>> = {
  // Zeros in front belong to postcodes and article numbers, which would lose them as numbers.
  BIGINT: '-?(0|[1-9][0-9]{0,17})',
  // Of more than 15 digits some would be lost.
  DOUBLE: '-?(0|[1-9][0-9]{0,14})?(\\.[0-9]+)?([eE][-+]?[0-9]{1,2})?',
  BOOLEAN: '(?i:true|false)',
  DATE: '[0-9]{4}-[0-9]{2}-[0-9]{2}',
  TIMESTAMP: '[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}(:[0-9]{2}(\\.[0-9]+)?)?',
};

export async function sampleTypes(
  from: string,
  { columns, delimiter }: { readonly columns: readonly string[]; readonly delimiter: string },
  connection: DuckDBConnection,
): Promise<Map<string, ColumnType>> {
  const tests = columns.map((name) => {
    const column = quoteName(name, 'duckdb');
    const fits = TYPES.map(
      (type) =>
        `bool_and(regexp_full_match(${column}, ${quoteText(SHAPES[type], 'duckdb')}) AND TRY_CAST(${column} AS ${type}) IS NOT NULL) FILTER (WHERE ${column} IS NOT NULL)`,
    );
    // 1.234 beside a semicolon may be a thousand: what the other columns show decides.
    const open = `bool_and(NOT contains(${column}, '.') OR regexp_full_match(${column}, '-?[1-9][0-9]{0,2}\\.[0-9]{3}'))`;
    return `[${fits.join(', ')}, ${open}]`;
  });
  const reader = await connection.runAndReadAll(
    `SELECT ${tests.join(', ')} FROM (SELECT * FROM ${from} LIMIT ${SAMPLED_ROWS})`,
  );
  const [fits = []] = reader.getRowsJson();
  const types = new Map<string, ColumnType>();
  for (const [at, name] of columns.entries()) {
    const holds = fits[at] as readonly (boolean | null)[];
    const type = TYPES[holds.slice(0, TYPES.length).indexOf(true)];
    const isOpen = type === 'DOUBLE' && delimiter !== ',' && holds.at(-1) === true;
    if (type !== undefined && !isOpen) types.set(name, type);
  }
  return types;
}

/** The engine would read 01234 as a number, 1.5 as the whole number 2, and a time as a day: a value of another shape ends the reading. */
export function typedColumn(name: string, type: ColumnType | undefined): string {
  const column = quoteName(name, 'duckdb');
  if (type === undefined) return column;
  const fits = `regexp_full_match(${column}, ${quoteText(SHAPES[type], 'duckdb')})`;
  return `CASE WHEN ${column} IS NULL THEN NULL WHEN ${fits} THEN CAST(${column} AS ${type}) ELSE error('${MISFIT}') END AS ${column}`;
}
