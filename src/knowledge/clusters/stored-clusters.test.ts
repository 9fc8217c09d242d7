import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { storedClusters, writeStoredClusters } from '../../../test/fixtures/stored-clusters.ts';
import type { Clustering, UserClusters } from './accesses/access-matrix.ts';
import { renewClustering } from './renew-clustering.ts';
import { openClusters } from './stored-clusters.ts';

const clustering: Clustering = {
  settings: { minTotal: 1, minUsers: 1, minTablesPerUser: 1, size: 2, seed: 1 },
  clusters: [
    {
      id: 0,
      tables: [
        { tableId: 'orders', score: 1.5 },
        { tableId: 'items', score: 0.5 },
      ],
    },
    { id: 1, tables: [{ tableId: 'items', score: 2 }] },
  ],
  users: [{ user: 'ada', clusters: [{ id: 0, weight: 5 }] }],
  at: '2025-01-31',
};
const manifest = { from: '2024-11-02', to: '2025-01-31', catalogFingerprint: 'abc' };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'candor-clusters-'));
});
afterEach(() => rm(folder, { recursive: true }));

const write = (): Promise<void> => writeStoredClusters(folder, clustering, manifest);

describe('openClusters', () => {
  it('reads what was written, and nothing before', async () => {
    expect(await openClusters(folder)).toEqual({ kind: 'absent' });
    await write();
    const opened = await openClusters(folder);
    if (opened.kind !== 'stored') throw new Error(opened.kind);
    const { clusters } = opened;
    expect(clusters.read()).toEqual(clustering);
    expect(clusters.about()).toMatchObject({ manifest, clusterCount: 2, drift: 0 });
    expect(clusters.clustersOf('items')).toEqual([0, 1]);
    expect(clusters.clustersOf('elsewhere')).toEqual([]);
    expect(clusters.clustersOfUser('ben')).toEqual([]);
    clusters.close();
  });

  it('says that a file is damaged', async () => {
    await write();
    const file = join(folder, 'clusters.sqlite');
    await writeFile(file, 'no database at all, but long enough to be looked at as one'.repeat(40));
    expect(await openClusters(folder)).toEqual({ kind: 'damaged', file });
  });
});

describe('clustersOfMembers', () => {
  const user = (name: string, ...clusters: [id: number, weight: number][]): UserClusters => ({
    user: name,
    clusters: clusters.map(([id, weight]) => ({ id, weight })),
  });

  it.each([
    ['by the votes of members', [user('a', [1, 1], [2, 9]), user('b', [1, 1])], [1, 2]],
    ['of as many votes by runs', [user('a', [1, 1], [2, 9]), user('b', [1, 1], [2, 1])], [2, 1]],
    ['of as many votes and runs by id', [user('a', [2, 5], [1, 5])], [1, 2]],
    ['without the votes of others', [user('a', [1, 1]), user('x', [2, 99])], [1]],
    ['five at most', [user('a', [1, 9], [2, 8], [3, 7], [4, 6], [5, 5], [6, 4])], [1, 2, 3, 4, 5]],
    ['none where no member has any', [user('x', [1, 1])], []],
  ])('orders clusters %s', async (_, users, expected) => {
    const clusters = await storedClusters({ users });
    expect(clusters.clustersOfMembers(['a', 'b', 'a']).map(({ id }) => id)).toEqual(expected);
    clusters.close();
  });
});

describe('renewClustering', () => {
  const usage = {
    from: '2024-11-02',
    to: '2025-01-31',
    accesses: [{ user: 'ada', tableId: 'orders', runs: 1 }],
    tables: [{ tableId: 'orders', runs: 1, users: 1, popularity: 1, lastAt: '2025-01-30' }],
  };

  it('uses stored clusters again while nothing they depend on has changed', async () => {
    const settings = clustering.settings;
    const same = { catalogFingerprint: 'abc', settings };
    await write();
    const again = await renewClustering(folder, usage, same);
    expect(again.read()).toEqual(clustering);
    again.close();
    // Nothing was kept to fold anything into: all is made anew.
    for (const [window, options] of [
      [usage, { ...same, catalogFingerprint: 'other' }],
      [{ ...usage, to: '2025-02-01' }, same],
      [usage, { ...same, settings: { ...settings, seed: 2 } }],
    ] as const) {
      await write();
      const renewed = await renewClustering(folder, window, options);
      expect(renewed.about()).toMatchObject({
        at: '2025-01-30',
        skipped: '1 tables are in use; clusters start at 200',
        manifest: { to: window.to, catalogFingerprint: options.catalogFingerprint },
      });
      renewed.close();
    }
  });

  it('says that it makes damaged ones anew', async () => {
    await writeFile(join(folder, 'clusters.sqlite'), '{'.repeat(5_000));
    const said: string[] = [];
    const made = await renewClustering(folder, usage, {
      catalogFingerprint: 'abc',
      onNotice: (line) => said.push(line),
    });
    made.close();
    expect(said.join()).toContain('was damaged');
    expect(await openClusters(folder)).toMatchObject({ kind: 'stored' });
  });
});
