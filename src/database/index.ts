export { connect } from './connect/connect.ts';
export { tableLister } from './connect/table-lister.ts';
export { calledBy } from './embedded/calling.ts';
export type { EmbeddedSettings } from './embedded/engine/embedded-settings.ts';
export { loadSqliteDriver, type SqliteDriver } from './embedded/sqlite/sqlite-driver.ts';
export { type AccessPolicy, restrictsTables, visibleTables } from './guard/access-policy.ts';
export type { PlanCaps } from './guard/check-plan.ts';
export { guard, guarded } from './guard/guard.ts';
export { readRedefined } from './guard/own-code.ts';
export { startThread } from './guard/start-thread.ts';
export type { VisibleCatalog } from './guard/visible-catalog.ts';
export { addEnvironmentSecret, fillUrl, redactUrl } from './http/connection-url.ts';
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
} from './interface/database.ts';
export { decorate } from './interface/decorate.ts';
export { tableKey } from './interface/table-key.ts';
export type { TableScope } from './interface/table-scope.ts';
export { databaseAttributes, tracedDatabase } from './interface/traced-database.ts';
export { type PostgresConfig, readPostgresConfig } from './postgres/postgres-config.ts';
export { postgresFailure } from './postgres/postgres-failure.ts';
export { loadDriver } from './server/load-driver.ts';
export { SESSION_SETTINGS } from './session-settings/index.ts';
