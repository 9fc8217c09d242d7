/** Our own state: one SQLite file, and PostgreSQL for shared installations. What users ask about is in `database/`. */
export { bundleFiles } from './bundle/bundle-files.ts';
export { BUNDLE_CHANNEL, openBundleState } from './bundle/bundle-schema.ts';
export { derivedBundle, publishDerived, pullDerived } from './bundle/derived-bundle.ts';

export { holdLock, tryLock } from './hold-lock.ts';
export { readBytesIfThere, readIfThere } from './read-if-there.ts';
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
export { writeWhole } from './write-whole.ts';
