import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TableAccess } from '../../usage/table-accesses.ts';
import { aboveThresholds, accessMatrix } from './access-matrix.ts';

const access = (user: string, tableId: string, runs: number): TableAccess => ({ user, tableId, runs });

/** The cells as `table user runs`. */
function cellsOf(
  accesses: readonly TableAccess[],
  thresholds = { minTotal: 0, minUsers: 0, minTablesPerUser: 0 },
): string[] {
  const { tables, users, starts, columns, values } = aboveThresholds(accessMatrix(accesses), thresholds);
  return tables.flatMap((table, row) =>
    [...columns.subarray(starts[row], starts[row + 1])].map(
      (column, at) => `${table} ${users[column]} ${values[starts[row]! + at]}`,
    ),
  );
}

describe('accessMatrix', () => {
  const accesses = [
    access('ada', 'orders', 30),
    access('ben', 'orders', 5),
    access('cid', 'orders', 1),
    access('ada', 'items', 9),
    access('ben', 'items', 9),
    access('ada', 'logs', 100),
    access('cid', 'logs', 0),
  ];

  it('adds up equal pairs and leaves out what was never run', () => {
    expect(cellsOf([...accesses, access('ada', 'items', 1)])).toEqual([
      'items ada 10',
      'items ben 9',
      'logs ada 100',
      'orders ada 30',
      'orders ben 5',
      'orders cid 1',
    ]);
  });

  it('drops tables with few runs or users, then users with few of the tables', () => {
    expect(cellsOf(accesses, { minTotal: 10, minUsers: 2, minTablesPerUser: 2 })).toEqual([
      'items ada 9',
      'items ben 9',
      'orders ada 30',
      'orders ben 5',
    ]);
  });

  it('does not depend on the order of the accesses', () => {
    const one = fc.record({
      user: fc.constantFrom('a', 'b', 'c'),
      tableId: fc.constantFrom('x', 'y', 'z'),
      runs: fc.integer({ min: 0, max: 9 }),
    });
    const shuffled = fc
      .array(one)
      .chain((list) =>
        fc.tuple(
          fc.constant(list),
          fc.shuffledSubarray(list, { minLength: list.length, maxLength: list.length }),
        ),
      );
    fc.assert(
      fc.property(shuffled, ([list, other]) => {
        expect(cellsOf(other)).toEqual(cellsOf(list));
      }),
    );
  });
});
