export { inferForeignKeys } from './keys/infer-foreign-keys.ts';

export { allValues, type ColumnValues } from './profiles/collect-values.ts';
export { epochUnit } from './profiles/epoch-unit.ts';
export { planTables } from './profiles/plan-scan.ts';
export {
  type ProfiledTable,
  profileTable,
} from './profiles/profile-table.ts';
export { type ProfileReport, reportProfiles } from './profiles/report-profiles.ts';
export { hasWholeList } from './prompt-schema/column-facts.ts';
export { estimateTokens } from './prompt-schema/estimate-tokens.ts';
export type { Annotations } from './prompt-schema/render-annotated.ts';
export {
  renderSchema,
  type SchemaStyle,
} from './prompt-schema/render-schema.ts';
export {
  type CatalogOutline,
  outlineCatalog,
  readCatalog,
  readOutline,
  type TableStamp,
} from './read-catalog.ts';
export { type Evidence, type EvidenceLevel, renderEvidence } from './render-evidence.ts';
export type {
  Catalog,
  Column,
  ColumnProfile,
  ColumnStatistics,
  ForeignKey,
  LeftOut,
  Pii,
  Table,
  TypeFamily,
} from './schema/catalog.ts';
export { tableIds, tableName, tableOfColumn } from './schema/table-names.ts';
export { familyOfType } from './schema/type-family.ts';
export { knownWords, redactEngineError, redactQuoted } from './share/redact-message.ts';
export { redactSql, withoutLiterals } from './share/redact-sql.ts';
export { shareCatalog, shareTable } from './share/share-catalog.ts';
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
