/** Algorithms 2 and 3: the clusters of a person and of a product area. Source: LinkedIn, sections 4.2 and 4.3. */
import type { ProductArea } from '../authored/authored.ts';
import type { TableAccess } from '../usage/usage.ts';
import type { TableCluster, UserClusters } from './clusters.ts';

/** Clusters of a user: so many, and more up to a bound until this share of the accesses lies in them. */
const USUAL_CLUSTERS = 3;
const MOST_CLUSTERS = 6;
const COVERED_SHARE = 0.8;
const AREA_CLUSTERS = 5;

/** Algorithm 2: the clusters whose tables each user runs most. Users without a run on any cluster are left out. */
export function userClusters(
  accesses: readonly TableAccess[],
  clusters: readonly TableCluster[],
): UserClusters[] {
  const clustersOf = clustersByTable(clusters);
  const byUser = new Map<string, TableAccess[]>();
  for (const access of accesses) {
    const own = byUser.get(access.user);
    if (own === undefined) byUser.set(access.user, [access]);
    else own.push(access);
  }
  return [...byUser]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([user, own]) => {
      const chosen = chooseClusters(own, clustersOf);
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

function chooseClusters(
  own: readonly TableAccess[],
  clustersOf: ReadonlyMap<string, readonly number[]>,
): { id: number; weight: number }[] {
  const weights = new Map<number, number>();
  let total = 0;
  for (const { tableId, runs } of own) {
    total += runs;
    for (const id of clustersOf.get(tableId) ?? []) weights.set(id, (weights.get(id) ?? 0) + runs);
  }
  const ordered = [...weights]
    .map(([id, weight]) => ({ id, weight }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight || a.id - b.id);
  let count = Math.min(USUAL_CLUSTERS, ordered.length);
  while (count < Math.min(MOST_CLUSTERS, ordered.length)) {
    const chosen = new Set(ordered.slice(0, count).map(({ id }) => id));
    const isIn = ({ tableId }: TableAccess): boolean =>
      clustersOf.get(tableId)?.some((id) => chosen.has(id)) ?? false;
    const covered = own.reduce((sum, access) => sum + (isIn(access) ? access.runs : 0), 0);
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

/** Algorithm 3: the clusters that most members of an area have; of as many votes, the one its members run more. */
export function areaClusters(
  { members }: Pick<ProductArea, 'members'>,
  users: readonly UserClusters[],
): AreaCluster[] {
  const inArea = new Set(members);
  const found = new Map<number, { votes: number; runs: number }>();
  for (const { user, clusters } of users) {
    if (!inArea.has(user)) continue;
    for (const { id, weight } of clusters) {
      const { votes, runs } = found.get(id) ?? { votes: 0, runs: 0 };
      found.set(id, { votes: votes + 1, runs: runs + weight });
    }
  }
  return [...found]
    .map(([id, counts]) => ({ id, ...counts }))
    .sort((a, b) => b.votes - a.votes || b.runs - a.runs || a.id - b.id)
    .slice(0, AREA_CLUSTERS);
}
