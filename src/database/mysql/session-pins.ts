/** What a session is set to before each statement, so that no server default and no earlier query has a say. */

export interface Product {
  readonly isMariadb: boolean;
  /** As the server says it: `10.11.19-MariaDB-0+deb12u1`. */
  readonly version: string;
}

export interface PinLimits {
  readonly timeoutMs: number;
  /** Rows wanted at most; the server stops by itself one row later. */
  readonly rows?: number;
}

const NO_LIMIT = '18446744073709551615';
/** MySQL cuts GROUP_CONCAT at 1,024 bytes with no more than a warning. */
const GROUP_CONCAT_BYTES = 1_048_576;
/** Digits that a division or an average has more than what it divides; by default 4, too few for a rate. */
const DIVISION_DIGITS = 8;

/**
 * The modes are the complete list: without ANSI_QUOTES and NO_BACKSLASH_ESCAPES, since our lexer reads a double
 * quote as the mark of a text and a backslash as an escape; without PIPES_AS_CONCAT, since our grammar reads `||` as
 * OR; without IGNORE_SPACE and HIGH_NOT_PRECEDENCE for the same reason. ONLY_FULL_GROUP_BY is MySQL's default and
 * refuses results that hang on chance; MariaDB's does not know that a key determines its row, so it would refuse
 * sound queries, and stays off there.
 */
export function sessionPins({ isMariadb }: Product, { timeoutMs, rows }: PinLimits): string {
  const modes = [
    'STRICT_TRANS_TABLES',
    'NO_ENGINE_SUBSTITUTION',
    ...(isMariadb ? [] : ['ONLY_FULL_GROUP_BY']),
  ];
  // In whole seconds, and shorter than the limit of the query: waiting for a lock is told from a slow query.
  const seconds = Math.max(1, Math.floor((timeoutMs * 0.9) / 1000));
  const settings = [
    `sql_mode = '${modes.join(',')}'`,
    `time_zone = '+00:00'`,
    'sql_auto_is_null = 0',
    `lc_time_names = 'en_US'`,
    'default_week_format = 0',
    `div_precision_increment = ${DIVISION_DIGITS}`,
    `group_concat_max_len = ${GROUP_CONCAT_BYTES}`,
    `lock_wait_timeout = ${seconds}`,
    `innodb_lock_wait_timeout = ${seconds}`,
    `sql_select_limit = ${rows === undefined ? NO_LIMIT : rows + 1}`,
    // One counts in seconds, the other in milliseconds; the other keeps statistics of tables for a day.
    ...(isMariadb
      ? [`max_statement_time = ${Math.max(0.001, timeoutMs / 1000)}`]
      : [`max_execution_time = ${Math.max(1, Math.ceil(timeoutMs))}`, 'information_schema_stats_expiry = 0']),
  ];
  return `SET ${settings.map((setting) => `SESSION ${setting}`).join(', ')}, NAMES utf8mb4`;
}
