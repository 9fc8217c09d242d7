export { allValues } from './all-values.ts';
export type {
  Catalog,
  Column,
  ColumnProfile,
  ColumnStatistics,
  ForeignKey,
  KeyOverlap,
  LeftOut,
  Pii,
  PiiKind,
  SampleMethod,
  SemanticClass,
  Table,
  TypeFamily,
} from './catalog.ts';
export {
  chooseValueUse,
  type ValueChoice,
  type ValueFacts,
  type ValueLists,
  type ValueUse,
} from './choose-value-use.ts';
export type { ColumnValues } from './collect-values.ts';
export { type EpochUnit, epochUnit } from './epoch-unit.ts';
export { DEFAULT_PII, type PiiSettings } from './find-pii.ts';
export { type InferredKeys, inferForeignKeys, type KeySource } from './infer-foreign-keys.ts';
export { hasWholeList } from './mschema/column-facts.ts';
export { estimateTokens } from './mschema/estimate-tokens.ts';
export type { Annotations } from './mschema/render-annotated.ts';
export {
  renderSchema,
  type SchemaPart,
  type SchemaStyle,
  type SchemaTextOptions,
} from './mschema/render-schema.ts';
export { nameWords } from './name-words.ts';
export type { ScanBudget } from './plan-scan.ts';
export { planTables } from './plan-tables.ts';
export {
  countRows,
  type ProfiledTable,
  type ProfileOptions,
  profileTable,
} from './profile-table.ts';
export { tableName } from './quote-name.ts';
export {
  type CatalogOutline,
  outlineCatalog,
  readCatalog,
  readOutline,
  type TableStamp,
} from './read-catalog.ts';
export { type Evidence, type EvidenceLevel, renderEvidence } from './render-evidence.ts';
export { type ProfileReport, reportProfiles } from './report-profiles.ts';
export { knownWords, redactEngineError, redactQuoted } from './share/redact-message.ts';
export { redactSql, withoutLiterals } from './share/redact-sql.ts';
export { shareCatalog, shareColumn, shareTable } from './share/share-catalog.ts';
export { shareStatistics } from './share/share-profile.ts';
export {
  authoredText,
  redactedText,
  reshaped,
  sharedAnnotatedText,
  sharedSchemaText,
  valueTexts,
} from './share/share-text.ts';
export type {
  SharedCatalog,
  SharedColumn,
  SharedProfile,
  SharedStatistics,
  SharedTable,
  SharedText,
  SharingPolicy,
} from './share/shared-catalog.ts';
export { tableIds } from './table-ids.ts';
export { tableOfColumn } from './table-of-column.ts';
export { familyOfType } from './type-family.ts';
