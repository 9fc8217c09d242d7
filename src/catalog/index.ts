export { inferForeignKeys } from './keys/infer-foreign-keys.ts';

export { allValues, type ColumnValues } from './profiles/collect-values.ts';
export { epochUnit } from './profiles/epoch-unit.ts';
export { planTables } from './profiles/plan-scan.ts';
export {
  type ProfiledTable,
  profileTable,
} from './profiles/profile-table.ts';
export { type ProfileReport, reportProfiles } from './profiles/report-profiles.ts';
export { type CatalogOutline, outlineCatalog, readOutline, type TableStamp } from './read-catalog.ts';
export { type Evidence, type EvidenceLevel, renderEvidence } from './render-evidence.ts';
export type {
  Catalog,
  Column,
  ColumnProfile,
  ColumnStatistics,
  ForeignKey,
  LeftOut,
  Table,
  TypeFamily,
} from './schema/catalog.ts';
export { tableIds, tableOfColumn } from './schema/table-names.ts';
export { familyOfType } from './schema/type-family.ts';
