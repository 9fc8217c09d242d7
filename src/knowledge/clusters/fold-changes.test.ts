import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeTeamUsage, TRIAL_COMPANY } from '../../../bench/clusters/team-usage.ts';
import type { TableAccess } from '../usage/table-accesses.ts';
import { DEFAULT_CLUSTER_SETTINGS } from './cluster-tables.ts';
import { type Folded, MOST_DRIFT } from './fold-changes.ts';
import { renewClustering } from './renew-clustering.ts';
import type { StoredClusters } from './stored-clusters.ts';
import { userClusters } from './user-clusters.ts';

const company = makeTeamUsage({ ...TRIAL_COMPANY, seed: 1 });
const settings = { ...DEFAULT_CLUSTER_SETTINGS, components: 6 };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'candor-fold-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function renew(
  to: string,
  accesses: readonly TableAccess[],
): Promise<{ readonly clusters: StoredClusters; readonly folded: Folded | undefined }> {
  let folded: Folded | undefined;
  const clusters = await renewClustering(
    folder,
    { from: '2024-11-02', to, accesses, tables: [] },
    { catalogFingerprint: 'abc', settings, onFolded: (found) => (folded = found) },
  );
  return { clusters, folded };
}

/** The same with a table called otherwise: as if it had gone and a new one had come. */
const renamed = (accesses: readonly TableAccess[], names: Readonly<Record<string, string>>): TableAccess[] =>
  accesses.map((access) => ({ ...access, tableId: names[access.tableId] ?? access.tableId }));

const bestOf = (clusters: StoredClusters, tableId: string): number | undefined => {
  const scores = clusters.clustersOf(tableId).map((id) => ({
    id,
    score: clusters.tablesOf(id).find((table) => table.tableId === tableId)?.score ?? 0,
  }));
  return scores.sort((a, b) => b.score - a.score)[0]?.id;
};

describe('foldChanges', () => {
  it('changes nothing where nothing changed but the days', async () => {
    const first = await renew('2025-01-30', company.accesses);
    expect(first.folded).toBeUndefined();
    const before = first.clusters.read();
    first.clusters.close();
    const { clusters, folded } = await renew('2025-01-31', company.accesses.toReversed());
    expect(folded).toEqual({ changedTables: 0, driftedTables: 0, changedUsers: 0, drift: 0 });
    expect(clusters.read()).toEqual(before);
    expect(clusters.about().manifest.to).toBe('2025-01-31');
    clusters.close();
  });

  it('gives a table with the same readers the place it had, and its readers their clusters', async () => {
    const first = await renew('2025-01-30', company.accesses);
    const before = first.clusters.read();
    const place = bestOf(first.clusters, 'table_0');
    first.clusters.close();
    const { clusters, folded } = await renew('2025-01-31', renamed(company.accesses, { table_0: 'fresh' }));
    expect(folded).toMatchObject({ changedTables: 2, driftedTables: 2 });
    expect(clusters.clustersOf('table_0')).toEqual([]);
    expect(bestOf(clusters, 'fresh')).toBe(place);
    expect(clusters.read().users).toEqual(before.users);
    clusters.close();
  });

  it('gives users the clusters that algorithm 2 gives them over what is stored', async () => {
    (await renew('2025-01-30', company.accesses)).clusters.close();
    const drifted = [
      ...renamed(company.accesses, { table_3: 'table_4', table_7: 'other' }),
      // Somebody new, and somebody who reads another team's table all day.
      ...['table_1', 'table_2', 'table_5'].map((tableId) => ({ user: 'newcomer', tableId, runs: 40 })),
      { user: 'user_0', tableId: 'table_9', runs: 4_000 },
    ];
    const { clusters, folded } = await renew('2025-01-31', drifted);
    expect(folded?.driftedTables).toBeGreaterThan(0);
    const stored = clusters.read();
    expect(stored.users).toEqual(userClusters(drifted, stored.clusters));
    expect(clusters.clustersOfUser('newcomer').length).toBeGreaterThan(0);
    for (const { tables } of stored.clusters) expect(tables.length).toBeGreaterThanOrEqual(settings.size);
    clusters.close();
  });

  it('gives nearly what a full run gives', async () => {
    (await renew('2025-01-30', company.accesses)).clusters.close();
    const drifted = company.accesses.map((access) =>
      access.tableId.endsWith('5') ? { ...access, runs: access.runs * 2 + 1 } : access,
    );
    const { clusters, folded } = await renew('2025-01-31', drifted);
    expect(folded?.changedTables).toBeGreaterThan(20);
    const partners = (of: StoredClusters): Map<string, number | undefined> =>
      new Map([...company.teamOfTable.keys()].map((id) => [id, bestOf(of, id)]));
    const found = partners(clusters);
    clusters.close();
    await rm(folder, { recursive: true });
    const full = (await renew('2025-01-31', drifted)).clusters;
    const wanted = partners(full);
    full.close();
    // Components have no order of their own: those of a full run are named by what most of their tables are in here.
    const names = new Map<string, number>();
    for (const [id, cluster] of found) {
      const key = `${wanted.get(id)} ${cluster}`;
      names.set(key, (names.get(key) ?? 0) + 1);
    }
    const largest = new Map<string, number>();
    for (const [key, count] of names) {
      const [own = ''] = key.split(' ');
      largest.set(own, Math.max(largest.get(own) ?? 0, count));
    }
    const same = [...largest.values()].reduce((sum, count) => sum + count, 0);
    expect(same / found.size).toBeGreaterThan(0.97);
  });

  it('clusters anew once more has drifted than the bound since all were clustered', async () => {
    (await renew('2025-01-30', company.accesses)).clusters.close();
    const names = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`table_${at}`, `later_${at}`]));
    const some = await renew('2025-01-31', renamed(company.accesses, names(7)));
    expect(some.folded?.drift).toBeGreaterThan(0.03);
    expect(some.folded?.drift).toBeLessThan(MOST_DRIFT);
    expect(some.clusters.about().drift).toBe(some.folded?.drift);
    some.clusters.close();
    const more = await renew('2025-02-01', renamed(company.accesses, names(20)));
    expect(more.folded).toBeUndefined();
    expect(more.clusters.about().drift).toBe(0);
    more.clusters.close();
  });
});
