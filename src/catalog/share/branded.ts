import type { Catalog, ColumnProfile, Table } from '../catalog.ts';
import type { Shared, SharedCatalog, SharedProfile, SharedTable } from './shared-catalog.ts';

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
