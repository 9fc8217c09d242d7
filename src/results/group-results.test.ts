import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Cell } from '../sql/dialects/cell.ts';
import type { ComparedResult } from './encode-results.ts';
import { groupResults, type ResultPolicy } from './group-results.ts';

type Rows = readonly (readonly Cell[])[];

const POLICY: ResultPolicy = { columns: 'any', rows: 'bag', tolerance: 1e-3, textEqualsNumber: true };

function toResult(rows: Rows): ComparedResult {
  return { columns: (rows[0] ?? []).map((_, at) => `c${at}`), rows };
}

const groupsOf = (results: readonly Rows[], policy: Partial<ResultPolicy> = {}): readonly number[] =>
  groupResults(results.map(toResult), { ...POLICY, ...policy });

describe('groupResults', () => {
  it.each<{
    why: string;
    results: readonly Rows[];
    policy?: Partial<ResultPolicy>;
    groups: readonly number[];
  }>([
    { why: 'nothing', results: [], groups: [] },
    { why: 'equal, other and equal', results: [[[1]], [[2]], [[1]]], groups: [0, 1, 0] },
    {
      why: 'rows in another order',
      results: [
        [[1], [2]],
        [[2], [1]],
      ],
      groups: [0, 0],
    },
    {
      why: 'rows in another order where it counts',
      results: [
        [[1], [2]],
        [[2], [1]],
      ],
      policy: { rows: 'list' },
      groups: [0, 1],
    },
    { why: 'a row too often', results: [[[1], [1]], [[1]]], groups: [0, 1] },
    { why: 'a row too often in sets', results: [[[1], [1]], [[1]]], policy: { rows: 'set' }, groups: [0, 0] },
    { why: 'columns in another order', results: [[[1, 'a']], [['a', 1]]], groups: [0, 0] },
    {
      why: 'columns in another order where it counts',
      results: [[[1, 'a']], [['a', 1]]],
      policy: { columns: 'given' },
      groups: [0, 1],
    },
    {
      why: 'columns as given, rows in another order',
      results: [
        [
          [1, 'a'],
          [2, 'b'],
        ],
        [
          [2, 'b'],
          [1, 'a'],
        ],
      ],
      policy: { columns: 'given' },
      groups: [0, 0],
    },
    {
      // Column by column the bags agree; the pairs (1,x) (2,y) do not.
      why: 'the same bags by column, other pairs',
      results: [
        [
          [1, 'x'],
          [2, 'y'],
        ],
        [
          [1, 'y'],
          [2, 'x'],
        ],
      ],
      groups: [0, 1],
    },
    { why: 'a rounded number', results: [[[12.3456]], [[12.35]], [[12.4]]], groups: [0, 0, 1] },
    { why: 'neighbouring whole numbers', results: [[[10_000]], [[10_001]]], groups: [0, 1] },
    // 10,000.4 is close to both, but counts are exact: it goes with the lower one.
    {
      why: 'a fraction between whole numbers',
      results: [[[10_000]], [[10_000.4]], [[10_001]]],
      groups: [0, 0, 1],
    },
    {
      // Each is close to the next, the ends are not: they do not run together.
      why: 'a row of close numbers',
      results: [[[100.01]], [[100.09]], [[100.15]], [[100.24]]],
      groups: [0, 0, 1, 1],
    },
    { why: 'a number and its text', results: [[[3]], [['3']]], groups: [0, 0] },
    {
      why: 'a number and its text, told apart',
      results: [[[3]], [['3']]],
      policy: { textEqualsNumber: false },
      groups: [0, 1],
    },
    { why: 'no rows, whatever the columns', results: [[], [[1]], []], groups: [0, 1, 0] },
    { why: 'NULL and zero', results: [[[null]], [[0]]], groups: [0, 1] },
    { why: 'a column too many', results: [[[1]], [[1, 1]]], groups: [0, 1] },
  ])('$why', ({ results, policy, groups }) => expect(groupsOf(results, policy)).toEqual(groups));

  it('forms the same groups in whatever order the results come', () => {
    const cell = fc.constantFrom<Cell>(0, 1, 1.0005, 1.002, 'a', null, '1');
    const rows = fc
      .integer({ min: 1, max: 2 })
      .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 2 }));
    const policies = fc.constantFrom<Partial<ResultPolicy>>(
      {},
      { rows: 'set' },
      { rows: 'list' },
      { columns: 'given' },
    );
    fc.assert(
      fc.property(fc.array(rows, { maxLength: 8 }), policies, (results, policy) => {
        const there = groupsOf(results, policy);
        const back = groupsOf(results.toReversed(), policy).toReversed();
        for (const [at, one] of there.entries())
          for (const [other, two] of there.entries()) expect(back[at] === back[other]).toBe(one === two);
      }),
    );
  });
});
