import { pinned, type SessionSetting } from './session-setting.ts';

/** Given when the file is opened, before the settings are locked. */
export const DUCKDB_SETTINGS: readonly SessionSetting[] = [
  pinned('TimeZone', 'UTC', 'current_date and how times with a zone are cut; by default that of the machine'),
  pinned(
    'Calendar',
    'gregorian',
    'the year and month of times with a zone; by default that of the machine’s language',
  ),
  pinned('default_collation', '', 'which texts are equal, and how they are sorted'),
  pinned('default_order', 'ASC', 'how ORDER BY without a direction sorts'),
  pinned('default_null_order', 'NULLS_LAST', 'where ORDER BY puts NULL'),
  pinned('order_by_non_integer_literal', 'false', 'true: ORDER BY of a text in quotes sorts nothing'),
  pinned('preserve_insertion_order', 'true', 'false: rows without ORDER BY come in any order'),
  pinned('integer_division', 'false', 'true: 7 / 2 is 3'),
  pinned('ieee_floating_point_ops', 'true', 'false: 1 / 0 is NULL'),
  pinned('old_implicit_casting', 'false', 'true: a number and a text are compared as texts'),
  pinned(
    'scalar_subquery_error_on_multiple_rows',
    'true',
    'false: a subquery of many rows counts with one of them',
  ),
  pinned('disable_timestamptz_casts', 'false', 'true: a time with a zone cannot be read as one without'),
  pinned('lambda_syntax', 'DEFAULT', 'whether x -> y is a function or looks into JSON'),
];

/** As PRAGMA, right after the file is opened; the text of a statement cannot set any. */
export const SQLITE_SETTINGS: readonly SessionSetting[] = [
  pinned('case_sensitive_like', 'OFF', 'ON: LIKE tells A from a'),
  pinned('reverse_unordered_selects', 'OFF', 'ON: rows without ORDER BY come in the other order'),
  pinned('short_column_names', 'ON', 'how columns without a name of their own are called'),
  pinned('full_column_names', 'OFF', 'how columns without a name of their own are called'),
  pinned('cell_size_check', 'ON', 'OFF: a damaged page may be read as if it were sound'),
  pinned('ignore_check_constraints', 'OFF', 'ON: damage of stored values is not found'),
];
