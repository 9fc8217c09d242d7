import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { countLookUps, countOne, inSpan, lookUp, uncounted } from './index.ts';

const NONE = { queries: 0, plans: 0, valueSearches: 0, vectorSearches: 0 };

it('counts what passes below, also where questions go on side by side', async () => {
  const ask = async (queries: number) => {
    for (let at = 0; at < queries; at++) {
      await wait(1);
      await inSpan('statement', { counts: 'queries' }, () => undefined);
    }
    await lookUp('find_values', async () => wait(1));
  };
  const counted = [2, 5, 0].map((queries) => countLookUps(() => ask(queries)));
  await Promise.all(counted.map(({ result }) => result));
  expect(counted.map(({ counts }) => counts)).toEqual(
    [2, 5, 0].map((queries) => ({ ...NONE, queries, valueSearches: 1 })),
  );
});

it('counts what failed, and nothing of what is done for many', async () => {
  const { result, counts } = countLookUps(async () => {
    await uncounted(() => inSpan('schema', { counts: 'queries' }, () => undefined));
    await lookUp('search_vectors', async () => undefined);
    await inSpan('plan', { counts: 'plans' }, () => Promise.reject(new Error('no plan')));
  });
  await expect(result).rejects.toThrow('no plan');
  expect(counts).toEqual({ ...NONE, plans: 1, vectorSearches: 1 });
});

it('is not there outside', () => expect(() => countOne('queries')).not.toThrow());
