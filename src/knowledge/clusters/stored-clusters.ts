/** Clusters as they lie on disk, looked up one by one: what one person needs is read without all the others. */
import type { StateFile } from '../../store/index.ts';
import type { Clustering, ClusterSettings, TableCluster, UserClusters } from './accesses/access-matrix.ts';
import { openClustersFile } from './clusters-file.ts';
import { AREA_CLUSTERS, type AreaCluster } from './user-clusters.ts';

/** What the clusters were made of; where it is no longer so, they are old. */
export interface ClusteringManifest {
  /** Days of the usage window, YYYY-MM-DD. */
  readonly from: string;
  readonly to: string;
  /** Of the catalog. */
  readonly catalogFingerprint: string;
}

/** `close` it. What another process has renewed meanwhile is what it tells from then on. */
export interface StoredClusters {
  about(): ClusteringAbout;
  /** Best first. */
  tablesOf(cluster: number): TableCluster['tables'];
  /** Ids of the clusters that a table is in. */
  clustersOf(tableId: string): readonly number[];
  /** Algorithm 2, as it was stored: most used first. */
  clustersOfUser(user: string): UserClusters['clusters'];
  /** Algorithm 3: those that most of the members have. */
  clustersOfMembers(members: readonly string[]): readonly AreaCluster[];
  clusterIds(): readonly number[];
  /** Users that have clusters. */
  users(): readonly string[];
  /** Everything but the model, for reviews. */
  read(): Clustering;
  close(): void;
}

interface ClusteringAbout extends Omit<Clustering, 'clusters' | 'users' | 'model'> {
  readonly manifest: ClusteringManifest;
  readonly clusterCount: number;
  /** Of the tables of the last full run, the share that came, went or moved since then. */
  readonly drift: number;
}

export type OpenedClusters =
  | { readonly kind: 'absent' }
  | { readonly kind: 'damaged'; readonly file: string }
  | { readonly kind: 'stored'; readonly clusters: StoredClusters };

/** The clusters of a folder, where some were made. Throws `store.unusable`. */
export async function openClusters(directory: string): Promise<OpenedClusters> {
  const opened = await openClustersFile(directory);
  if (opened.kind !== 'open') return opened;
  if (hasClusters(opened.state)) return { kind: 'stored', clusters: clustersIn(opened.state) };
  opened.state.close();
  return { kind: 'absent' };
}

export function hasClusters(state: StateFile): boolean {
  return state.prepare('SELECT 1 FROM clustering').get() !== undefined;
}

export function clustersIn(state: StateFile): StoredClusters {
  return new ClusterRows(state);
}

class ClusterRows implements StoredClusters {
  readonly #state: StateFile;

  constructor(state: StateFile) {
    this.#state = state;
  }

  about(): ClusteringAbout {
    const row = this.#state.statement('SELECT * FROM clustering').get() ?? {};
    return {
      // As it was written by ourselves.
      settings: JSON.parse(String(row.settings)) as ClusterSettings,
      at: String(row.at),
      ...(row.skipped === null ? {} : { skipped: String(row.skipped) }),
      ...(Number(row.is_unsettled) === 1 ? { isUnsettled: true } : {}),
      manifest: {
        from: String(row.window_from),
        to: String(row.window_to),
        catalogFingerprint: String(row.catalog_fingerprint),
      },
      clusterCount: Number(row.cluster_count),
      drift: Number(row.drifted) / Math.max(1, Number(row.table_count)),
    };
  }

  tablesOf(cluster: number): TableCluster['tables'] {
    return this.#state
      .statement('SELECT table_id, score FROM cluster_tables WHERE cluster = ? ORDER BY score DESC, table_id')
      .all(cluster)
      .map((row) => ({ tableId: String(row.table_id), score: Number(row.score) }));
  }

  clustersOf(tableId: string): readonly number[] {
    return this.#state
      .statement('SELECT cluster FROM cluster_tables WHERE table_id = ? ORDER BY cluster')
      .all(tableId)
      .map(({ cluster }) => Number(cluster));
  }

  clustersOfUser(user: string): UserClusters['clusters'] {
    return this.#state
      .statement('SELECT cluster, weight FROM user_clusters WHERE user = ? ORDER BY place')
      .all(user)
      .map(({ cluster, weight }) => ({ id: Number(cluster), weight: Number(weight) }));
  }

  clustersOfMembers(members: readonly string[]): readonly AreaCluster[] {
    return this.#state
      .statement(
        `SELECT c.cluster, COUNT(*) AS votes, SUM(c.weight) AS runs
         FROM (SELECT DISTINCT value AS user FROM json_each(?)) m CROSS JOIN user_clusters c ON c.user = m.user
         GROUP BY c.cluster ORDER BY votes DESC, runs DESC, c.cluster LIMIT ?`,
      )
      .all(JSON.stringify(members), AREA_CLUSTERS)
      .map(({ cluster, votes, runs }) => ({ id: Number(cluster), votes: Number(votes), runs: Number(runs) }));
  }

  clusterIds(): readonly number[] {
    return this.#state
      .statement('SELECT DISTINCT cluster FROM cluster_tables')
      .all()
      .map(({ cluster }) => Number(cluster));
  }

  users(): readonly string[] {
    return this.#state
      .statement('SELECT DISTINCT user FROM user_clusters')
      .all()
      .map(({ user }) => String(user));
  }

  read(): Clustering {
    const { manifest: _made, clusterCount: _count, drift: _drift, ...about } = this.about();
    const clusters = this.clusterIds().map((id) => ({ id, tables: this.tablesOf(id) }));
    const users = this.users().map((user) => ({ user, clusters: this.clustersOfUser(user) }));
    return { ...about, clusters, users };
  }

  close(): void {
    this.#state.close();
  }
}
