/** Formats of times between the dialects: which code stands for what, as data. */
import type { DialectName } from '../../dialects/dialect.ts';

/** Families of codes. Snowflake's are PostgreSQL's but for the names of months. */
type Family = 'strftime' | 'mysql' | 'to_char';

const FAMILIES: Readonly<Record<DialectName, Family>> = {
  sqlite: 'strftime',
  duckdb: 'strftime',
  bigquery: 'strftime',
  mysql: 'mysql',
  trino: 'mysql',
  postgres: 'to_char',
  snowflake: 'to_char',
};

/** What a code shows, and the code of each family; '' where it has none. */
const CODES: readonly (readonly [shows: string, strftime: string, mysql: string, toChar: string])[] = [
  ['year', '%Y', '%Y', 'YYYY'],
  ['year of two digits', '%y', '%y', 'YY'],
  ['month', '%m', '%m', 'MM'],
  ['month without zero', '%-m', '%c', 'FMMM'],
  ['name of the month', '%B', '%M', 'FMMonth'],
  ['short name of the month', '%b', '%b', 'Mon'],
  ['day', '%d', '%d', 'DD'],
  ['day without zero', '%-d', '%e', 'FMDD'],
  ['name of the day', '%A', '%W', 'FMDay'],
  ['short name of the day', '%a', '%a', 'Dy'],
  ['day of the year', '%j', '%j', 'DDD'],
  ['hour', '%H', '%H', 'HH24'],
  ['hour of twelve', '%I', '%h', 'HH12'],
  ['minute', '%M', '%i', 'MI'],
  ['second', '%S', '%s', 'SS'],
  ['morning or afternoon', '%p', '%p', 'AM'],
  ['week, ISO', '%V', '%v', 'IW'],
  ['year of the week, ISO', '%G', '%x', 'IYYY'],
  ['weekday from Sunday, 0', '%w', '%w', ''],
  ['weekday from Monday, 1', '%u', '', 'ID'],
  ['week from Monday', '%W', '', ''],
  ['week from Sunday', '%U', '', ''],
  ['microseconds', '%f', '%f', 'US'],
  ['seconds since 1970', '%s', '', ''],
];
const COLUMN: Readonly<Record<Family, 1 | 2 | 3>> = { strftime: 1, mysql: 2, to_char: 3 };

/** Codes that stand for several others. */
const SHORT: Readonly<Record<Family, Readonly<Record<string, string>>>> = {
  strftime: {
    '%F': '%Y-%m-%d',
    '%T': '%H:%M:%S',
    '%R': '%H:%M',
    '%D': '%m/%d/%y',
    '%h': '%b',
    '%e': '%-d',
    '%E*S': '%S',
  },
  mysql: { '%T': '%H:%i:%s', '%I': '%h', '%S': '%s', '%k': '%H', '%r': '%h:%i:%s %p', '%D': '' },
  to_char: { HH: 'HH12', PM: 'AM', MMMM: 'FMMonth', MON: 'Mon', DY: 'Dy' },
};

/** What a dialect's own library lacks or means otherwise. */
const MISSING: Readonly<Partial<Record<DialectName, RegExp>>> = {
  // SQLite knows these alone; %f there is seconds with their fraction.
  sqlite: /^%(?![dfHIjmMpsSuUwWYVG%])/,
  trino: /^%[vxw]$/,
  snowflake: /^(?:FM\w+|DDD|IW|IYYY|ID|US)$/,
};
const OTHER_MEANING: Readonly<Partial<Record<DialectName, RegExp>>> = { sqlite: /^%f$/ };

type Piece =
  | { readonly kind: 'code'; readonly shows: string }
  | { readonly kind: 'text'; readonly text: string };

/** `convertFormat('%Y-%m', 'sqlite', 'postgres')` → `YYYY-MM`; `problem` names the code that cannot be said. */
export function convertFormat(
  format: string,
  from: DialectName,
  to: DialectName,
): { readonly format: string } | { readonly problem: string } {
  if (FAMILIES[from] === FAMILIES[to] && isSafeBetween(format, from, to)) return { format };
  let result = '';
  for (const piece of readFormat(format, from)) {
    if (piece.kind === 'text') {
      result += quoteText(piece.text, FAMILIES[to]);
      continue;
    }
    const code = codeOf(piece.shows, to);
    if (code === undefined) return { problem: piece.shows };
    result += code;
  }
  return { format: result };
}

function isSafeBetween(format: string, from: DialectName, to: DialectName): boolean {
  return readFormat(format, from).every(
    (piece) => piece.kind === 'text' || codeOf(piece.shows, to) !== undefined,
  );
}

/** A format as its codes and the text between; an unknown code shows itself. */
function readFormat(format: string, dialect: DialectName): readonly Piece[] {
  const family = FAMILIES[dialect];
  const column = COLUMN[family];
  const pieces: Piece[] = [];
  for (const [part] of format.matchAll(PARTS[family])) {
    const long = SHORT[family][part];
    if (long !== undefined && long !== '') pieces.push(...readFormat(long, dialect));
    else if (part === '%%') pieces.push({ kind: 'text', text: '%' });
    else if (/^"/.test(part)) pieces.push({ kind: 'text', text: part.slice(1, -1) });
    else {
      const known = CODES.find((code) => code[column] === part || isSameCode(family, code[column], part));
      const isForeign = OTHER_MEANING[dialect]?.test(part) === true;
      const isCode = part.startsWith('%') || (family === 'to_char' && /^[A-Za-z]+\d*$/.test(part));
      if (isCode)
        pieces.push({
          kind: 'code',
          shows: known === undefined || isForeign ? `the code ${part}` : known[0],
        });
      else pieces.push({ kind: 'text', text: part });
    }
  }
  return pieces;
}

/** TO_CHAR does not tell `YYYY` from `yyyy`. */
function isSameCode(family: Family, code: string, part: string): boolean {
  return family === 'to_char' && /^(?:[YMDHSIUW]+|HH\d+|AM)$/i.test(part) && code === part.toUpperCase();
}

const PARTS: Readonly<Record<Family, RegExp>> = {
  strftime: /%E\*S|%-?[A-Za-z%]|[^%]+|%/g,
  mysql: /%[A-Za-z%]|[^%]+|%/g,
  to_char:
    /"[^"]*"|(?:FM)?(?:YYYY|IYYY|YY|MONTH|Month|month|MMMM|MON|Mon|mon|MM|DDD|DD|DAY|Day|day|DY|Dy|dy|HH24|HH12|HH|MI|SS|AM|PM|am|pm|IW|ID|US|MS|WW|Q|D|W|J)|(?:yyyy|yy|mm|dd|hh24|hh12|hh|mi|ss)|[A-Za-z]+|[^A-Za-z"]+/g,
};

function codeOf(shows: string, dialect: DialectName): string | undefined {
  const code = CODES.find((row) => row[0] === shows)?.[COLUMN[FAMILIES[dialect]]];
  if (code === undefined || code === '') return undefined;
  const isMissing = MISSING[dialect]?.test(code) === true || OTHER_MEANING[dialect]?.test(code) === true;
  return isMissing ? undefined : code;
}

/** Letters between the codes of TO_CHAR stand in quotes. */
function quoteText(text: string, family: Family): string {
  if (family !== 'to_char') return text.replaceAll('%', '%%');
  return /[A-Za-z]/.test(text) ? `"${text}"` : text;
}
