import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ComparedResult } from '../../../results/index.ts';
import { denseLikeness, rowCountLikeness } from './dense-likeness.ts';

const identity = (gold: ComparedResult, predicted: ComparedResult) =>
  gold.columns.map((name) => predicted.columns.map((other) => (name === other ? 1 : 0)));
const dense = (gold: ComparedResult, predicted: ComparedResult, emptyIsUnlike = false) =>
  denseLikeness(gold, predicted, identity(gold, predicted), { emptyIsUnlike });

const GOLD = {
  columns: ['prov', 'cnt'],
  rows: [
    ['A', 10],
    ['B', 20],
  ],
} satisfies ComparedResult;
const EMPTY: ComparedResult = { columns: ['prov', 'cnt'], rows: [] };

describe('denseLikeness', () => {
  it('gives the vector of the specification', () => {
    const predicted = {
      columns: ['prov', 'cnt', 'x'],
      rows: [
        ['A', 10, 1],
        ['B', 21, 2],
      ],
    };
    // 0.4 · 1/(1 + 0.2·1/2) + 0.1 · 1 + 0.5 · (1 + 0.5)/2
    expect(dense(GOLD, predicted)).toEqual({
      total: 0.8386,
      schema: expect.closeTo(0.9091, 4),
      rows: 1,
      values: 0.75,
    });
  });

  it.each<readonly [string, ComparedResult, number]>([
    ['itself', GOLD, 1],
    [
      'columns in another order',
      {
        columns: ['cnt', 'prov'],
        rows: [
          [10, 'A'],
          [20, 'B'],
        ],
      },
      1,
    ],
    // A column is missing: 0.4·½ + 0.1 + 0.5·½.
    ['a column missing', { columns: ['prov'], rows: [['A'], ['B']] }, 0.55],
    // No name fits: nothing of schema and values.
    ['other names', { columns: ['p', 'c'], rows: GOLD.rows }, 0.1],
    // 0.4 + 0 + 0.
    ['no row', EMPTY, 0.4],
  ])('compares with %s', (_, predicted, total) => expect(dense(GOLD, predicted).total).toBeCloseTo(total, 4));

  it('takes a pair only where the names are nearer than 0.75', () => {
    const at = (cosine: number) => denseLikeness(one([['A']]), one([['A']]), [[cosine]]).total;
    expect(at(0.75)).toBe(0.1);
    expect(at(0.8)).toBe(0.92);
  });

  it('finds two empty results alike, the published code does not', () => {
    expect(dense(EMPTY, EMPTY).total).toBe(1);
    expect(dense(EMPTY, EMPTY, true).total).toBe(0.5);
  });

  it('stays from 0 to 1 and does not see the order of rows and columns', () => {
    const cell = fc.oneof(fc.integer({ min: 0, max: 30 }), fc.constantFrom('A', 'B', null));
    const result = fc.integer({ min: 1, max: 4 }).chain((width) =>
      fc.record({
        columns: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'), {
          minLength: width,
          maxLength: width,
        }),
        rows: fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 6 }),
      }),
    );
    fc.assert(
      fc.property(result, result, (gold, predicted) => {
        const { total } = dense(gold, predicted);
        expect(total).toBeGreaterThanOrEqual(0);
        expect(total).toBeLessThanOrEqual(1);
        expect(dense(gold, turned(predicted)).total).toBe(total);
        expect(dense(gold, gold).total).toBe(1);
      }),
      { numRuns: 500, seed: 13 },
    );
  });
});

describe('rowCountLikeness', () => {
  it.each([
    [10, 20, 0.8279],
    [20, 10, 0.8279],
    [5, 5, 1],
    [0, 0, 1],
    [0, 3, 0],
    [3, 0, 0],
  ])('%i and %i rows', (gold, predicted, likeness) =>
    expect(rowCountLikeness(gold, predicted)).toBeCloseTo(likeness, 4),
  );
});

function one(rows: ComparedResult['rows']): ComparedResult {
  return { columns: ['a'], rows };
}

function turned({ columns, rows }: ComparedResult): ComparedResult {
  return { columns: columns.toReversed(), rows: rows.map((row) => row.toReversed()).toReversed() };
}
