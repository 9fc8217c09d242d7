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
