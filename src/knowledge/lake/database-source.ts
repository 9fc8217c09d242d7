import { type CatalogOutline, readOutline } from '../../catalog/index.ts';
import { type Database, type DatabaseSchema, tableLister } from '../../database/index.ts';
import { compareCodePoints } from './code-point-order.ts';
import type { LakeSource, StampedTable } from './lake-source.ts';

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
      yield* stamped(await outlineOf(database, schema), (id) => stamps.get(id));
    },
  };
}

function outlineSource(database: Database): LakeSource {
  let outline: Promise<CatalogOutline> | undefined;
  return {
    async *list(signal) {
      outline = readOutline(database, signal);
      const { ids, stampOf } = await outline;
      const marks = [...ids].sort(compareCodePoints).map((id) => ({ id, stamp: stampOf(id).fingerprint }));
      for (let at = 0; at < marks.length; at += LISTED_AT_ONCE) yield marks.slice(at, at + LISTED_AT_ONCE);
    },
    async *read(ids, signal) {
      outline ??= readOutline(database, signal);
      const { tableOf, stampOf } = await outline;
      for (const id of ids) yield { table: tableOf(id), stamp: stampOf(id).fingerprint };
    },
  };
}

function outlineOf(database: Database, schema: DatabaseSchema): Promise<CatalogOutline> {
  const { dialect, name, url } = database;
  return readOutline({ dialect, name, url, readSchema: async () => schema });
}

/** A table without a stamp was made or dropped while it was read: the next list shows it. */
function* stamped(
  { ids, tableOf }: CatalogOutline,
  stampOf: (id: string) => string | undefined,
): Generator<StampedTable> {
  for (const id of ids) {
    const stamp = stampOf(id);
    if (stamp !== undefined) yield { table: tableOf(id), stamp };
  }
}
