import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ComparedResult } from '../../../results/index.ts';
import { sameResults } from './compute-reward.ts';

const result = (columns: string[], ...rows: ComparedResult['rows']): ComparedResult => ({ columns, rows });

/** `isSameInOrder` where the order of rows changes the verdict. */
type SameCase = readonly [
  about: string,
  gold: ComparedResult,
  predicted: ComparedResult,
  isSame: boolean,
  isSameInOrder?: boolean,
];

const CASES: readonly SameCase[] = [
  ['rows in another order', result(['a'], [1], [2]), result(['a'], [2], [1]), true, false],
  ['columns by their names', result(['a', 'b'], [1, 2]), result(['B', 'A'], [2, 1]), true],
  ['names that lie', result(['a', 'b'], [1, 2]), result(['b', 'a'], [1, 2]), false],
  ['other names by their values', result(['a', 'b'], [1, 2]), result(['x', 'y'], [2, 1]), true],
  ['a row twice', result(['a'], [1], [1]), result(['a'], [1]), false],
  ['bags that differ', result(['a'], [1], [1], [2]), result(['a'], [1], [2], [2]), false],
  ['a column more', result(['a'], [1]), result(['a', 'b'], [1, 2]), false],
  ['a fraction within 1e-3', result(['a'], [12.3456]), result(['b'], [12.35]), true],
  ['a fraction beyond', result(['a'], [12.3456]), result(['b'], [12.4]), false],
  ['whole numbers that are near', result(['y'], [2023]), result(['y'], [2024]), false],
  ['whole against nearly whole', result(['a'], [2]), result(['a'], [2.0001]), true],
  ['a number and its text', result(['a'], ['2024']), result(['a'], [2024]), true],
  ['NULL and its word', result(['a'], [null]), result(['a'], ['null']), false],
  ['nothing', result(['a']), result(['b']), true],
  ['nothing of another width', result(['a']), result(['a', 'b']), false],
  ['a name twice', result(['a', 'a'], [1, 2]), result(['a', 'a'], [2, 1]), true],
  [
    'rows that near numbers would part',
    result(['n', 't'], [1.0001, 'x'], [1, 'y']),
    result(['n', 't'], [1, 'x'], [1.0001, 'y']),
    true,
  ],
];

describe('sameResults', () => {
  it.each(CASES.map((row) => ({ about: row[0], row })))('$about', ({ row }) => {
    const [, gold, predicted, isSame, isSameInOrder = isSame] = row;
    expect(sameResults(gold, predicted)).toBe(isSame);
    expect(sameResults(gold, predicted, { orderMatters: true })).toBe(isSameInOrder);
  });

  it('is symmetric for exact values and does not see the order of rows', () => {
    const cell = fc.constantFrom(1, 2, 3, 'a', null);
    const rows = fc.array(fc.tuple(cell, cell), { maxLength: 5 });
    fc.assert(
      fc.property(rows, rows, (left, right) => {
        const [a, b] = [result(['x', 'y'], ...left), result(['u', 'v'], ...right)];
        expect(sameResults(a, b)).toBe(sameResults(b, a));
        expect(sameResults(a, result(['u', 'v'], ...left.toReversed()))).toBe(true);
      }),
    );
  });
});
