/** What may be told to a model, as types: only the functions beside this file make it. */
import type { Catalog, Column, ColumnProfile, ColumnStatistics, Table } from '../catalog.ts';

/** `all`: as it is known here; `private`: nothing that stands in a cell of the database. */
export type SharingPolicy = 'all' | 'private';

/** Exists for the compiler alone: no value has it. */
declare const SHARED: unique symbol;

export interface Shared {
  readonly [SHARED]: true;
}

export type SharedStatistics = ColumnStatistics & Shared;
export type SharedProfile = ColumnProfile & { readonly statistics?: SharedStatistics } & Shared;
export type SharedColumn = Column<SharedProfile>;
export type SharedTable = Table<SharedProfile>;
export type SharedCatalog = Catalog<SharedProfile>;
/** A text that went through a policy. */
export type SharedText = string & Shared;
