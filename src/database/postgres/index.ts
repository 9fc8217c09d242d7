/** PostgreSQL, for what keeps our own state in it. */

export { type PostgresConfig, readPostgresConfig } from './postgres-config.ts';
export { postgresFailure } from './postgres-failure.ts';
