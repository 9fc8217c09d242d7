/** The tables that one person starts from, told so that twenty thousand of them are known in a millisecond or two. */
import type { StateFile } from '../../store/index.ts';
import { toBytes, toNumbers } from './postings/segment-writer.ts';

/** `parts` together with `tables`, less `without`. */
export interface LakeScope {
  /** Names of sets that were put before: a cluster, a product area. One that is not there is empty. */
  readonly parts: readonly string[];
  /** Canonical ids. */
  readonly tables: readonly string[];
  readonly without: readonly string[];
}

export interface LakePart {
  readonly name: string;
  /** Of what the part was made of: an equal one is not put again. */
  readonly stamp: string;
}

/** Keeps a set of tables under a name; ids that are not in the lake are left out. Returns how many are in. */
export function putPart(file: StateFile, { name, stamp }: LakePart, ids: Iterable<string>): number {
  const known = file.statement('SELECT stamp, keys FROM parts WHERE name = ?').get(name);
  if (known?.stamp === stamp) return toNumbers(known.keys).length;
  const find = file.statement('SELECT key FROM marks WHERE id = ?');
  const keys = new Set<number>();
  for (const id of ids) {
    const row = find.get(id);
    if (row !== undefined) keys.add(Number(row.key));
  }
  const sorted = Uint32Array.from(keys).sort();
  file
    .statement(
      `INSERT INTO parts (name, stamp, keys) VALUES (?, ?, ?)
       ON CONFLICT (name) DO UPDATE SET stamp = excluded.stamp, keys = excluded.keys`,
    )
    .run(name, stamp, toBytes(sorted));
  return sorted.length;
}

/** Keys of the tables of a scope, some of which may be gone. */
export function readScope(file: StateFile, { parts, tables, without }: LakeScope): ReadonlySet<number> {
  const keys = new Set<number>();
  const readPart = file.statement('SELECT keys FROM parts WHERE name = ?');
  for (const name of new Set(parts)) {
    const row = readPart.get(name);
    if (row !== undefined) for (const key of toNumbers(row.keys)) keys.add(key);
  }
  const find = file.statement('SELECT key FROM marks WHERE id = ?');
  for (const id of tables) {
    const row = find.get(id);
    if (row !== undefined) keys.add(Number(row.key));
  }
  for (const id of without) {
    const row = find.get(id);
    if (row !== undefined) keys.delete(Number(row.key));
  }
  return keys;
}
