export { openProject } from './open-project.ts';
export type { SessionModels } from './project/open-models.ts';
export { lazyScoring, openRiskModels, type Scoring } from './project/open-scoring.ts';
export { closeReader, type OpenOptions, openReader, openSession } from './project/open-session.ts';
export { type Reader, Session } from './project/session.ts';
export { type UserRights, userDatabases } from './project/user-databases.ts';
export {
  type DecisionRecord,
  hashResult,
  listRecords,
  parseRecord,
  type QuestionBack,
  questionBackOf,
  RECORD,
  type RecordPage,
  type RecordStore,
  readRecord,
  recordFiles,
  recordId,
  SEARCHED,
  SENT,
  toRecord,
  type WantedRecords,
} from './records/record.ts';
