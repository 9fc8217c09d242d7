/** Engines in files, and who calls them. */

export type { EmbeddedSettings } from './engine/embedded-settings.ts';
export { calledBy } from './executor-process.ts';
export { loadSqliteDriver, type SqliteDriver } from './sqlite/sqlite-driver.ts';
