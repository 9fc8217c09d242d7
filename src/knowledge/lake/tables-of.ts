import type { ForeignKey, Table } from '../../catalog/index.ts';
import { CandorError } from '../../errors.ts';
import type { StateFile } from '../../store/index.ts';
import { readBytes } from './blob.ts';
import { type TableNames, unpackKeys, unpackTable } from './pack-table.ts';

const DECODER = new TextDecoder();

/** Whole tables by their keys, in that order; those that are gone are left out. */
export function tablesOf(file: StateFile, keys: Iterable<number>): readonly Table[] {
  return [...keys].flatMap((key) => readTable(file, key) ?? []);
}

export function readTable(file: StateFile, key: number): Table | undefined {
  const row = file
    .statement(
      `SELECT t.id AS id, t.name AS name, t.spelt AS spelt, s.names AS names, t.declaration AS declaration
       FROM tables AS t JOIN schemas AS s ON s.key = t.schema WHERE t.key = ?`,
    )
    .get(key);
  if (row === undefined) return undefined;
  const names = namesOf(String(row.id), String(row.spelt ?? row.name), readSchema(row.names));
  return unpackTable(names, DECODER.decode(readBytes(row.declaration)));
}

/** The declared keys that lead from tables. */
export function keysOf(file: StateFile, keys: Iterable<number>): readonly ForeignKey[] {
  const read = file.statement('SELECT id, declaration FROM tables WHERE key = ?');
  return [...keys].flatMap((key) => {
    const row = read.get(key);
    return row === undefined ? [] : unpackKeys(String(row.id), DECODER.decode(readBytes(row.declaration)));
  });
}

/** Where a table stands: what `readSchema` gives. */
export type StoredSchema = Omit<TableNames, 'id' | 'name'>;

export function namesOf(id: string, name: string, schema: StoredSchema): TableNames {
  return { id, name, ...schema };
}

/** From the names that a schema is kept under. Throws `store.unusable`. */
export function readSchema(names: unknown): StoredSchema {
  const read: unknown = JSON.parse(String(names));
  if (!Array.isArray(read) || read.length !== 3)
    throw new CandorError('store.unusable', 'the names of a stored schema cannot be read');
  const [schema, catalog, qualifier] = read;
  return {
    ...(typeof schema === 'string' && { schema }),
    ...(typeof catalog === 'string' && { catalog }),
    ...(Array.isArray(qualifier) && { qualifier: qualifier.map(String) }),
  };
}
