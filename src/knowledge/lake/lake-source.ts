/** Where the tables of a lake come from: an engine's catalog, or something that plays one. */

import { type CatalogOutline, type ForeignKey, readOutline, type Table } from '../../catalog/index.ts';
import {
  type Database,
  type DatabaseSchema,
  type SchemaForeignKey,
  tableLister,
} from '../../database/index.ts';
import { once } from '../../lib/index.ts';
import { compareCodePoints } from './code-point-order.ts';

/** A table as a list of them shows it. */
export interface TableMark {
  /** Canonical. */
  readonly id: string;
  /** Changes with what is declared of the table, cheap to tell; never empty. */
  readonly stamp: string;
}

export interface LakeSource {
  /**
   * Every table once, some at a time, in the order of the ids' code points: two lists are compared without keeping
   * either.
   */
  list(signal?: AbortSignal): AsyncIterable<readonly TableMark[]>;
  /** The tables of these ids, in any order; what was dropped since it was listed is not among them. */
  read(ids: readonly string[], signal?: AbortSignal): AsyncIterable<StampedTable>;
}

export interface StampedTable {
  readonly table: Table;
  /** Read with the table: it may have changed since it was listed. */
  readonly stamp: string;
  /** Declared ones that lead from it. */
  readonly foreignKeys?: readonly ForeignKey[];
}

const LISTED_AT_ONCE = 2_000;

/**
 * The tables of a database as those of a lake: schema by schema where the engine can tell what has changed (PostgreSQL,
 * Trino); of other engines the whole schema is read at once, which is right for tens of thousands of tables.
 */
export function databaseSource(database: Database): LakeSource {
  const lister = tableLister(database);
  if (lister === undefined) return outlineSource(database);
  return {
    list: (signal) => lister.list(signal),
    async *read(ids, signal) {
      const { schema, stamps } = await lister.read(ids, signal);
      if (schema.tables.length === 0) return;
      const outline = await outlineOf(database, schema);
      const keysOf = byTable(schema.foreignKeys.map(toForeignKey));
      for (const id of outline.ids) {
        const stamp = stamps.get(id);
        // Without one it was made while the others were read: the next list shows it.
        if (stamp !== undefined)
          yield { table: outline.tableOf(id), stamp, foreignKeys: keysOf.get(id) ?? [] };
      }
    },
  };
}

function outlineSource(database: Database): LakeSource {
  const outline = once((signal?: AbortSignal) => readOutline(database, signal));
  return {
    async *list(signal) {
      // Every list is of today.
      outline.forget();
      const { ids, stampOf } = await outline(signal);
      const marks = [...ids].sort(compareCodePoints).map((id) => ({ id, stamp: stampOf(id).fingerprint }));
      for (let at = 0; at < marks.length; at += LISTED_AT_ONCE) yield marks.slice(at, at + LISTED_AT_ONCE);
    },
    async *read(ids, signal) {
      const { catalog, tableOf, stampOf } = await outline(signal);
      const keysOf = byTable(catalog.foreignKeys);
      for (const id of ids)
        yield {
          ...{ table: tableOf(id), stamp: stampOf(id).fingerprint },
          foreignKeys: keysOf.get(id) ?? [],
        };
    },
  };
}

function outlineOf(database: Database, schema: DatabaseSchema): Promise<CatalogOutline> {
  const { dialect, name, url } = database;
  return readOutline({ dialect, name, url, readSchema: async () => schema });
}

function byTable(keys: readonly ForeignKey[]): ReadonlyMap<string, readonly ForeignKey[]> {
  const grouped = new Map<string, ForeignKey[]>();
  for (const key of keys) grouped.set(key.fromTable, [...(grouped.get(key.fromTable) ?? []), key]);
  return grouped;
}

function toForeignKey({ fromTable, fromColumns, toTable, toColumns }: SchemaForeignKey): ForeignKey {
  const idsOf = (table: string, names: readonly string[]): string[] =>
    names.map((name) => `${table}.${name}`.toLowerCase());
  return {
    ...{ fromTable: fromTable.toLowerCase(), fromColumns: idsOf(fromTable, fromColumns) },
    ...{ toTable: toTable.toLowerCase(), toColumns: idsOf(toTable, toColumns), source: 'declared' },
  };
}
