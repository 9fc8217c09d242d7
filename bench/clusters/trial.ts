/** The trial of the clustering: how well teams are found again that are known. Source: LinkedIn, section 4.1. */

import type { TableCluster } from '../../src/knowledge/clusters/accesses/access-matrix.ts';
import {
  type AccessMatrix,
  aboveThresholds,
  accessMatrix,
  mapCells,
} from '../../src/knowledge/clusters/accesses/access-matrix.ts';
import { separate } from '../../src/knowledge/clusters/factors/separate.ts';
import { softClusters } from '../../src/knowledge/clusters/factors/soft-clusters.ts';
import { userClusters } from '../../src/knowledge/clusters/user-clusters.ts';
import type { TableAccess } from '../../src/knowledge/usage/table-accesses.ts';
import type { TeamUsage } from './team-usage.ts';

export interface TrialOutcome {
  /** Share of the tables of teams whose best component has mostly tables of the same team. */
  readonly purity: number;
  /** Share of a user's own team's tables, as far as used, that are in the two first clusters; mean over users. */
  readonly recall: number;
  readonly iterations: number;
}

/** The cases of the trial with the outcome that was published for them. */
export const TRIAL_CASES = [
  { name: 'log1p, C = 6', isLog: true, components: 6, purity: 0.983, recall: 0.993 },
  { name: 'raw counts, C = 6', isLog: false, components: 6, purity: 0.793, recall: 0.954 },
  { name: 'log1p, C = 4', isLog: true, components: 4, purity: 0.6, recall: 0.97 },
  { name: 'log1p, C = 12', isLog: true, components: 12, purity: 0.91, recall: 0.71 },
] as const;

const THRESHOLDS = { minTotal: 20, minUsers: 3, minTablesPerUser: 2 };
export const CLUSTER_SIZE = 20;
const CLUSTERS_OF_USER = 2;

export function trialMatrix({ accesses }: TeamUsage, isLog: boolean): AccessMatrix {
  const counts = aboveThresholds(accessMatrix(accesses), THRESHOLDS);
  return isLog ? mapCells(counts, Math.log1p) : counts;
}

export async function runTrial(
  usage: TeamUsage,
  { isLog, components }: { readonly isLog: boolean; readonly components: number },
): Promise<TrialOutcome> {
  const matrix = trialMatrix(usage, isLog);
  const { assignment, iterations } = await separate(matrix, { components, size: CLUSTER_SIZE, seed: 1 });
  return { ...judge(usage, softClusters(matrix.tables, assignment)), iterations };
}

type Judged = Omit<TeamUsage, 'accesses'> & { readonly accesses: Iterable<TableAccess> };

/** Purity and recall of clusters, whoever made them. */
export function judge(usage: Judged, clusters: readonly TableCluster[]): Omit<TrialOutcome, 'iterations'> {
  const best = new Map<string, { readonly id: number; readonly score: number }>();
  for (const { id, tables } of clusters)
    for (const { tableId, score } of tables)
      if (score > (best.get(tableId)?.score ?? Number.NEGATIVE_INFINITY)) best.set(tableId, { id, score });
  const counts = new Map<number, Map<number, number>>();
  for (const [tableId, { id }] of best) {
    const team = usage.teamOfTable.get(tableId);
    if (team === undefined) continue;
    const teams = counts.get(id) ?? new Map<number, number>();
    counts.set(id, teams.set(team, (teams.get(team) ?? 0) + 1));
  }
  const teams = [...counts.values()].map((own) => [...own.values()]);
  const purity = sum(teams.map((own) => Math.max(...own))) / sum(teams.flat());
  return { purity, recall: recallOf(usage, new Set(best.keys()), clusters) };
}

function recallOf(
  { accesses, teamOfTable, teamOfUser }: Judged,
  kept: ReadonlySet<string>,
  clusters: readonly TableCluster[],
): number {
  const ownTables = new Map<string, Set<string>>();
  for (const { user, tableId } of accesses) {
    if (!kept.has(tableId) || teamOfTable.get(tableId) !== teamOfUser.get(user)) continue;
    ownTables.set(user, (ownTables.get(user) ?? new Set()).add(tableId));
  }
  const shares = userClusters(accesses, clusters).flatMap(({ user, clusters: chosen }) => {
    const own = ownTables.get(user);
    if (own === undefined) return [];
    const seen = new Set(
      chosen
        .slice(0, CLUSTERS_OF_USER)
        .flatMap(({ id }) => clusters[id]?.tables.map(({ tableId }) => tableId) ?? []),
    );
    return [[...own].filter((table) => seen.has(table)).length / own.size];
  });
  return sum(shares) / shares.length;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, value) => total + value, 0);
}
