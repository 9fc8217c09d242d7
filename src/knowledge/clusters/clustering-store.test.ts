import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readClustering, writeClustering } from './clustering-store.ts';
import type { Clustering } from './clusters.ts';
import { renewClustering } from './renew-clustering.ts';

const clustering: Clustering = {
  settings: { minTotal: 1, minUsers: 1, minTablesPerUser: 1, size: 2, seed: 1 },
  clusters: [{ id: 0, tables: [{ tableId: 'orders', score: 1.5 }] }],
  users: [{ user: 'ada', clusters: [{ id: 0, weight: 5 }] }],
  at: '2025-01-31',
};
const manifest = { from: '2024-11-02', to: '2025-01-31', catalogFingerprint: 'abc' };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'candor-clusters-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('readClustering', () => {
  it('reads what was written, and nothing before', async () => {
    expect(await readClustering(folder)).toEqual({ kind: 'absent' });
    await writeClustering(folder, clustering, manifest);
    expect(await readClustering(folder)).toEqual({ kind: 'stored', clustering, manifest });
    expect(await readdir(folder)).toEqual(['clusters.json']);
  });

  it('says that a file is damaged', async () => {
    await writeClustering(folder, clustering, manifest);
    const file = join(folder, 'clusters.json');
    const text = await readFile(file, 'utf8');
    for (const damaged of ['', text.slice(0, 40), text.replace('"version":1', '"version":2'), '[]']) {
      await writeFile(file, damaged);
      expect(await readClustering(folder)).toEqual({ kind: 'damaged', file });
    }
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
    await writeClustering(folder, clustering, manifest);
    const same = { catalogFingerprint: 'abc', settings };
    expect(await renewClustering(folder, usage, same)).toEqual(clustering);
    for (const [window, options] of [
      [usage, { ...same, catalogFingerprint: 'other' }],
      [{ ...usage, to: '2025-02-01' }, same],
      [usage, { ...same, settings: { ...settings, seed: 2 } }],
    ] as const) {
      await writeClustering(folder, clustering, manifest);
      const renewed = await renewClustering(folder, window, options);
      expect(renewed).toMatchObject({
        at: '2025-01-30',
        skipped: '1 tables are in use; clusters start at 200',
      });
      expect(await readClustering(folder)).toMatchObject({ kind: 'stored', clustering: renewed });
    }
  });

  it('says that it makes damaged ones anew', async () => {
    await writeFile(join(folder, 'clusters.json'), '{');
    const said: string[] = [];
    await renewClustering(folder, usage, { catalogFingerprint: 'abc', onNotice: (line) => said.push(line) });
    expect(said.join()).toContain('was damaged');
    expect(await readClustering(folder)).toMatchObject({ kind: 'stored' });
  });
});
