import type { StateFile } from '../../store/index.ts';
import { marksOfTables, marksOfUsers } from './access-marks.ts';
import { type AccessMatrix, aboveThresholds } from './access-matrix.ts';
import type { Clustering, ClusterModel, TableCluster } from './clusters.ts';
import type { ClusteringManifest } from './stored-clusters.ts';

/** Puts clusters in the place of those that are there, as one transaction: nobody reads half of them. */
export function writeClusters(
  state: StateFile,
  clustering: Clustering,
  { manifest, accesses }: { readonly manifest: ClusteringManifest; readonly accesses: AccessMatrix },
): void {
  state.transaction(() => {
    for (const table of ['clustering', 'cluster_tables', 'user_clusters', 'user_weights', 'marks'])
      state.exec(`DELETE FROM ${table}`);
    const { clusters, users, model, settings, at, skipped, isUnsettled } = clustering;
    const tables = writeTables(state, clusters);
    const addUser = state.prepare('INSERT INTO user_clusters VALUES (?, ?, ?, ?)');
    for (const { user, clusters: own } of users)
      for (const [place, { id, weight }] of own.entries()) addUser.run(user, place, id, weight);
    if (model !== undefined) {
      writeModel(state, model);
      const addMark = state.prepare('INSERT INTO marks VALUES (?, ?, ?)');
      const kept = aboveThresholds(accesses, settings);
      for (const [row, mark] of marksOfTables(kept).entries())
        addMark.run('table', kept.tables[row] ?? '', mark);
      for (const [at, mark] of marksOfUsers(accesses).entries())
        addMark.run('user', accesses.users[at] ?? '', mark);
    }
    state
      .prepare('INSERT INTO clustering VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?)')
      .run(
        JSON.stringify(settings),
        at,
        skipped ?? null,
        isUnsettled ? 1 : 0,
        manifest.from,
        manifest.to,
        manifest.catalogFingerprint,
        clusters.length,
        tables,
        model === undefined ? null : bytesOf(model.centre),
      );
  });
}

/** Gives the number of different tables. */
function writeTables(state: StateFile, clusters: readonly TableCluster[]): number {
  const best = new Map<string, { readonly id: number; readonly score: number }>();
  for (const { id, tables } of clusters)
    for (const { tableId, score } of tables)
      if (score > (best.get(tableId)?.score ?? Number.NEGATIVE_INFINITY)) best.set(tableId, { id, score });
  const add = state.prepare('INSERT INTO cluster_tables VALUES (?, ?, ?, ?)');
  for (const { id, tables } of clusters)
    for (const { tableId, score } of tables)
      add.run(id, score, tableId, best.get(tableId)?.id === id ? 1 : 0);
  return best.size;
}

function writeModel(state: StateFile, { users, weights, components }: ClusterModel): void {
  const add = state.prepare('INSERT INTO user_weights VALUES (?, ?)');
  for (const [at, user] of users.entries())
    add.run(user, bytesOf(weights.subarray(at * components, (at + 1) * components)));
}

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
