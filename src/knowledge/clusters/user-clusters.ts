/** Algorithm 2: the clusters of a person. Source: LinkedIn, section 4.2. */
import type { TableAccess } from '../usage/table-accesses.ts';
import type { TableCluster, UserClusters } from './accesses/access-matrix.ts';
import { type AccessMatrix, accessMatrix, byUser } from './accesses/access-matrix.ts';

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
  const clustersOf = clustersByTable(clusters);
  const found = new RowClusters(matrix.tables.length);
  for (const [row, table] of matrix.tables.entries())
    for (const id of clustersOf.get(table) ?? []) found.add(row, id);
  const { starts, rows, values } = byUser(matrix);
  const choose = clusterChooser(found);
  return matrix.users.flatMap((user, at) => {
    const [from, to] = [starts[at], starts[at + 1]];
    const chosen = choose(rows.subarray(from, to), values.subarray(from, to));
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

/**
 * Algorithm 2 of one user after the other, each from the rows of the tables with the runs on them, and the clusters
 * of these rows.
 */
export function clusterChooser(clusters: RowClusters): (rows: Int32Array, runs: Float64Array) => Weighed[] {
  const weights = new Weights();
  return (rows, runs) => {
    let total = 0;
    let times = 0;
    const add = (id: number): void => weights.add(id, times);
    weights.clear();
    for (let at = 0; at < rows.length; at += 1) {
      times = runs[at]!;
      total += times;
      clusters.forEach(rows[at]!, add);
    }
    const best = weights.heaviest(MOST_CLUSTERS);
    let count = Math.min(USUAL_CLUSTERS, best.length);
    for (; count < best.length; count += 1) {
      const chosen = best.slice(0, count).map(({ id }) => id);
      let covered = 0;
      for (let at = 0; at < rows.length; at += 1) if (clusters.isIn(rows[at]!, chosen)) covered += runs[at]!;
      if (covered >= COVERED_SHARE * total) break;
    }
    return best.slice(0, count);
  };
}

/** Runs on the tables of each cluster; kept from user to user, since there are many. */
class Weights {
  #weightOf = new Float64Array(256);
  /** Ids that have a weight. */
  #ids: number[] = [];

  clear(): void {
    for (const id of this.#ids) this.#weightOf[id] = 0;
    this.#ids = [];
  }

  /** `runs` are above 0. */
  add(id: number, runs: number): void {
    if (id >= this.#weightOf.length) {
      const before = this.#weightOf;
      this.#weightOf = new Float64Array(2 * id);
      this.#weightOf.set(before);
    }
    if (this.#weightOf[id] === 0) this.#ids.push(id);
    this.#weightOf[id]! += runs;
  }

  /** The clusters that weigh most, heaviest first; of equal ones the lower id. */
  heaviest(most: number): Weighed[] {
    const best: Weighed[] = [];
    for (const id of this.#ids) {
      const one = { id, weight: this.#weightOf[id]! };
      let place = best.length;
      while (place > 0 && isLighter(best[place - 1]!, one)) place -= 1;
      if (place === most) continue;
      best.splice(place, 0, one);
      if (best.length > most) best.pop();
    }
    return best;
  }
}

type Weighed = UserClusters['clusters'][number];

function isLighter(one: Weighed, other: Weighed): boolean {
  return one.weight < other.weight || (one.weight === other.weight && one.id > other.id);
}

export interface AreaCluster {
  readonly id: number;
  /** Members of the area who have it among their clusters. */
  readonly votes: number;
  /** Runs of all members on its tables. */
  readonly runs: number;
}

const NONE = -1;
const SEVERAL = -2;

/** Ids of the clusters that the table of each row is in: most are in one, and one number each is quickly looked up. */
export class RowClusters {
  readonly #only: Int32Array;
  readonly #several = new Map<number, number[]>();

  constructor(rows: number) {
    this.#only = new Int32Array(rows).fill(NONE);
  }

  add(row: number, id: number): void {
    const only = this.#only[row]!;
    if (only === NONE) this.#only[row] = id;
    else if (only === SEVERAL) this.#several.get(row)?.push(id);
    else {
      this.#several.set(row, [only, id]);
      this.#only[row] = SEVERAL;
    }
  }

  forEach(row: number, visit: (id: number) => void): void {
    const only = this.#only[row]!;
    if (only >= 0) visit(only);
    else if (only === SEVERAL) for (const id of this.#several.get(row) ?? []) visit(id);
  }

  /** Whether the table is in one of these. */
  isIn(row: number, ids: readonly number[]): boolean {
    const only = this.#only[row]!;
    if (only !== SEVERAL) return ids.includes(only);
    return this.#several.get(row)?.some((id) => ids.includes(id)) ?? false;
  }
}
