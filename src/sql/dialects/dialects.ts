import type { Dialect, DialectName } from './dialect.ts';

const DOUBLED = [["'", "''"]] as const;
const BACKSLASH = ['\\', '\\\\'] as const;

const ANY_CASE = /^[A-Za-z_][A-Za-z0-9_]*$/;

// Words that must be quoted to be names, beyond those of every dialect; from each engine's own manual.

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

const EVERYWHERE = words(`
add all alter and as asc between by case check collate column constraint create cross current_date current_time
current_timestamp default delete desc distinct drop else end escape except exists for foreign from full group having in
index inner insert intersect into is join key left like limit natural not null of offset on or order outer over partition
primary references right row rows select set table then to transaction trigger union unique update using values view when
where window with qualify sample lateral any some both user end analyse analyze array do grant only pivot unpivot`);

/** SQLite. */
const SQLITE_WORDS = words('cast deferrable false isnull notnull recursive returning true');

/** DuckDB. */
const DUCKDB_WORDS = words(`
asymmetric at authorization binary cast concurrently deferrable describe false fetch freeze ilike initially isnull leading
notnull overlaps placing recursive returning show similar symmetric tablesample trailing true variadic verbose`);

/** PostgreSQL, "reserved" and "reserved (can be function or type)". */
const POSTGRES_WORDS = words(`
asymmetric authorization binary cast concurrently current_catalog current_role current_schema current_user deferrable
false fetch freeze ilike initially isnull leading localtime localtimestamp notnull overlaps placing returning
session_user similar symmetric tablesample trailing true variadic verbose`);

/** MySQL 8.0 and MariaDB 10.11. */
const MYSQL_WORDS = words(`
accessible asensitive before bigint binary blob call cascade change char character condition continue convert cube
cume_dist current_role current_user cursor database databases day_hour day_microsecond day_minute day_second dec decimal
declare delayed dense_rank describe deterministic distinctrow div double dual each elseif empty enclosed escaped exit
explain false fetch first_value float float4 float8 force fulltext function generated get grouping groups high_priority
hour_microsecond hour_minute hour_second if ignore infile inout insensitive int int1 int2 int3 int4 int8 integer interval
io_after_gtids io_before_gtids iterate json_table keys kill lag last_value lead leading leave linear lines load localtime
localtimestamp lock long longblob longtext loop low_priority master_bind match maxvalue mediumblob mediumint mediumtext
middleint minute_microsecond minute_second mod modifies no_write_to_binlog nth_value ntile numeric optimize
optimizer_costs option optionally out outfile page_checksum percent_rank portion precision procedure purge range rank
read reads read_write real recursive ref_system_id regexp release rename repeat replace require resignal restrict return
returning revoke rlike rollup row_number schema schemas second_microsecond sensitive separator show signal smallint spatial
specific sql sqlexception sqlstate sqlwarning sql_big_result sql_calc_found_rows sql_small_result ssl starting
stats_auto_recalc stats_persistent stats_sample_pages stored straight_join system terminated tinyblob tinyint tinytext
trailing true undo unlock unsigned usage use utc_date utc_time utc_timestamp varbinary varchar varcharacter varying
virtual while write xor year_month zerofill`);

/** Trino. */
const TRINO_WORDS = words(`
alter cast cube current_catalog current_path current_role current_schema current_user deallocate describe execute extract
false grouping insert json_array json_exists json_object json_query json_table json_value listagg localtime
localtimestamp normalize prepare recursive rollup skip trim true uescape unnest`);

/** Snowflake. */
const SNOWFLAKE_WORDS = words(`
account cast connect connection current current_user database false following gscluster ilike increment issue
localtime localtimestamp minus organization regexp revoke rlike schema start tablesample true try_cast whenever`);

/** BigQuery, GoogleSQL. */
const BIGQUERY_WORDS = words(`
assert_rows_modified at cast contains cube define enum exclude extract false fetch following groups grouping hash if
ignore interval lookup merge new no nulls preceding proto range recursive respect rollup struct tablesample treat true
unbounded unnest within`);

export const RESERVED_WORDS: Readonly<Record<DialectName, ReadonlySet<string>>> = {
  sqlite: new Set([...EVERYWHERE, ...SQLITE_WORDS]),
  duckdb: new Set([...EVERYWHERE, ...DUCKDB_WORDS]),
  postgres: new Set([...EVERYWHERE, ...POSTGRES_WORDS]),
  mysql: new Set([...EVERYWHERE, ...MYSQL_WORDS]),
  trino: new Set([...EVERYWHERE, ...TRINO_WORDS]),
  snowflake: new Set([...EVERYWHERE, ...SNOWFLAKE_WORDS]),
  bigquery: new Set([...EVERYWHERE, ...BIGQUERY_WORDS]),
};

const SQLITE: Dialect = {
  name: 'sqlite',
  quote: '"',
  nameEscapes: [['"', '""']],
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
  nameEscapes: [['"', '""']],
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
  nameEscapes: [['`', '``']],
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
  nameEscapes: [BACKSLASH, ['`', '\\`']],
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
