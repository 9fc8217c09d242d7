/** Users of clusters whose tables, or whose own accesses, are others than before. Source: LinkedIn, section 4.2. */
import type { StateFile } from '../../store/index.ts';
import { type AccessMatrix, byUser } from './access-matrix.ts';
import { RowClusters } from './row-clusters.ts';
import { clusterChooser } from './user-clusters.ts';

export interface UserChanges {
  /** Users whose own accesses changed: places in those of the matrix. */
  readonly changed: readonly number[];
  /** Ids of tables that are in other clusters than before. */
  readonly moved: ReadonlySet<string>;
}

/** Tables whose clusters one statement gives, as two lists: a row for each would take three times as long. */
const READ_AT_ONCE = 50_000;

/**
 * Algorithm 2 again for users that changed and for those who read a table that moved, over all accesses and the stored
 * clusters of tables. Writes what is other than before only: most keep their clusters. Gives how many users it looked at.
 */
export function foldUsers(state: StateFile, matrix: AccessMatrix, changes: UserChanges): number {
  const affected = affectedUsers(matrix, changes);
  if (affected.length === 0) return 0;
  const { starts, rows, values } = byUser(matrix);
  const read = (user: number): Int32Array => rows.subarray(starts[user], starts[user + 1]);
  const readRows = distinct(affected.map(read), matrix.tables.length);
  const choose = clusterChooser(readClusters(state, matrix.tables, readRows));
  const find = state.prepare('SELECT cluster, weight FROM user_clusters WHERE user = ? ORDER BY place');
  const drop = state.prepare('DELETE FROM user_clusters WHERE user = ?');
  const add = state.prepare('INSERT INTO user_clusters VALUES (?, ?, ?, ?)');
  for (const at of affected) {
    const user = matrix.users[at] ?? '';
    const chosen = choose(read(at), values.subarray(starts[at], starts[at + 1]));
    const before = find.all(user);
    const isSame =
      before.length === chosen.length &&
      chosen.every(
        ({ id, weight }, place) => before[place]?.cluster === id && before[place]?.weight === weight,
      );
    if (isSame) continue;
    drop.run(user);
    for (const [place, { id, weight }] of chosen.entries()) add.run(user, place, id, weight);
  }
  return affected.length;
}

function affectedUsers(
  { tables, users, starts, columns }: AccessMatrix,
  { changed, moved }: UserChanges,
): number[] {
  const isAffected = new Uint8Array(users.length);
  for (const user of changed) isAffected[user] = 1;
  for (const [row, tableId] of tables.entries())
    if (moved.has(tableId))
      for (let cell = starts[row]!; cell < starts[row + 1]!; cell += 1) isAffected[columns[cell]!] = 1;
  return [...users.keys()].filter((user) => isAffected[user] === 1);
}

function distinct(parts: readonly Int32Array[], count: number): readonly number[] {
  const isThere = new Uint8Array(count);
  for (const part of parts) for (const row of part) isThere[row] = 1;
  return Array.from({ length: count }, (_, row) => row).filter((row) => isThere[row] === 1);
}

/** By row, the clusters that its table is stored in; a table below the thresholds is in none. */
function readClusters(state: StateFile, tables: readonly string[], rows: readonly number[]): RowClusters {
  const found = new RowClusters(tables.length);
  const find = state.prepare(
    `SELECT json_group_array(j.key) AS places, json_group_array(c.cluster) AS clusters
     FROM json_each(?) j CROSS JOIN cluster_tables c ON c.table_id = j.value`,
  );
  for (let from = 0; from < rows.length; from += READ_AT_ONCE) {
    const some = rows.slice(from, from + READ_AT_ONCE);
    const lists = find.get(JSON.stringify(some.map((row) => tables[row])));
    // Two lists of numbers, made by the statement.
    const places = JSON.parse(String(lists?.places)) as number[];
    const clusters = JSON.parse(String(lists?.clusters)) as number[];
    for (const [at, place] of places.entries()) found.add(some[place]!, clusters[at]!);
  }
  return found;
}
