/** What may be told to a model, as types: only the functions beside this file make it. */
import type { Catalog, Column, ColumnProfile, ColumnStatistics, Table } from '../schema/catalog.ts';

/** `all`: as it is known here; `private`: nothing that stands in a cell of the database. */
export type SharingPolicy = 'all' | 'private';

/** Exists for the compiler alone: no value has it. */
declare const SHARED: unique symbol;

interface Shared {
  readonly [SHARED]: true;
}

export type SharedStatistics = ColumnStatistics & Shared;
export type SharedProfile = ColumnProfile & { readonly statistics?: SharedStatistics } & Shared;
export type SharedColumn = Column<SharedProfile>;
export type SharedTable = Table<SharedProfile>;
export type SharedCatalog = Catalog<SharedProfile>;
/** A text that went through a policy. */
export type SharedText = string & Shared;

/** Says that something may be told to a model: called where a policy was applied, and not exported from the folder. */
export function branded<Value>(value: Value): Value & Shared {
  return value as Value & Shared;
}

/** Under the policy `all` everything is shared as it is; nothing is copied. */
export function allOfCatalog(catalog: Catalog): SharedCatalog {
  return catalog as SharedCatalog;
}

export function allOfTable(table: Table): SharedTable {
  return table as SharedTable;
}

export function allOfProfile(profile: ColumnProfile): SharedProfile {
  return profile as SharedProfile;
}
