/** What is computed from the database and can be deleted. */

export { type DerivedData, DerivedStore } from './derived-store.ts';
export { profileTables, type TableCounts } from './profile-tables.ts';
