import { describe, expect, it } from 'vitest';
import { bucketVotes, countVotes, credibility, isRequired } from './votes.ts';

/** evilink.md §6: credibility by K, for s = 0 … K. */
const CREDIBILITY: readonly (readonly [number, readonly number[]])[] = [
  [1, [0.333, 0.667]],
  [2, [0.25, 0.5, 0.75]],
  [3, [0.2, 0.4, 0.6, 0.8]],
  [4, [0.167, 0.333, 0.5, 0.667, 0.833]],
  [5, [0.143, 0.286, 0.429, 0.571, 0.714, 0.857]],
  [6, [0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875]],
  [8, [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]],
];

/** evilink.md §6: the least support that requires an item, for K = 1 … 6; null where nothing does. */
const LEAST_SUPPORT: readonly (readonly [readonly number[], readonly (number | null)[]])[] = [
  [
    [67, 70, 71],
    [null, 2, 3, 4, 4, 5],
  ],
  [
    [72, 75],
    [null, 2, 3, 4, 5, 5],
  ],
  [
    [76, 80],
    [null, null, 3, 4, 5, 6],
  ],
  [
    [81, 83],
    [null, null, null, 4, 5, 6],
  ],
];

function leastSupport(paths: number, tau: number): number | null {
  for (let support = 0; support <= paths; support += 1) if (isRequired(support, paths, tau)) return support;
  return null;
}

const path = (hypothesis: string, tables: readonly string[], fields: readonly string[]) => ({
  hypothesis,
  tables: new Map(tables.map((id) => [id, ''])),
  fields: new Map(fields.map((id) => [id, `why ${id}`])),
});
const tableOf = (id: string) => (id.includes('.') ? id.slice(0, id.indexOf('.')) : undefined);

describe('credibility', () => {
  it.each(CREDIBILITY)('of %i paths is that of the table', (paths, expected) => {
    const found = expected.map((_, support) => Number(credibility(support, paths).toFixed(3)));
    expect(found).toEqual(expected);
  });
});

describe('the threshold', () => {
  const rows = LEAST_SUPPORT.flatMap(([taus, expected]) => taus.map((tau) => [tau, expected] as const));

  it.each(rows)('of %i percent requires the support of the table', (tau, expected) => {
    expect(expected.map((_, index) => leastSupport(index + 1, tau))).toEqual(expected);
  });

  it('decides ties by whole numbers', () => {
    expect(isRequired(2, 2, 75)).toBe(true);
    expect(isRequired(6, 8, 70)).toBe(true);
    expect(isRequired(5, 8, 70)).toBe(false);
  });

  it('leaves three of four uncertain and locks four of four', () => {
    for (let tau = 67; tau <= 83; tau += 1) expect([tau, leastSupport(4, tau)]).toEqual([tau, 4]);
  });
});

describe('buckets', () => {
  it('count each path once and keep its reasons', () => {
    const votes = countVotes([path('h1', ['a'], ['a.x']), path('h2', ['a'], [])]);
    expect(votes.paths).toBe(2);
    expect([...votes.of]).toEqual([
      [
        'a',
        [
          { hypothesis: 'h1', why: '' },
          { hypothesis: 'h2', why: '' },
        ],
      ],
      ['a.x', [{ hypothesis: 'h1', why: 'why a.x' }]],
    ]);
  });

  it('lock nothing for a single path', () => {
    const votes = countVotes([path('h1', ['a'], ['a.x'])]);
    expect(bucketVotes(votes, 70, tableOf)).toEqual({
      required: new Set(),
      uncertain: new Set(['a', 'a.x']),
    });
  });

  it('require the table of a required field, whatever its own votes', () => {
    const votes = countVotes([path('h1', [], ['a.x']), path('h2', [], ['a.x'])]);
    expect(bucketVotes(votes, 70, tableOf)).toEqual({
      required: new Set(['a.x', 'a']),
      uncertain: new Set(),
    });
  });
});
