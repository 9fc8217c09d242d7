import { describe, expect, it } from 'vitest';
import { thingSet } from '../../../../test/fixtures/uncertainty/thing-set.ts';
import { openLinkForests } from '../../../reasoning/grounded/linking/index.ts';
import { ASKED_GROUPS, type FeatureValue, featureSpace } from '../../../uncertainty/index.ts';
import type { RowQuery } from '../data/node-rows.ts';
import { readShippedRows, type ShippedRows } from './shipped-rows.ts';

const space = featureSpace([...ASKED_GROUPS, 'agreement']);
const forests = await openLinkForests();
const set = thingSet('things');
const [first] = set.cases;
const written = new Map([[`things ${first?.id}`, { sql: 'SELECT weight FROM car', isRight: false }]]);
const read = (seed: number): Promise<ShippedRows> =>
  readShippedRows([set], space, { forestsOf: () => forests, written, judged: 3, seed });
const { rows, leftOut } = await read(7);

const rootValue = (query: RowQuery, name: string): FeatureValue | undefined =>
  rows.valuesOf(query)[space.features.findIndex((feature) => feature.name === name)];
const shareOf = (test: (query: RowQuery) => boolean): number => {
  const mutated = rows.queries.filter(({ tag }) => tag.startsWith('mutated'));
  return mutated.filter(test).length / mutated.length;
};

describe('rows of the shipped model', () => {
  it('are the same for the same seed and others for another', async () => {
    const [again, other] = [await read(7), await read(8)];
    const texts = ({ rows: all }: ShippedRows) =>
      JSON.stringify(all.queries.map((query) => [query, all.valuesOf(query)]));
    expect(texts(again)).toBe(texts({ rows, leftOut }));
    expect(texts(other)).not.toBe(texts(again));
  });

  it('are of every question, with a label for each node', () => {
    expect(leftOut).toEqual({ questions: 0, queries: 0 });
    expect(new Set(rows.queries.map(({ question }) => question)).size).toBe(set.cases.length);
    for (const { isRight, start, end } of rows.queries) {
      const wrong = Array.from({ length: end - start }, (_, at) => rows.labelAt(start + at)).includes(1);
      if (wrong) continue;
      expect(end).toBeGreaterThan(start);
      expect(isRight).toBeDefined();
    }
  });

  it('are seen beside one to eight others about half of the time, else beside none', () => {
    const counts = rows.queries.map((query) => rootValue(query, 'n_others'));
    for (const count of counts) expect(count).toBeLessThanOrEqual(8);
    expect(shareOf((query) => rootValue(query, 'n_others') === 0)).toBeGreaterThan(0.4);
    expect(shareOf((query) => rootValue(query, 'n_others') === 0)).toBeLessThan(0.6);
    for (const query of rows.queries)
      expect(query.tag.endsWith('alone')).toBe(rootValue(query, 'n_others') === 0);
  });

  it('have what the engine wrote once alone and once beside others, judged by its rows', () => {
    const engine = rows.queries.filter(({ tag }) => tag.startsWith('engine'));
    expect(engine.map(({ tag, isRight }) => [tag, isRight])).toEqual([
      ['engine alone', false],
      ['engine beside', false],
    ]);
  });

  it('ask for the ranker of each database by the names of set and database', async () => {
    const asked = new Set<string>();
    await readShippedRows([set], space, {
      ...{ written, judged: 1, seed: 1, limit: 16 },
      forestsOf: (name, database) => {
        asked.add(`${name} ${database}`);
        return forests;
      },
    });
    expect([...asked].sort()).toEqual([...set.databases.keys()].map((name) => `things ${name}`));
  });
});
