/** What each engine's sessions are set to, so that no default of a server, an account or a machine changes rows. */
import type { DialectName } from '../../sql/dialects/dialect.ts';
import { DUCKDB_SETTINGS, SQLITE_SETTINGS } from './embedded-settings.ts';
import { MYSQL_ISOLATION, MYSQL_SETTINGS } from './mysql-settings.ts';
import { POSTGRES_SETTINGS } from './postgres-settings.ts';
import type { SessionSetting } from './session-setting.ts';
import { BIGQUERY_SETTINGS, SNOWFLAKE_SETTINGS, TRINO_SETTINGS } from './warehouse-settings.ts';

export const SESSION_SETTINGS: Readonly<Record<DialectName, readonly SessionSetting[]>> = {
  sqlite: SQLITE_SETTINGS,
  duckdb: DUCKDB_SETTINGS,
  postgres: POSTGRES_SETTINGS,
  mysql: [...MYSQL_SETTINGS, MYSQL_ISOLATION],
  trino: TRINO_SETTINGS,
  snowflake: SNOWFLAKE_SETTINGS,
  bigquery: BIGQUERY_SETTINGS,
};

export { MYSQL_ISOLATION, type MysqlProduct, mysqlSettings } from './mysql-settings.ts';
export { type PinnedSettings, pinSettings, watchedNotices } from './pin-settings.ts';
export type { SessionSetting } from './session-setting.ts';
