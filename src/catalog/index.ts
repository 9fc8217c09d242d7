export type { Catalog, Column, ColumnProfile, ForeignKey, Table, TypeFamily } from './catalog.ts';
export { inferForeignKeys } from './infer-foreign-keys.ts';
export { type ColumnValues, type ProfiledTable, profileTable } from './profile-table.ts';
export { outlineCatalog, readCatalog } from './read-catalog.ts';
