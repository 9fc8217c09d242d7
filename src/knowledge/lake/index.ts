/** A million tables in a file. */

export type { LakeScope } from './lake-scope.ts';
export { databaseSource } from './lake-source.ts';
export { Lake, openLake } from './open-lake.ts';
export type { LakeCounts } from './refresh-lake.ts';
export { type LakeSources, searchLake } from './search-lake.ts';
