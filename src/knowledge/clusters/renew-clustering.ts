import type { Usage } from '../usage/usage.ts';
import { type ClusterOptions, clusterTables, DEFAULT_CLUSTER_SETTINGS } from './cluster-tables.ts';
import { readClustering, writeClustering } from './clustering-store.ts';
import type { Clustering, ClusterSettings } from './clusters.ts';

export interface RenewOptions extends Omit<ClusterOptions, 'at'> {
  readonly catalogFingerprint: string;
  readonly settings?: ClusterSettings;
  readonly onNotice?: (message: string) => void;
}

/**
 * The clusters of the usage: those in the folder where they were made of the same window, catalog and settings, else
 * new ones, which are kept there. Throws `knowledge.cancelled`; what was stored then stays.
 */
export async function renewClustering(
  directory: string,
  usage: Pick<Usage, 'from' | 'to' | 'accesses' | 'tables'>,
  options: RenewOptions,
): Promise<Clustering> {
  const { catalogFingerprint, settings = DEFAULT_CLUSTER_SETTINGS } = options;
  const manifest = { from: usage.from, to: usage.to, catalogFingerprint };
  const stored = await readClustering(directory);
  if (stored.kind === 'damaged') options.onNotice?.(`${stored.file} was damaged; the clusters are made anew`);
  const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
  if (
    stored.kind === 'stored' &&
    isSame(stored.manifest, manifest) &&
    isSame(inOrder(stored.clustering.settings), inOrder(settings))
  )
    return stored.clustering;
  const at = usage.tables.reduce((newest, { lastAt }) => (lastAt > newest ? lastAt : newest), usage.from);
  const clustering = await clusterTables(usage.accesses, settings, { ...options, at });
  await writeClustering(directory, clustering, manifest);
  return clustering;
}

function inOrder(settings: ClusterSettings): readonly (readonly [string, unknown])[] {
  return Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1));
}
