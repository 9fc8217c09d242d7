export { type ConnectOptions, connect } from './connect.ts';
export { addEnvironmentSecret, fillUrl, isServerUrl, redactUrl } from './connection-url.ts';
export type {
  Database,
  DatabaseSchema,
  EngineIdentity,
  Plan,
  QueryLimits,
  QueryResult,
  SchemaColumn,
  SchemaForeignKey,
  SchemaTable,
  ServerDescription,
} from './database.ts';
export { type DatabaseChanges, decorate, type Withheld } from './decorate.ts';
export { calledBy } from './embedded/calling.ts';
export type { EmbeddedSettings } from './embedded/embedded-settings.ts';
export { loadSqliteDriver, type SqliteDriver } from './embedded/sqlite-driver.ts';
export { type AccessPolicy, restrictsTables, visibleTables } from './guard/access-policy.ts';
export type { PlanCaps } from './guard/check-plan.ts';
export type { CallerQueries, GuardOptions, OwnQueries } from './guard/guard-options.ts';
export { readRedefined } from './guard/own-code.ts';
export type { VisibleCatalog, VisibleTable } from './guard/visible-catalog.ts';
export { guard, guarded } from './guard.ts';
export { type PostgresConfig, readPostgresConfig } from './postgres/postgres-config.ts';
export { postgresFailure } from './postgres/postgres-failure.ts';
export type { TableScope } from './scope/table-scope.ts';
export { loadDriver } from './server/load-driver.ts';
export { SESSION_SETTINGS, type SessionSetting } from './session-settings/index.ts';
export { startThread } from './start-thread.ts';
export { tableKey } from './table-key.ts';
export { tableLister } from './table-lister.ts';
