/** What of a catalog may leave, and the types that are the wall of private mode. */

export { knownWords, redactEngineError, redactQuoted } from './redact-message.ts';
export { redactSql, withoutLiterals } from './redact-sql.ts';
export {
  authoredText,
  redactedText,
  reshaped,
  shareCatalog,
  sharedAnnotatedText,
  sharedSchemaText,
  valueTexts,
} from './share-catalog.ts';
export { shareStatistics } from './share-profile.ts';
export type {
  SharedColumn,
  SharedProfile,
  SharedStatistics,
  SharedTable,
  SharedText,
  SharingPolicy,
} from './shared-catalog.ts';
