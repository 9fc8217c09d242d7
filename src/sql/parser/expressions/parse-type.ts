/** Names of types: `DECIMAL(10, 2)`, `TIMESTAMP WITH TIME ZONE`, `STRUCT<a INT64>`, `INT[]`. */

import type { Parser } from '../reader/rules.ts';
import { as, type Draft } from '../reader/token-reader.ts';
import { parseAnyName, unquote } from './parse-names.ts';

/** Words that may follow the first word of a type and belong to it. */
const SECOND_WORDS: Readonly<Record<string, readonly string[]>> = {
  DOUBLE: ['PRECISION'],
  CHARACTER: ['VARYING', 'LARGE', 'SET'],
  CHAR: ['VARYING', 'LARGE'],
  NATIONAL: ['CHARACTER', 'CHAR', 'VARCHAR'],
  BIT: ['VARYING'],
  BINARY: ['VARYING', 'LARGE'],
  LONG: ['VARCHAR', 'VARBINARY'],
  SIGNED: ['INTEGER', 'INT'],
  UNSIGNED: ['INTEGER', 'INT', 'BIG'],
};
const NESTED: ReadonlySet<string> = new Set([
  'ARRAY',
  'STRUCT',
  'MAP',
  'ROW',
  'UNION',
  'RANGE',
  'OBJECT',
  'NULLABLE',
]);
const SIZES: ReadonlySet<string> = new Set(['UNSIGNED', 'ZEROFILL']);

export function parseDataType(parser: Parser): Draft {
  return parser.nested(() => {
    const { start } = parser;
    return parseArrayMarks(parser, parsePlainType(parser, start), start);
  });
}

function parsePlainType(parser: Parser, start: number): Draft {
  const names = [parseTypeWord(parser)];
  const first = names[0] ?? '';
  while (SECOND_WORDS[first]?.includes(parser.key)) names.push(parser.advance().text.toUpperCase());
  if (names.includes('CHARACTER') && parser.key === 'VARYING')
    names.push(parser.advance().text.toUpperCase());
  if (first === 'INTERVAL') return parseIntervalType(parser, start);
  const isNested = NESTED.has(first);
  const parts = isNested && parser.key === '<' ? parseAngles(parser) : parseTypeArguments(parser, isNested);
  names.push(...parseTimeZone(parser));
  while (SIZES.has(parser.key) && parser.grammar.mysqlWords) names.push(parser.advance().text.toUpperCase());
  // CAST(x AS CHAR CHARACTER SET utf8) of MySQL: the set changes no value's family.
  if (parser.acceptAll('CHARACTER', 'SET') || parser.accept('CHARSET')) parseAnyName(parser);
  return parser.node('DataType', start, parts, names.join(' '));
}

function parseTypeWord(parser: Parser): string {
  const { token } = parser;
  if (token?.kind === 'text') {
    parser.advance();
    return unquote(token.text).toUpperCase();
  }
  if (token?.kind !== 'word' && token?.kind !== 'quoted-name') throw parser.fault('a type');
  let name = '';
  do {
    const part = parser.advance();
    name +=
      (name === '' ? '' : '.') + (part.kind === 'quoted-name' ? unquote(part.text) : part.text.toUpperCase());
  } while (parser.key === '.' && parser.kindAhead(1) !== undefined && parser.accept('.'));
  return name;
}

/** `INTERVAL YEAR TO MONTH`, `INTERVAL DAY(2)`. */
function parseIntervalType(parser: Parser, start: number): Draft {
  if (UNITS.has(parser.key)) {
    parser.advance();
    if (parser.key === 'TO') {
      parser.advance();
      parser.advance();
    }
  }
  return parser.node('DataType', start, parseTypeArguments(parser, false), 'INTERVAL');
}

function parseTimeZone(parser: Parser): readonly string[] {
  for (const word of ['WITH', 'WITHOUT']) {
    if (parser.acceptAll(word, 'TIME', 'ZONE')) return [word, 'TIME', 'ZONE'];
    if (parser.acceptAll(word, 'LOCAL', 'TIME', 'ZONE')) return [word, 'LOCAL', 'TIME', 'ZONE'];
  }
  return [];
}

/** `(10, 2)`, `('a', 'b')` of ENUM; nested types hold types or named fields in their brackets. */
function parseTypeArguments(parser: Parser, isNested: boolean): Draft[] {
  if (parser.key !== '(') return [];
  parser.expect('(');
  const parts = parser.list(() =>
    as('expressions', isNested ? parseField(parser) : parseTypeArgument(parser)),
  );
  parser.expect(')');
  return parts;
}

function parseTypeArgument(parser: Parser): Draft {
  const { start } = parser;
  if (parser.kind === 'word') {
    const word = parser.advance().text;
    return parser.node('Var', start, [], word);
  }
  return parser.node('DataTypeParam', start, [as('this', parser.rules.expression(parser))]);
}

/** `<INT64>`, `<a INT64, b STRING>`; `>>` closes two at once. */
function parseAngles(parser: Parser): Draft[] {
  parser.expect('<');
  const parts = parser.key === '>' ? [] : parser.list(() => as('expressions', parseField(parser)));
  parser.closeAngle();
  return parts;
}

/** Snowflake: `ARRAY(NUMBER NOT NULL)`. */
function parseHeldType(parser: Parser): Draft {
  const type = parseDataType(parser);
  if (parser.grammar.connectBy) parser.acceptAll('NOT', 'NULL');
  return type;
}

/** A type, or a name and a type. */
function parseField(parser: Parser): Draft {
  const { start } = parser;
  const isNamed =
    (parser.kind === 'word' || parser.kind === 'quoted-name') &&
    (parser.kindAhead(1) === 'word' || parser.ahead(1) === ':') &&
    !(SECOND_WORDS[parser.key]?.includes(parser.ahead(1)) ?? false) &&
    !['WITH', 'WITHOUT'].includes(parser.ahead(1)) &&
    !(parser.ahead(1) === 'NOT' && parser.ahead(2) === 'NULL');
  if (!isNamed) return parseHeldType(parser);
  const name = as('this', parseAnyName(parser));
  parser.accept(':');
  return parser.node('ColumnDef', start, [name, as('kind', parseHeldType(parser))]);
}

/** `INT[]`, `INT[3]`, `INT ARRAY`: an array around the type. */
function parseArrayMarks(parser: Parser, type: Draft, start: number): Draft {
  let result = type;
  for (;;) {
    const isMark =
      parser.grammar.bracketTypes &&
      parser.key === '[' &&
      (parser.ahead(1) === ']' || parser.ahead(2) === ']');
    if (isMark) parser.move(parser.at + (parser.ahead(1) === ']' ? 2 : 3));
    else if (!(parser.key === 'ARRAY' && parser.grammar.arrayTypes && parser.accept('ARRAY'))) return result;
    result = parser.node('DataType', start, [as('expressions', result)], 'ARRAY');
  }
}

/** Units of time that stand bare in INTERVAL, EXTRACT and functions of dates, in upper case. */
export const UNITS: ReadonlySet<string> = new Set(
  `YEAR YEARS QUARTER QUARTERS MONTH MONTHS WEEK WEEKS DAY DAYS HOUR HOURS MINUTE MINUTES SECOND SECONDS MILLISECOND
  MILLISECONDS MICROSECOND MICROSECONDS NANOSECOND NANOSECONDS DECADE DECADES CENTURY CENTURIES MILLENNIUM MILLENNIA
  DAYOFWEEK DAYOFYEAR DAYOFMONTH ISOWEEK ISOYEAR ISODOW DOW DOY EPOCH WEEKDAY YEAROFWEEK WEEKOFYEAR WEEKISO
  DAYOFWEEKISO DAY_OF_WEEK DAY_OF_YEAR DAY_OF_MONTH YEAR_OF_WEEK TIMEZONE TIMEZONE_HOUR TIMEZONE_MINUTE
  YEAR_MONTH DAY_HOUR DAY_MINUTE DAY_SECOND HOUR_MINUTE HOUR_SECOND MINUTE_SECOND DAY_MICROSECOND
  HOUR_MICROSECOND MINUTE_MICROSECOND SECOND_MICROSECOND EPOCH_SECOND EPOCH_MILLISECOND DAYOFWEEK_ISO JULIAN
  `
    .trim()
    .split(/\s+/),
);

/** Short forms, which only Snowflake takes and which elsewhere may well be columns. */
export const SHORT_UNITS: ReadonlySet<string> = new Set(
  'YYYY YYY YY Y MM MON MONS DD D WK W Q QTR HH H HR HRS MI MIN MINS M SS S SEC SECS MS US NS'.split(' '),
);

/** Those of them whose only unit comes last, so that a short name before a comma is a column. */
export const LAST_UNIT_FUNCTIONS: ReadonlySet<string> = new Set([
  'last_day',
  'next_day',
  'previous_day',
  'trunc',
]);

/** Functions with a bare unit among their arguments, lower case. */
export const UNIT_FUNCTIONS: ReadonlySet<string> = new Set(
  `timestampdiff timestampadd datediff dateadd date_diff date_add date_sub date_trunc datetime_diff datetime_add
  datetime_sub datetime_trunc timestamp_diff timestamp_add timestamp_sub timestamp_trunc time_diff time_add time_sub
  time_trunc date_part datepart last_day next_day previous_day trunc timediff time_slice timeadd
  generate_date_array generate_timestamp_array date_bucket timestamp_bucket datetime_bucket`.split(/\s+/),
);
