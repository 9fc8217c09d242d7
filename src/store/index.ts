/** Our own state: one SQLite file, and PostgreSQL for shared installations. What users ask about is in `database/`. */
export { bundleFiles } from './bundle/bundle-files.ts';
export { BUNDLE_CHANNEL, openBundleState } from './bundle/bundle-schema.ts';
export { derivedBundle, publishDerived, pullDerived } from './bundle/derived-bundle.ts';
export { type PublishedBundle, publishBundle } from './bundle/publish-bundle.ts';
export { type PulledBundle, pullBundle } from './bundle/pull-bundle.ts';
export { holdLock, type LockOptions, tryLock } from './hold-lock.ts';
export { OpenAtNeed } from './open-at-need.ts';
export { closeFolder, isOpenToOthers, makeFolder, modeOfFile } from './private-files.ts';
export { readIfThere } from './read-if-there.ts';
export { SessionLocks } from './session-locks.ts';
export type { EarSettings, SharedEar } from './shared-ear.ts';
export {
  inTransaction,
  openSharedState,
  type RunSql,
  type SharedRow,
  type SharedState,
} from './shared-state.ts';
export { isDamaged, openStateFile, orUnusable, type StateFile, type StateStatement } from './state-file.ts';
export { writeWhole } from './write-whole.ts';
