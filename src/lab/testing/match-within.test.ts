import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Cell } from '../../sql/dialects/cell.ts';
import { matchWithin } from './judge-turn.ts';

type Rows = readonly (readonly Cell[])[];

const result = (rows: Rows) => ({ columns: (rows[0] ?? []).map(String), rows });
const match = (expected: Rows, actual: Rows, orderMatters = false, tolerance = 0.01) =>
  matchWithin(result(expected), result(actual), { orderMatters, tolerance });

describe('matchWithin', () => {
  it.each<[why: string, expected: Rows, actual: Rows, orderMatters: boolean, verdict: string]>([
    ['within a hundredth', [[100]], [[100.9]], false, 'equal'],
    ['beyond a hundredth', [[100]], [[101.2]], false, 'different'],
    ['whole numbers too', [[1000]], [[1001]], false, 'equal'],
    ['zero is zero alone', [[0]], [[0.001]], false, 'different'],
    ['other signs', [[-100]], [[100]], false, 'different'],
    ['a text and its number', [[2024]], [['2024']], false, 'equal'],
    ['texts are exact', [['Lyon']], [['lyon']], false, 'different'],
    ['NULL and its name', [[null]], [['null']], false, 'different'],
    ['whole numbers beyond 2^53', [[10n ** 20n]], [[1.001e20]], false, 'equal'],
    [
      'rows in another order',
      [
        ['a', 1],
        ['b', 2],
      ],
      [
        ['b', 2.001],
        ['a', 1.001],
      ],
      false,
      'equal',
    ],
    [
      'rows in another order where it counts',
      [
        ['a', 1],
        ['b', 2],
      ],
      [
        ['b', 2.001],
        ['a', 1.001],
      ],
      true,
      'different',
    ],
    [
      'columns in another order',
      [
        ['a', 1],
        ['b', 2],
      ],
      [
        [1, 'a'],
        [2, 'b'],
      ],
      true,
      'equal',
    ],
    ['a row too few', [[1], [1]], [[1]], false, 'different'],
    ['a column too many', [[1]], [[1, 1]], false, 'different'],
    ['nothing and nothing', [], [], false, 'equal'],
    [
      'close numbers do not run together',
      [[100], [100.5], [101], [101.5]],
      [[100], [100], [100], [100]],
      false,
      'different',
    ],
    // 100 fits both, 101.9 only 101: the greedy choice for 100 must be taken back.
    [
      'each row needs one of its own',
      [
        [100, 'x'],
        [100.9, 'x'],
      ],
      [
        [100.9, 'x'],
        [99.5, 'x'],
      ],
      false,
      'equal',
    ],
  ])('%s', (_, expected, actual, orderMatters, verdict) =>
    expect(match(expected, actual, orderMatters)).toBe(verdict),
  );

  it('says so where it cannot tell', () => {
    const alike = Array.from({ length: 9 }, () => [1, 2, 3, 4, 5, 6, 7, 8, 9].map(() => 1));
    const marked = alike.map((row, at) => row.map((_, column) => (at === column ? 2 : 1)));
    const turned = marked.map((row, at) => (at === 0 ? [1, 2, 1, 1, 1, 1, 1, 1, 1] : row));
    expect(match(marked, turned)).toBe('different');
    const many = Array.from({ length: 5000 }, (_, at) => [at]);
    expect(match(many, many)).toBe('undecided');
  });

  it('finds shuffled rows and columns with noise below the tolerance', () => {
    const cell = fc.oneof(fc.integer({ min: 1, max: 50 }), fc.constantFrom('a', 'b', null));
    const rows = fc
      .integer({ min: 1, max: 4 })
      .chain((width) =>
        fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 6 }),
      );
    fc.assert(
      fc.property(rows, fc.nat(), (given, seed) => {
        const shuffled = given
          .map((row) =>
            row
              .map((each) => (typeof each === 'number' ? each * (1 + (seed % 7) / 1000) : each))
              .toReversed(),
          )
          .toSorted((a, b) => String(a).localeCompare(String(b)));
        expect(match(given, shuffled)).toBe('equal');
      }),
    );
  });
});
