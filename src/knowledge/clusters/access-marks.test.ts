import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TableAccess } from '../usage/table-accesses.ts';
import { type AccessMatrix, accessMatrix, marksOfTables, marksOfUsers } from './accesses/access-matrix.ts';

const pair = fc.record<TableAccess>({
  user: fc.constantFrom('ann', 'ben', 'cid', 'dan'),
  tableId: fc.constantFrom('x', 'y', 'z', 'shop.orders'),
  runs: fc.integer({ min: 1, max: 1_000_000 }),
});
const pairs = fc.uniqueArray(pair, {
  selector: ({ user, tableId }) => `${user} ${tableId}`,
  minLength: 1,
});

const named = (names: readonly string[], marks: Float64Array): Map<string, number> =>
  new Map(names.map((name, at) => [name, marks[at]!]));
const tableMarks = (matrix: AccessMatrix) => named(matrix.tables, marksOfTables(matrix));
const userMarks = (matrix: AccessMatrix) => named(matrix.users, marksOfUsers(matrix));

describe('marks of accesses', () => {
  it('tell of a table and a user whose runs changed, and of no other', () => {
    fc.assert(
      fc.property(pairs, fc.nat(), fc.integer({ min: 1, max: 1_000_000 }), (list, at, more) => {
        const { user, tableId } = list[at % list.length]!;
        const before = accessMatrix(list);
        const after = accessMatrix([...list, { user, tableId, runs: more }]);
        for (const [name, mark] of tableMarks(after))
          expect(mark === tableMarks(before).get(name)).toBe(name !== tableId);
        for (const [name, mark] of userMarks(after))
          expect(mark === userMarks(before).get(name)).toBe(name !== user);
      }),
    );
  });

  it('are whole numbers that a database keeps exactly', () => {
    fc.assert(
      fc.property(pairs, (list) => {
        for (const mark of tableMarks(accessMatrix(list)).values())
          expect(Number.isSafeInteger(mark) && mark >= 0).toBe(true);
      }),
    );
  });

  it('tell users apart that swapped their runs', () => {
    const marksOf = (ann: number, ben: number) =>
      tableMarks(
        accessMatrix([
          { user: 'ann', tableId: 'x', runs: ann },
          { user: 'ben', tableId: 'x', runs: ben },
        ]),
      ).get('x');
    expect(marksOf(3, 8)).not.toBe(marksOf(8, 3));
  });
});
