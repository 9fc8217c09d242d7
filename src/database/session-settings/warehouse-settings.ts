import { pinned, type SessionSetting, watched } from './session-setting.ts';

/**
 * Pinned with every request are those that the SQL API takes; the others are asked for once per connection
 * (https://docs.snowflake.com/en/developer-guide/sql-api/reference, https://docs.snowflake.com/en/sql-reference/parameters).
 */
export const SNOWFLAKE_SETTINGS: readonly SessionSetting[] = [
  pinned('TIMEZONE', 'UTC', 'CURRENT_DATE and how times with a zone are read'),
  pinned('ROWS_PER_RESULTSET', '0', 'above 0 a result is cut there without a word'),
  pinned('BINARY_OUTPUT_FORMAT', 'HEX', 'how bytes are printed'),
  watched('WEEK_START', '0', 'on which day a week begins'),
  watched('WEEK_OF_YEAR_POLICY', '0', 'which week counts as the first'),
  watched('TWO_DIGIT_CENTURY_START', '1970', 'the century of a year of two digits'),
  watched('TIMESTAMP_TYPE_MAPPING', 'TIMESTAMP_NTZ', 'whether TIMESTAMP has a zone'),
  watched('TIMESTAMP_DAY_IS_ALWAYS_24H', 'false', 'how long a day is when the clock is changed'),
  watched('DATE_INPUT_FORMAT', 'AUTO', 'which part of a text is the day'),
  watched('TIME_INPUT_FORMAT', 'AUTO', 'how a text is read as a time'),
  watched('TIMESTAMP_INPUT_FORMAT', 'AUTO', 'how a text is read as a moment'),
  watched('DATE_OUTPUT_FORMAT', 'YYYY-MM-DD', 'how a date becomes a text'),
  watched('TIME_OUTPUT_FORMAT', 'HH24:MI:SS', 'how a time becomes a text'),
  watched('TIMESTAMP_OUTPUT_FORMAT', 'YYYY-MM-DD HH24:MI:SS.FF3 TZHTZM', 'how a moment becomes a text'),
  watched('BINARY_INPUT_FORMAT', 'HEX', 'how a text is read as bytes'),
  watched('QUOTED_IDENTIFIERS_IGNORE_CASE', 'false', 'true: a name in quotes means the one in capitals'),
  watched('DEFAULT_NULL_ORDERING', 'LAST', 'where ORDER BY puts NULL'),
];

/** Fields of every request; `time_zone` is a property of the connection. */
export const BIGQUERY_SETTINGS: readonly SessionSetting[] = [
  pinned('useLegacySql', 'false', 'true: another language, in which the same words mean something else'),
  pinned('time_zone', 'UTC', 'CURRENT_DATE and how moments are cut; by default that of the project'),
];

/** Headers of every request; a server that forces a zone on its clients tells so when it is asked which one holds. */
export const TRINO_SETTINGS: readonly SessionSetting[] = [
  pinned(
    'X-Trino-Time-Zone',
    'UTC',
    'current_date and how times with a zone are read; by default that of the server',
  ),
  pinned('X-Trino-Language', 'en-US', 'the names that date_format writes; by default those of the server'),
  pinned(
    'X-Trino-Client-Capabilities',
    'PARAMETRIC_DATETIME',
    'without it times lose digits below the millisecond',
  ),
  pinned(
    'X-Trino-Path',
    'system.builtin',
    'whose functions a name means where the engine’s own takes other arguments',
  ),
  watched('sql.forced-session-time-zone', 'UTC', 'the zone of the client, which the server does not take'),
];
