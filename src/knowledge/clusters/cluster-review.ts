/** What a person looks at to judge the clusters and their settings. Source: LinkedIn, section 4.1 (review page). */
import type { TableAccess } from '../usage/table-accesses.ts';
import type { Clustering } from './accesses/access-matrix.ts';
import { clustersByTable } from './user-clusters.ts';

export interface ReviewedCluster {
  readonly id: number;
  readonly tableCount: number;
  /** Users who have it among theirs. */
  readonly userCount: number;
  /** Runs on its tables by everybody. */
  readonly runs: number;
  /** Best first. */
  readonly topTables: readonly { readonly tableId: string; readonly score: number; readonly runs: number }[];
  /** Most runs on its tables first. */
  readonly topUsers: readonly { readonly user: string; readonly runs: number }[];
  /** Clusters that share tables with it, most first; `share` is of the smaller of the two. */
  readonly overlaps: readonly { readonly id: number; readonly shared: number; readonly share: number }[];
}

const TOP = 10;

/** The clusters, most used first. Runs are of the accesses given, which should be those the clusters were made of. */
export function clusterReview(clustering: Clustering, accesses: Iterable<TableAccess>): ReviewedCluster[] {
  const clustersOf = clustersByTable(clustering.clusters);
  const runsOfTable = new Map<string, number>();
  const runsOfUsers = new Map<number, Map<string, number>>();
  for (const { user, tableId, runs } of accesses) {
    runsOfTable.set(tableId, (runsOfTable.get(tableId) ?? 0) + runs);
    for (const id of clustersOf.get(tableId) ?? []) {
      const users = runsOfUsers.get(id) ?? new Map<string, number>();
      runsOfUsers.set(id, users.set(user, (users.get(user) ?? 0) + runs));
    }
  }
  const userCounts = new Map<number, number>();
  for (const { clusters } of clustering.users)
    for (const { id } of clusters) userCounts.set(id, (userCounts.get(id) ?? 0) + 1);
  const sizes = new Map(clustering.clusters.map(({ id, tables }) => [id, tables.length]));
  const shared = sharedTables(clustersOf);
  return clustering.clusters
    .map(({ id, tables }) => ({
      id,
      tableCount: tables.length,
      userCount: userCounts.get(id) ?? 0,
      runs: tables.reduce((sum, { tableId }) => sum + (runsOfTable.get(tableId) ?? 0), 0),
      topTables: tables
        .slice(0, TOP)
        .map(({ tableId, score }) => ({ tableId, score, runs: runsOfTable.get(tableId) ?? 0 })),
      topUsers: [...(runsOfUsers.get(id) ?? [])]
        .map(([user, runs]) => ({ user, runs }))
        .sort((a, b) => b.runs - a.runs || (a.user < b.user ? -1 : 1))
        .slice(0, TOP),
      overlaps: [...(shared.get(id) ?? [])]
        .map(([other, count]) => ({
          id: other,
          shared: count,
          share: count / Math.min(tables.length, sizes.get(other) ?? 0),
        }))
        .sort((a, b) => b.shared - a.shared || a.id - b.id),
    }))
    .sort((a, b) => b.runs - a.runs || a.id - b.id);
}

/** Tables that two clusters have both, by cluster and other cluster. */
function sharedTables(clustersOf: ReadonlyMap<string, readonly number[]>): Map<number, Map<number, number>> {
  const shared = new Map<number, Map<number, number>>();
  for (const ids of clustersOf.values())
    for (const id of ids)
      for (const other of ids) {
        if (id === other) continue;
        const counts = shared.get(id) ?? new Map<number, number>();
        shared.set(id, counts.set(other, (counts.get(other) ?? 0) + 1));
      }
  return shared;
}
