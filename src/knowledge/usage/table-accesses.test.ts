import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type TableAccess, TableAccesses } from './table-accesses.ts';

const access = fc.record<TableAccess>({
  user: fc.constantFrom('ann', 'ben', 'cid', 'Zoë', '__proto__'),
  tableId: fc.constantFrom('x', 'y', 'z', 'shop.orders', 'toString'),
  runs: fc.integer({ min: 0, max: 9 }),
});
const accesses = fc.array(access, { maxLength: 40 });

describe('TableAccesses', () => {
  it('holds every pair once with the sum of its runs, by user and then by table', () => {
    fc.assert(
      fc.property(accesses, (list) => {
        const sums = new Map<string, number>();
        for (const { user, tableId, runs } of list)
          if (runs > 0) sums.set(`${user} ${tableId}`, (sums.get(`${user} ${tableId}`) ?? 0) + runs);
        const found = TableAccesses.of(list);
        const pairs = [...found].map(({ user, tableId, runs }) => [`${user} ${tableId}`, runs]);
        expect(pairs).toEqual([...sums].sort(([a], [b]) => (a < b ? -1 : 1)));
        expect(found.length).toBe(sums.size);
      }),
    );
  });

  it('does not depend on the order, and is what it was made of', () => {
    fc.assert(
      fc.property(accesses, (list) => {
        const found = TableAccesses.of(list);
        expect(TableAccesses.of(list.toReversed())).toEqual(found);
        expect(TableAccesses.of([...found])).toEqual(found);
        expect(TableAccesses.of(found)).toBe(found);
      }),
    );
  });

  it('names users and tables that have a pair, in order', () => {
    const { users, tables } = TableAccesses.of([
      { user: 'ben', tableId: 'y', runs: 1 },
      { user: 'ann', tableId: 'z', runs: 0 },
      { user: 'ann', tableId: 'x', runs: 2 },
    ]);
    expect(users).toEqual(['ann', 'ben']);
    expect(tables).toEqual(['x', 'y']);
    expect([...TableAccesses.of([])]).toEqual([]);
  });
});
