/** Algorithm 2: the clusters of a person. Source: LinkedIn, section 4.2. */
import type { TableAccess } from '../usage/usage.ts';
import { type AccessMatrix, accessMatrix, bucket } from './access-matrix.ts';
import type { TableCluster, UserClusters } from './clusters.ts';

/** Clusters of a user: so many, and more up to a bound until this share of the accesses lies in them. */
const USUAL_CLUSTERS = 3;
const MOST_CLUSTERS = 6;
const COVERED_SHARE = 0.8;
/** Clusters of an area at most. */
export const AREA_CLUSTERS = 5;

/** Algorithm 2: the clusters whose tables each user runs most. Users without a run on any cluster are left out. */
export function userClusters(
  accesses: Iterable<TableAccess>,
  clusters: readonly TableCluster[],
): UserClusters[] {
  return usersOfMatrix(accessMatrix(accesses), clusters);
}

/** The same of all accesses, as they were counted. */
export function usersOfMatrix(matrix: AccessMatrix, clusters: readonly TableCluster[]): UserClusters[] {
  const { tables, users, starts, columns, values } = matrix;
  const clustersOf = clustersByTable(clusters);
  const ids = tables.map((table) => clustersOf.get(table) ?? []);
  const rowOf = new Int32Array(columns.length);
  for (const row of tables.keys()) rowOf.fill(row, starts[row], starts[row + 1]);
  const byUser = bucket(columns.length, users.length, (cell) => columns[cell]!);
  return users.flatMap((user, at) => {
    const cells = byUser.items.subarray(byUser.starts[at], byUser.starts[at + 1]);
    const own = Array.from(cells, (cell) => ({ runs: values[cell]!, ids: ids[rowOf[cell]!]! }));
    const chosen = chooseClusters(own);
    return chosen.length === 0 ? [] : [{ user, clusters: chosen }];
  });
}

/** Ids of the clusters that each table is in. */
export function clustersByTable(clusters: readonly TableCluster[]): ReadonlyMap<string, readonly number[]> {
  const clustersOf = new Map<string, number[]>();
  for (const { id, tables } of clusters)
    for (const { tableId } of tables) {
      const ids = clustersOf.get(tableId);
      if (ids === undefined) clustersOf.set(tableId, [id]);
      else ids.push(id);
    }
  return clustersOf;
}

/** Runs of one user on one table, and the clusters that it is in. */
export interface ClusteredRuns {
  readonly runs: number;
  readonly ids: readonly number[];
}

/** Algorithm 2 of one user, from the runs on every table. */
export function chooseClusters(own: readonly ClusteredRuns[]): { id: number; weight: number }[] {
  const weights = new Map<number, number>();
  let total = 0;
  for (const { runs, ids } of own) {
    total += runs;
    for (const id of ids) weights.set(id, (weights.get(id) ?? 0) + runs);
  }
  const ordered = [...weights]
    .map(([id, weight]) => ({ id, weight }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight || a.id - b.id);
  let count = Math.min(USUAL_CLUSTERS, ordered.length);
  while (count < Math.min(MOST_CLUSTERS, ordered.length)) {
    const chosen = new Set(ordered.slice(0, count).map(({ id }) => id));
    const covered = own.reduce(
      (sum, { runs, ids }) => sum + (ids.some((id) => chosen.has(id)) ? runs : 0),
      0,
    );
    if (covered >= COVERED_SHARE * total) break;
    count += 1;
  }
  return ordered.slice(0, count);
}

export interface AreaCluster {
  readonly id: number;
  /** Members of the area who have it among their clusters. */
  readonly votes: number;
  /** Runs of all members on its tables. */
  readonly runs: number;
}
