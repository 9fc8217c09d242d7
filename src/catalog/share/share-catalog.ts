import type { Catalog, Column, KeyOverlap, Table } from '../schema/catalog.ts';
import { LEAST_GROUP, roundedCount, shareProfile } from './share-profile.ts';
import {
  allOfCatalog,
  allOfTable,
  type SharedCatalog,
  type SharedColumn,
  type SharedTable,
  type SharingPolicy,
} from './shared-catalog.ts';

/**
 * The catalog as models may know it. `all`: as it is. `private`: names, types, keys and descriptions; of values their
 * class, their form and rounded counts, and nothing where fewer than 20 rows stand behind a figure.
 */
export function shareCatalog(catalog: Catalog, policy: SharingPolicy): SharedCatalog {
  if (policy === 'all') return allOfCatalog(catalog);
  const { keyOverlaps } = catalog;
  return {
    ...catalog,
    tables: catalog.tables.map((table) => shareTable(table, policy)),
    ...(keyOverlaps !== undefined && { keyOverlaps: keyOverlaps.flatMap(shareOverlap) }),
  };
}

export function shareTable(table: Table, policy: SharingPolicy): SharedTable {
  if (policy === 'all') return allOfTable(table);
  const columns = table.columns.map((column) => shareColumn(column, policy));
  const { estimatedRows, ...rest } = table;
  return {
    ...rest,
    columns,
    rowCount: roundedCount(table.rowCount),
    ...(estimatedRows !== undefined && { estimatedRows: roundedCount(estimatedRows) }),
  };
}

export function shareColumn(column: Column, policy: SharingPolicy): SharedColumn {
  const { profile, ...rest } = column;
  return profile === undefined ? rest : { ...rest, profile: shareProfile(profile, policy) };
}

function shareOverlap({ share, comparedValues, ...ends }: KeyOverlap): KeyOverlap[] {
  if (comparedValues < LEAST_GROUP) return [];
  return [{ ...ends, share: Math.round(share * 100) / 100, comparedValues: roundedCount(comparedValues) }];
}
