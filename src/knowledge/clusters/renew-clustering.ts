import type { StateFile } from '../../store/index.ts';
import type { TableAccess } from '../usage/table-accesses.ts';
import type { Usage } from '../usage/usage.ts';
import type { Clustering, ClusterModel, ClusterSettings, TableCluster } from './accesses/access-matrix.ts';
import {
  type AccessMatrix,
  aboveThresholds,
  accessMatrix,
  marksOfTables,
  marksOfUsers,
} from './accesses/access-matrix.ts';
import { type ClusterOptions, clusterMatrix, DEFAULT_CLUSTER_SETTINGS } from './cluster-tables.ts';
import { makeClustersFile, openClustersFile } from './clusters-file.ts';
import { type Folded, foldChanges } from './fold-changes.ts';
import { type ClusteringManifest, clustersIn, hasClusters, type StoredClusters } from './stored-clusters.ts';

export interface RenewOptions extends Omit<ClusterOptions, 'at'> {
  readonly catalogFingerprint: string;
  readonly settings?: ClusterSettings;
  readonly onNotice?: (message: string) => void;
  /** What changed, where the clusters are those that were there with the changes folded in. */
  readonly onFolded?: (folded: Folded) => void;
}

/**
 * The clusters of the usage: those in the folder where they were made of the same window, catalog and settings; where
 * only the accesses are others and little has drifted, the same with the changes folded in; else new ones. `close` what
 * comes of it. Throws `knowledge.cancelled`; what was stored then stays.
 */
export async function renewClustering(
  directory: string,
  usage: Pick<Usage, 'from' | 'to' | 'tables'> & { readonly accesses: Iterable<TableAccess> },
  options: RenewOptions,
): Promise<StoredClusters> {
  const { catalogFingerprint, settings = DEFAULT_CLUSTER_SETTINGS } = options;
  const manifest = { from: usage.from, to: usage.to, catalogFingerprint };
  const opened = await openClustersFile(directory);
  if (opened.kind === 'damaged') options.onNotice?.(`${opened.file} was damaged; the clusters are made anew`);
  const state = opened.kind === 'open' ? opened.state : await makeClustersFile(directory);
  try {
    const at = usage.tables.reduce((newest, { lastAt }) => (lastAt > newest ? lastAt : newest), usage.from);
    const isReusable =
      hasClusters(state) && isSame(byName(clustersIn(state).about().settings), byName(settings));
    if (isReusable && isSame(clustersIn(state).about().manifest, manifest)) return clustersIn(state);
    const accesses = accessMatrix(usage.accesses);
    const folded = isReusable ? fold(state, accesses, { settings, manifest, at }) : undefined;
    if (folded !== undefined) options.onFolded?.(folded);
    else {
      const clustering = await clusterMatrix(accesses, settings, { ...options, at });
      writeClusters(state, clustering, { manifest, accesses });
    }
    return clustersIn(state);
  } catch (error) {
    state.close();
    throw error;
  }
}

function fold(
  state: StateFile,
  accesses: AccessMatrix,
  {
    settings,
    manifest,
    at,
  }: { readonly settings: ClusterSettings; readonly manifest: ClusteringManifest; readonly at: string },
): Folded | undefined {
  return state.transaction(() => {
    const folded = foldChanges(state, accesses, settings);
    if (folded !== undefined)
      state
        .prepare('UPDATE clustering SET window_from = ?, window_to = ?, catalog_fingerprint = ?, at = ?')
        .run(manifest.from, manifest.to, manifest.catalogFingerprint, at);
    return folded;
  });
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function byName(settings: ClusterSettings): readonly (readonly [string, unknown])[] {
  return Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1));
}

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
