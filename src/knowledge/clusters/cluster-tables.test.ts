import { describe, expect, it } from 'vitest';
import { makeTeamUsage, TRIAL_COMPANY } from '../../../bench/clusters/team-usage.ts';
import { runTrial, TRIAL_CASES } from '../../../bench/clusters/trial.ts';
import { codeOf } from '../../../test/fixtures/code-of.ts';
import type { TableAccess } from '../usage/table-accesses.ts';
import { clusterReview } from './cluster-review.ts';
import {
  type ClusterEvent,
  clusterTables,
  componentCount,
  DEFAULT_CLUSTER_SETTINGS,
} from './cluster-tables.ts';

const OPTIONS = { at: '2025-01-31' };
const trial = makeTeamUsage({ ...TRIAL_COMPANY, seed: 1 });

function cells(tables: number, users: number): TableAccess[] {
  return Array.from({ length: tables * users }, (_, at) => ({
    tableId: `t${at % tables}`,
    user: `u${Math.floor(at / tables)}`,
    runs: 10,
  }));
}

describe('clusterTables', () => {
  it('gives tables of one team one cluster, and users the clusters of their team', async () => {
    const settings = { ...DEFAULT_CLUSTER_SETTINGS, components: 6 };
    const { clusters, users, model, ...rest } = await clusterTables(trial.accesses, settings, OPTIONS);
    expect(rest).toEqual({ settings, at: '2025-01-31' });
    expect(model).toMatchObject({ components: 6, users: { length: 120 } });
    expect(clusters).toHaveLength(6);
    expect(users).toHaveLength(120);
    const teams = new Set(trial.teamOfTable.values());
    for (const team of teams) {
      const members = users.filter(({ user }) => trial.teamOfUser.get(user) === team);
      // One of the first two may be that of the tables everybody reads.
      const firsts = members.map(({ clusters: own }) => own.slice(0, 2).map(({ id }) => id));
      const having = clusters.map(({ id }) => firsts.filter((ids) => ids.includes(id)).length);
      expect(Math.max(...having) / members.length).toBeGreaterThan(0.9);
    }
  });

  it('gives the same for the same accesses in another order', async () => {
    const [one, other] = await Promise.all(
      [trial.accesses, trial.accesses.toReversed()].map((accesses) =>
        clusterTables(accesses, DEFAULT_CLUSTER_SETTINGS, OPTIONS),
      ),
    );
    expect(other).toEqual(one);
  });

  it.each([
    ['few tables', cells(199, 20), '199 tables are in use; clusters start at 200'],
    ['few users', cells(300, 4), '4 users are in the logs; clusters start at 5'],
    [
      'nothing above the thresholds',
      Array.from({ length: 300 }, (_, at) => ({ tableId: `t${at}`, user: `u${at % 9}`, runs: 1 })),
      'only 0 tables and 0 users are above the thresholds',
    ],
    ['no differences between users', cells(300, 20), 'every table is read by the same users'],
  ])('skips an installation with %s and says why', async (_, accesses, skipped) => {
    expect(await clusterTables(accesses, DEFAULT_CLUSTER_SETTINGS, OPTIONS)).toMatchObject({
      clusters: [],
      users: [],
      skipped,
    });
  });

  it('tells how far it is and stops when it is told to', async () => {
    const seen: ClusterEvent[] = [];
    const controller = new AbortController();
    const stopped = clusterTables(trial.accesses, DEFAULT_CLUSTER_SETTINGS, {
      ...OPTIONS,
      signal: controller.signal,
      onProgress: (event) => {
        seen.push(event);
        if (event.stage === 'separate') controller.abort();
      },
    });
    expect(await codeOf(stopped)).toBe('knowledge.cancelled');
    expect(seen.map(({ stage }) => stage)).toEqual(['components', 'separate']);
  });

  it.each([
    [10, 4],
    [300, 12],
    [10_000, 67],
    [65_000, 170],
    [200_000, 500],
    [1_000_000, 1_000],
  ])('makes of %i tables %i components', (tables, expected) => {
    expect(componentCount(tables, {})).toBe(expected);
    expect(componentCount(tables, { components: 7 })).toBe(7);
  });
});

describe('the trial of the publication', () => {
  const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];

  it.each(TRIAL_CASES)('$name: purity $purity, recall $recall, each ±.05', async (row) => {
    let [purity, recall] = [0, 0];
    for (const seed of SEEDS) {
      const found = await runTrial(makeTeamUsage({ ...TRIAL_COMPANY, seed }), row);
      purity += found.purity / SEEDS.length;
      recall += found.recall / SEEDS.length;
    }
    expect(Math.abs(purity - row.purity)).toBeLessThanOrEqual(0.05);
    expect(Math.abs(recall - row.recall)).toBeLessThanOrEqual(0.05);
  });
});

describe('clusterReview', () => {
  it('shows sizes, most used tables and users, and what clusters share', () => {
    const tables = (...ids: string[]) => ids.map((tableId, at) => ({ tableId, score: 9 - at }));
    const clustering = {
      settings: DEFAULT_CLUSTER_SETTINGS,
      clusters: [
        { id: 0, tables: tables('a', 'b') },
        { id: 1, tables: tables('b', 'c', 'd') },
      ],
      users: [{ user: 'ada', clusters: [{ id: 1, weight: 9 }] }],
      at: '2025-01-31',
    };
    const accesses = [
      { user: 'ada', tableId: 'b', runs: 4 },
      { user: 'ben', tableId: 'c', runs: 5 },
      { user: 'ben', tableId: 'elsewhere', runs: 99 },
    ];
    expect(clusterReview(clustering, accesses)).toEqual([
      {
        id: 1,
        tableCount: 3,
        userCount: 1,
        runs: 9,
        topTables: [
          { tableId: 'b', score: 9, runs: 4 },
          { tableId: 'c', score: 8, runs: 5 },
          { tableId: 'd', score: 7, runs: 0 },
        ],
        topUsers: [
          { user: 'ben', runs: 5 },
          { user: 'ada', runs: 4 },
        ],
        overlaps: [{ id: 0, shared: 1, share: 0.5 }],
      },
      {
        id: 0,
        tableCount: 2,
        userCount: 0,
        runs: 4,
        topTables: [
          { tableId: 'a', score: 9, runs: 0 },
          { tableId: 'b', score: 8, runs: 4 },
        ],
        topUsers: [{ user: 'ada', runs: 4 }],
        overlaps: [{ id: 1, shared: 1, share: 0.5 }],
      },
    ]);
  });
});
