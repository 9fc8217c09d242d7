import type { StateFile } from '../../store/index.ts';
import type { TableAccess } from '../usage/table-access.ts';
import type { Usage } from '../usage/usage.ts';
import { type AccessMatrix, accessMatrix } from './access-matrix.ts';
import { type ClusterOptions, clusterMatrix, DEFAULT_CLUSTER_SETTINGS } from './cluster-tables.ts';
import type { ClusterSettings } from './clusters.ts';
import { makeClustersFile, openClustersFile } from './clusters-file.ts';
import { type Folded, foldChanges } from './fold-changes.ts';
import { type ClusteringManifest, clustersIn, hasClusters, type StoredClusters } from './stored-clusters.ts';
import { writeClusters } from './write-clusters.ts';

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
