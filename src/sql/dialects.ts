import type { Dialect, DialectName } from './dialect.ts';

const RESERVED = new Set(
  `add all alter and as asc between by case check collate column constraint create cross current_date current_time
current_timestamp default delete desc distinct drop else end escape except exists for foreign from full group having in index
inner insert intersect into is join key left like limit natural not null of offset on or order outer over partition primary
references right row rows select set table then to transaction trigger union unique update using values view when where window
with qualify sample lateral any some both user end analyse analyze array do grant only pivot unpivot`.split(
    /\s+/,
  ),
);

const SQLITE: Dialect = {
  name: 'sqlite',
  parser: 'sqlite',
  quote: '"',
  datePart: {
    year: "CAST(STRFTIME('%Y', {0}) AS INTEGER)",
    quarter: "STRFTIME('%Y', {0}) || '-Q' || ((CAST(STRFTIME('%m', {0}) AS INTEGER) + 2) / 3)",
    month: "STRFTIME('%Y-%m', {0})",
    week: "DATE({0}, 'weekday 0', '-6 days')",
    day: 'DATE({0})',
    weekday: "STRFTIME('%w', {0})",
  },
  dateLiteral: "'{0}'",
  like: 'LIKE',
  divide: 'CAST({0} AS REAL) / NULLIF({1}, 0)',
  reserved: RESERVED,
};

const DUCKDB: Dialect = {
  name: 'duckdb',
  parser: 'duckdb',
  quote: '"',
  datePart: {
    year: 'YEAR({0})',
    quarter: "YEAR({0}) || '-Q' || QUARTER({0})",
    month: "STRFTIME({0}, '%Y-%m')",
    week: "CAST(DATE_TRUNC('week', {0}) AS DATE)",
    day: 'CAST({0} AS DATE)',
    weekday: 'DAYOFWEEK({0})',
  },
  dateLiteral: "DATE '{0}'",
  like: 'ILIKE',
  divide: '{0} / NULLIF({1}, 0)',
  reserved: RESERVED,
};

/** The dialects Candor writes, by name. */
export const DIALECTS: Readonly<Record<DialectName, Dialect>> = { sqlite: SQLITE, duckdb: DUCKDB };
