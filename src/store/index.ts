/** Our own state: one SQLite file, and PostgreSQL for shared installations. What users ask about is in `database/`. */
export { holdLock, type LockOptions } from './hold-lock.ts';
export { OpenAtNeed } from './open-at-need.ts';
export { readIfThere } from './read-if-there.ts';
export { SessionLocks } from './session-locks.ts';
export {
  inTransaction,
  openSharedState,
  type RunSql,
  type SharedRow,
  type SharedState,
} from './shared-state.ts';
export { isDamaged, openStateFile, orUnusable, type StateFile, type StateStatement } from './state-file.ts';
export { writeWhole } from './write-whole.ts';
