/** One size of `bench/lake/clusters.ts`, in a process of its own, so that its memory is that of the work alone. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Authored, ProductArea } from '../../src/knowledge/authored/authored.ts';
import type { Clustering } from '../../src/knowledge/clusters/accesses/access-matrix.ts';
import {
  aboveThresholds,
  accessMatrix,
  mapCells,
} from '../../src/knowledge/clusters/accesses/access-matrix.ts';
import { componentCount, DEFAULT_CLUSTER_SETTINGS } from '../../src/knowledge/clusters/cluster-tables.ts';
import type { Folded } from '../../src/knowledge/clusters/fold-changes.ts';
import { renewClustering } from '../../src/knowledge/clusters/renew-clustering.ts';
import { scopeOf } from '../../src/knowledge/clusters/starting-tables.ts';
import { openClusters, type StoredClusters } from '../../src/knowledge/clusters/stored-clusters.ts';
import { TableAccesses } from '../../src/knowledge/usage/table-accesses.ts';
import { runSklearn } from '../clusters/run-sklearn.ts';
import { judge } from '../clusters/trial.ts';
import { percentile } from '../figures.ts';
import { startClock } from '../start-clock.ts';
import { Company } from './company.ts';
import { lakeAccesses } from './lake-accesses.ts';

const WINDOW = { from: '2024-11-02', to: '2025-01-30', tables: [] };
const NEXT = { ...WINDOW, to: '2025-01-31' };
const ASKED_USERS = 1_000;

const [tablesText = '', isJudgedText = '', python = '', componentsText = ''] = process.argv.slice(2);
const tables = Number(tablesText);
/** As many components as are asked for; else those of so many tables. */
const settings = {
  ...DEFAULT_CLUSTER_SETTINGS,
  ...(componentsText === '' ? {} : { components: Number(componentsText) }),
};
const company = new Company({ tables, users: Math.max(100, tables / 20), seed: 1 });
const folder = await mkdtemp(join(tmpdir(), 'candor-lake-'));
try {
  const outcome = await measure();
  process.send?.(outcome);
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function measure() {
  const before = TableAccesses.of(lakeAccesses(company, 0));
  const all = accessMatrix(before);
  const matrix = aboveThresholds(all, DEFAULT_CLUSTER_SETTINGS);
  const components = componentCount(matrix.tables.length, settings);
  let iterations = 0;
  const full = await renewed(join(folder, 'own'), WINDOW, before, (done) => (iterations = done));
  const peakMb = process.resourceUsage().maxRSS / 1024;
  const found = judgeLake(full.clustering, before);
  const scope = await measureScope();
  const after = TableAccesses.of(lakeAccesses(company, 1));
  const folded = await renewed(join(folder, 'own'), NEXT, after);
  const again = isJudgedText === 'true' ? await renewed(join(folder, 'other'), NEXT, after) : undefined;
  return {
    ...{ tables, users: company.users, teams: company.teams },
    cells: matrix.values.length,
    usedTables: matrix.tables.length,
    components,
    iterations,
    seconds: full.seconds,
    cpuSeconds: full.cpuSeconds,
    peakMb,
    ...found,
    ...scope,
    changedTables: folded.folded?.changedTables ?? Number.NaN,
    changedUsers: folded.folded?.changedUsers ?? Number.NaN,
    refreshSeconds: folded.seconds,
    refreshShare: folded.seconds / full.seconds,
    refreshCpuShare: folded.cpuSeconds / full.cpuSeconds,
    purityAfter: judgeLake(folded.clustering, after).purity,
    ...(again === undefined
      ? {}
      : {
          sameCluster: agreement(folded.clustering, again.clustering),
          sameOfFullRuns: agreement(full.clustering, again.clustering),
        }),
    ...(python === '' ? {} : await askPeer(before, components)),
  };
}

async function renewed(
  directory: string,
  window: typeof WINDOW,
  accesses: TableAccesses,
  onIteration?: (done: number) => void,
) {
  let folded: Folded | undefined;
  const clock = startClock();
  const clusters = await renewClustering(
    directory,
    { ...window, accesses },
    {
      ...{ catalogFingerprint: 'lake', settings },
      onFolded: (each) => {
        folded = each;
      },
      onProgress: ({ stage, done }) => {
        if (stage === 'separate') onIteration?.(done);
      },
    },
  );
  const elapsed = clock();
  const clustering = clusters.read();
  clusters.close();
  return { ...elapsed, clustering, folded };
}

function judgeLake({ clusters }: Clustering, accesses: TableAccesses) {
  const teamOfTable = new Map<string, number>();
  for (let table = 0; table < company.tables; table += 1) {
    const team = company.teamOfTable(table);
    if (team !== undefined) teamOfTable.set(company.tableId(table), team);
  }
  const users = Array.from({ length: company.users }, (_, user) => user);
  const teamOfUser = new Map(users.map((user) => [company.userName(user), company.teamOfUser(user)]));
  return judge({ accesses, teamOfTable, teamOfUser }, clusters);
}

/** Users that were never asked about, each with the area of the team: every look-up is a first one. */
async function measureScope() {
  const members = Array.from({ length: company.teams }, (): string[] => []);
  for (let user = 0; user < company.users; user += 1)
    members[company.teamOfUser(user)]?.push(company.userName(user));
  const areas: ProductArea[] = members.map((own, team) => ({
    ...{ id: `team_${team}`, name: `Team ${team}`, includeTables: [], excludeTables: [] },
    members: own,
  }));
  const authored: Pick<Authored, 'areas' | 'statuses'> = { areas, statuses: [] };
  const tableIds = new Set(Array.from({ length: company.tables }, (_, table) => company.tableId(table)));
  const clustering = await openOwn();
  const times: number[] = [];
  const sizes: number[] = [];
  const count = Math.min(ASKED_USERS, company.users);
  for (let at = 0; at < count; at += 1) {
    // Far apart, so that hardly two are of the same team.
    const user = company.userName((at * 7_919) % company.users);
    const from = performance.now();
    const scope = scopeOf(user, [], { authored, tableIds, clustering });
    times.push(performance.now() - from);
    sizes.push(scope.tables?.size ?? company.tables);
  }
  clustering.close();
  return {
    scopeFirstMs: times[0] ?? Number.NaN,
    scopeP50Ms: percentile(times, 0.5),
    scopeP95Ms: percentile(times, 0.95),
    scopeTables: percentile(sizes, 0.5),
  };
}

async function openOwn(): Promise<StoredClusters> {
  const opened = await openClusters(join(folder, 'own'));
  if (opened.kind !== 'stored') throw new Error(`the clusters are ${opened.kind}`);
  return opened.clusters;
}

/** Share of the tables whose best cluster is, for most of them, the same in both. */
function agreement(one: Clustering, other: Clustering): number {
  const [left, right] = [bestOf(one), bestOf(other)];
  const counts = new Map<number, Map<number, number>>();
  let all = 0;
  for (const [table, cluster] of left) {
    const partner = right.get(table);
    if (partner === undefined) continue;
    const partners = counts.get(cluster) ?? new Map<number, number>();
    counts.set(cluster, partners.set(partner, (partners.get(partner) ?? 0) + 1));
    all += 1;
  }
  const same = [...counts.values()].reduce((sum, partners) => sum + Math.max(...partners.values()), 0);
  return same / all;
}

function bestOf({ clusters }: Clustering): Map<string, number> {
  const best = new Map<string, { readonly id: number; readonly score: number }>();
  for (const { id, tables: own } of clusters)
    for (const { tableId, score } of own)
      if (score > (best.get(tableId)?.score ?? Number.NEGATIVE_INFINITY)) best.set(tableId, { id, score });
  return new Map([...best].map(([table, { id }]) => [table, id]));
}

async function askPeer(accesses: TableAccesses, components: number) {
  const kept = aboveThresholds(accessMatrix(accesses), DEFAULT_CLUSTER_SETTINGS);
  const { seconds, peakMb } = await runSklearn(python, mapCells(kept, Math.log1p), components);
  return { peerSeconds: seconds, peerMb: peakMb };
}
