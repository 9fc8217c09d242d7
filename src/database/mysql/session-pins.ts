/** What a session is set to before each statement, so that no server default and no earlier query has a say. */
import type { SessionSetting } from '../session-settings/index.ts';

export interface PinLimits {
  readonly timeoutMs: number;
  /** Rows wanted at most; the server stops by itself one row later. */
  readonly rows?: number;
}

const NO_LIMIT = '18446744073709551615';

/** The encoding comes first: it decides the collation, which is one of the settings. */
export function setSettings(settings: readonly SessionSetting[]): string {
  return ['SET NAMES utf8mb4', ...settings.map(({ name, value }) => `SESSION ${name} = ${value}`)].join(', ');
}

/** The limits of one statement, as settings of the session. */
export function limitSettings(isMariadb: boolean, { timeoutMs, rows }: PinLimits): string {
  // In whole seconds, and shorter than the limit of the query: waiting for a lock is told from a slow query.
  const seconds = Math.max(1, Math.floor((timeoutMs * 0.9) / 1000));
  const settings = [
    `lock_wait_timeout = ${seconds}`,
    `innodb_lock_wait_timeout = ${seconds}`,
    `sql_select_limit = ${rows === undefined ? NO_LIMIT : rows + 1}`,
    // One counts in seconds, the other in milliseconds; the other keeps statistics of tables for a day.
    ...(isMariadb
      ? [`max_statement_time = ${Math.max(0.001, timeoutMs / 1000)}`]
      : [`max_execution_time = ${Math.max(1, Math.ceil(timeoutMs))}`, 'information_schema_stats_expiry = 0']),
  ];
  return settings.map((setting) => `SESSION ${setting}`).join(', ');
}
