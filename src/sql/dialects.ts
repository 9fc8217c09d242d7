import type { Dialect, DialectName } from './dialect.ts';
import { RESERVED_WORDS } from './reserved-words.ts';

const DOUBLED = [["'", "''"]] as const;
const BACKSLASH = ['\\', '\\\\'] as const;

const ANY_CASE = /^[A-Za-z_][A-Za-z0-9_]*$/;

const SQLITE: Dialect = {
  name: 'sqlite',
  quote: '"',
  plainName: ANY_CASE,
  foldsTo: 'same',
  fromEpoch: "DATETIME({0}, 'unixepoch')",
  daysBetween: '(JULIANDAY({1}) - JULIANDAY({0}))',
  datePart: {
    year: "CAST(STRFTIME('%Y', {0}) AS INTEGER)",
    quarter: "STRFTIME('%Y', {0}) || '-Q' || ((CAST(STRFTIME('%m', {0}) AS INTEGER) + 2) / 3)",
    month: "STRFTIME('%Y-%m', {0})",
    week: "DATE({0}, 'weekday 0', '-6 days')",
    day: 'DATE({0})',
    weekday: "CAST(STRFTIME('%w', {0}) AS INTEGER)",
    'quarter-of-year': "(CAST(STRFTIME('%m', {0}) AS INTEGER) + 2) / 3",
    'month-of-year': "CAST(STRFTIME('%m', {0}) AS INTEGER)",
  },
  dateLiteral: "'{0}'",
  textEscapes: DOUBLED,
  like: 'LIKE',
  divide: 'CAST({0} AS REAL) / NULLIF({1}, 0)',
  reserved: RESERVED_WORDS.sqlite,
};

const DUCKDB: Dialect = {
  name: 'duckdb',
  quote: '"',
  plainName: ANY_CASE,
  foldsTo: 'same',
  fromEpoch: 'MAKE_TIMESTAMP(CAST(({0}) * 1000000.0 AS BIGINT))',
  daysBetween: '(EPOCH(CAST({1} AS TIMESTAMP) - CAST({0} AS TIMESTAMP)) / 86400.0)',
  datePart: {
    year: 'YEAR({0})',
    quarter: "YEAR({0}) || '-Q' || QUARTER({0})",
    month: "STRFTIME({0}, '%Y-%m')",
    week: "CAST(DATE_TRUNC('week', {0}) AS DATE)",
    day: 'CAST({0} AS DATE)',
    weekday: 'DAYOFWEEK({0})',
    'quarter-of-year': 'QUARTER({0})',
    'month-of-year': 'MONTH({0})',
  },
  dateLiteral: "DATE '{0}'",
  textEscapes: DOUBLED,
  like: 'ILIKE',
  divide: '{0} / NULLIF({1}, 0)',
  reserved: RESERVED_WORDS.duckdb,
};

const POSTGRES: Dialect = {
  ...DUCKDB,
  name: 'postgres',
  reserved: RESERVED_WORDS.postgres,
  plainName: /^[a-z_][a-z0-9_]*$/,
  foldsTo: 'lower',
  fromEpoch: "(TO_TIMESTAMP({0}) AT TIME ZONE 'UTC')",
  daysBetween: '(EXTRACT(EPOCH FROM CAST({1} AS TIMESTAMP) - CAST({0} AS TIMESTAMP)) / 86400.0)',
  datePart: {
    year: 'CAST(EXTRACT(YEAR FROM {0}) AS INTEGER)',
    quarter: `TO_CHAR({0}, 'YYYY"-Q"Q')`,
    month: "TO_CHAR({0}, 'YYYY-MM')",
    week: "CAST(DATE_TRUNC('week', {0}) AS DATE)",
    day: 'CAST({0} AS DATE)',
    weekday: 'CAST(EXTRACT(DOW FROM {0}) AS INTEGER)',
    'quarter-of-year': 'CAST(EXTRACT(QUARTER FROM {0}) AS INTEGER)',
    'month-of-year': 'CAST(EXTRACT(MONTH FROM {0}) AS INTEGER)',
  },
  divide: 'CAST({0} AS NUMERIC) / NULLIF({1}, 0)',
};

const MYSQL: Dialect = {
  ...SQLITE,
  name: 'mysql',
  reserved: RESERVED_WORDS.mysql,
  textEscapes: [BACKSLASH, ...DOUBLED],
  quote: '`',
  fromEpoch: 'FROM_UNIXTIME({0})',
  daysBetween: '(TIMESTAMPDIFF(SECOND, {0}, {1}) / 86400.0)',
  datePart: {
    year: 'YEAR({0})',
    quarter: "CONCAT(YEAR({0}), '-Q', QUARTER({0}))",
    month: "DATE_FORMAT({0}, '%Y-%m')",
    week: 'DATE_SUB(DATE({0}), INTERVAL WEEKDAY({0}) DAY)',
    day: 'DATE({0})',
    weekday: 'DAYOFWEEK({0}) - 1',
    'quarter-of-year': 'QUARTER({0})',
    'month-of-year': 'MONTH({0})',
  },
  divide: '{0} / NULLIF({1}, 0)',
};

const TRINO: Dialect = {
  ...DUCKDB,
  name: 'trino',
  reserved: RESERVED_WORDS.trino,
  fromEpoch: 'CAST(FROM_UNIXTIME({0}) AS TIMESTAMP)',
  daysBetween: "(DATE_DIFF('second', CAST({0} AS TIMESTAMP), CAST({1} AS TIMESTAMP)) / 86400.0)",
  datePart: {
    year: 'YEAR({0})',
    quarter: "CAST(YEAR({0}) AS VARCHAR) || '-Q' || CAST(QUARTER({0}) AS VARCHAR)",
    month: "DATE_FORMAT({0}, '%Y-%m')",
    week: "CAST(DATE_TRUNC('week', {0}) AS DATE)",
    day: 'CAST({0} AS DATE)',
    weekday: 'DAY_OF_WEEK({0}) % 7',
    'quarter-of-year': 'QUARTER({0})',
    'month-of-year': 'MONTH({0})',
  },
  like: 'LIKE',
  divide: 'CAST({0} AS DOUBLE) / NULLIF({1}, 0)',
};

const SNOWFLAKE: Dialect = {
  ...DUCKDB,
  name: 'snowflake',
  reserved: RESERVED_WORDS.snowflake,
  plainName: /^[A-Z_][A-Z0-9_]*$/,
  foldsTo: 'upper',
  textEscapes: [BACKSLASH, ...DOUBLED],
  fromEpoch: 'TO_TIMESTAMP_NTZ({0})',
  daysBetween: "(DATEDIFF('second', {0}, {1}) / 86400.0)",
  datePart: {
    year: 'YEAR({0})',
    quarter: "YEAR({0}) || '-Q' || QUARTER({0})",
    month: "TO_CHAR({0}, 'YYYY-MM')",
    week: "CAST(DATE_TRUNC('week', {0}) AS DATE)",
    day: 'CAST({0} AS DATE)',
    weekday: 'DAYOFWEEK({0})',
    'quarter-of-year': 'QUARTER({0})',
    'month-of-year': 'MONTH({0})',
  },
};

const BIGQUERY: Dialect = {
  ...DUCKDB,
  name: 'bigquery',
  reserved: RESERVED_WORDS.bigquery,
  textEscapes: [BACKSLASH, ["'", "\\'"], ['\n', '\\n'], ['\r', '\\r']],
  quote: '`',
  fromEpoch: 'TIMESTAMP_MICROS(CAST(({0}) * 1000000.0 AS INT64))',
  daysBetween: '(TIMESTAMP_DIFF(TIMESTAMP({1}), TIMESTAMP({0}), SECOND) / 86400.0)',
  datePart: {
    year: 'EXTRACT(YEAR FROM {0})',
    quarter: "CONCAT(EXTRACT(YEAR FROM {0}), '-Q', EXTRACT(QUARTER FROM {0}))",
    month: "FORMAT_DATE('%Y-%m', DATE({0}))",
    week: 'DATE_TRUNC(DATE({0}), ISOWEEK)',
    day: 'DATE({0})',
    weekday: 'EXTRACT(DAYOFWEEK FROM {0}) - 1',
    'quarter-of-year': 'EXTRACT(QUARTER FROM {0})',
    'month-of-year': 'EXTRACT(MONTH FROM {0})',
  },
  like: 'LIKE',
};

/** The dialects Candor writes, by name. */
export const DIALECT_NAMES = [
  'sqlite',
  'duckdb',
  'postgres',
  'mysql',
  'trino',
  'snowflake',
  'bigquery',
] as const satisfies readonly DialectName[];

export const DIALECTS: Readonly<Record<DialectName, Dialect>> = {
  sqlite: SQLITE,
  duckdb: DUCKDB,
  postgres: POSTGRES,
  mysql: MYSQL,
  trino: TRINO,
  snowflake: SNOWFLAKE,
  bigquery: BIGQUERY,
};

/** The engines as their makers write them. */
export const ENGINE_NAMES: Readonly<Record<DialectName, string>> = {
  sqlite: 'SQLite',
  duckdb: 'DuckDB',
  postgres: 'PostgreSQL',
  mysql: 'MySQL',
  trino: 'Trino',
  snowflake: 'Snowflake',
  bigquery: 'BigQuery',
};
