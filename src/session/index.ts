export { openProject } from './open-project.ts';
export type { SessionModels } from './project/open-models.ts';
export { lazyScoring, type Scoring } from './project/open-scoring.ts';
export { closeReader, type OpenOptions, openReader, openSession } from './project/open-session.ts';
export { type Reader, Session } from './project/session.ts';
export { type UserRights, userDatabases } from './project/user-databases.ts';
export {
  type DecisionRecord,
  hashResult,
  listRecords,
  parseRecord,
  RECORD,
  type RecordPage,
  readRecord,
  recordId,
  SEARCHED,
  SENT,
  toRecord,
} from './records/record.ts';
export { type RecordStore, recordFiles, type WantedRecords } from './records/record-store.ts';
