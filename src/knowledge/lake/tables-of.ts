import type { Table } from '../../catalog/index.ts';
import type { StateFile } from '../../store/index.ts';
import { readBytes } from './blob.ts';
import { unpackTable } from './pack-table.ts';

const DECODER = new TextDecoder();

export interface KeyedTable {
  readonly key: number;
  readonly table: Table;
}

/** Tables by their keys, in that order; those that are gone are left out. */
export function tablesOf(file: StateFile, keys: Iterable<number>): readonly KeyedTable[] {
  const read = file.statement('SELECT id, declaration FROM tables WHERE key = ?');
  return [...keys].flatMap((key) => {
    const row = read.get(key);
    if (row === undefined) return [];
    const text = DECODER.decode(readBytes(row.declaration));
    return [{ key, table: unpackTable(String(row.id), text) }];
  });
}
