import { describe, expect, it } from 'vitest';
import type { TableAccess } from '../usage/table-accesses.ts';
import type { TableCluster } from './accesses/access-matrix.ts';
import { userClusters } from './user-clusters.ts';

const cluster = (id: number, ...tables: string[]): TableCluster => ({
  id,
  tables: tables.map((tableId) => ({ tableId, score: 1 })),
});
const access = (user: string, tableId: string, runs: number): TableAccess => ({ user, tableId, runs });
const chosen = (accesses: readonly TableAccess[], clusters: readonly TableCluster[]): string[] =>
  userClusters(accesses, clusters).map(
    ({ user, clusters: own }) => `${user}: ${own.map(({ id, weight }) => `${id}=${weight}`).join(' ')}`,
  );

describe('userClusters', () => {
  const ten = Array.from({ length: 10 }, (_, id) => cluster(id, `t${id}`));

  it('orders clusters by the runs on their tables; a table may count for two', () => {
    const clusters = [cluster(0, 'a', 'b'), cluster(1, 'b'), cluster(2, 'c')];
    expect(chosen([access('ada', 'a', 5), access('ada', 'b', 3), access('ben', 'b', 1)], clusters)).toEqual([
      'ada: 0=8 1=3',
      'ben: 0=1 1=1',
    ]);
  });

  it.each([
    ['three where they cover enough', [90, 5, 3, 2], '0=90 1=5 2=3'],
    ['more until 80 % are covered', [25, 25, 20, 15, 10, 5], '0=25 1=25 2=20 3=15'],
    ['six at most', [10, 10, 10, 10, 10, 10, 10, 10], '0=10 1=10 2=10 3=10 4=10 5=10'],
    ['fewer than three where there are no more', [4], '0=4'],
  ])('takes %s', (_, runs, expected) => {
    const accesses = runs.map((count, table) => access('ada', `t${table}`, count));
    expect(chosen(accesses, ten)).toEqual([`ada: ${expected}`]);
  });

  it('has nothing for a user whose tables are in no cluster', () => {
    expect(chosen([access('ada', 'elsewhere', 9)], ten)).toEqual([]);
  });
});
