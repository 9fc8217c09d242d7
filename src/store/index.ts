/** Our own state: one SQLite file, and PostgreSQL for shared installations. What users ask about is in `database/`. */

export { derivedBundle, publishDerived, pullDerived } from './bundle/derived-bundle.ts';
export { BUNDLE_CHANNEL, bundleFiles, openBundleState } from './bundle/publish-bundle.ts';

export { holdLock, tryLock } from './hold-lock.ts';
export { SessionLocks } from './session-locks.ts';
export type { PostgresListener } from './state/postgres-listener.ts';
export { closeFolder, isOpenToOthers, makeFolder, modeOfFile } from './state/private-files.ts';
export {
  inTransaction,
  openSharedState,
  type RunSql,
  type SharedRow,
  type SharedState,
} from './state/shared-state.ts';
export { isDamaged, openStateFile, orUnusable, type StateFile } from './state/state-file.ts';
export { readBytesIfThere, readIfThere, writeWhole } from './whole-files.ts';
