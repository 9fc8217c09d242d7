import { describe, expect, it } from 'vitest';
import { readScope } from './table-scope.ts';

const CASES: readonly [scope: Parameters<typeof readScope>[0], table: string, isIn: boolean][] = [
  [{}, 'hive.sales.orders', true],
  [{ include: ['hive'] }, 'hive.sales.orders', true],
  [{ include: ['hive'] }, 'hive2.sales.orders', false],
  [{ include: ['HIVE.Sales'] }, 'hive.sales.orders', true],
  [{ include: ['hive.sales'] }, 'hive.hr.people', false],
  [{ include: ['hive.mart_*'] }, 'hive.mart_eu.orders', true],
  [{ include: ['*.sales.orders'] }, 'hive.sales.orders', true],
  [{ include: ['*.sales.orders'] }, 'hive.sales.orders_old', false],
  [{ include: ['hive'], exclude: ['hive.hr'] }, 'hive.hr.people', false],
  [{ include: ['hive'], exclude: ['hive.hr'] }, 'hive.sales.orders', true],
  [{ exclude: ['*.*.tmp_*'] }, 'hive.sales.tmp_1', false],
  [{ exclude: ['*.*.tmp_*'] }, 'hive.sales.orders', true],
  [{ include: ['orders'] }, 'orders', true],
  [{ include: ['a+b'] }, 'aab', false],
  [{ include: ['sales.orders.amount'] }, 'sales.orders', false],
];

describe('a scope of tables', () => {
  it.each(CASES)('%j, %s: %s', (scope, table, isIn) => {
    const name = table.split('.');
    const reader = readScope(scope);
    expect(reader.holds(name)).toBe(isIn);
    // What a place may hold, or holds whole, never says otherwise than its tables.
    for (let parts = 1; parts < name.length; parts += 1) {
      const place = name.slice(0, parts);
      if (isIn) expect(reader.mayHold(place)).toBe(true);
      else expect(reader.holdsAllOf(place)).toBe(false);
    }
  });

  it('leaves out places without looking into them', () => {
    const scope = readScope({ include: ['hive.sales', 'lake'], exclude: ['lake.raw', 'lake.*.tmp_*'] });
    expect(['hive', 'lake', 'mysql'].map((name) => scope.mayHold([name]))).toEqual([true, true, false]);
    expect(scope.mayHold(['lake', 'raw'])).toBe(false);
    expect(scope.mayHold(['hive', 'hr'])).toBe(false);
    expect(scope.holdsAllOf(['hive', 'sales'])).toBe(true);
    expect(scope.holdsAllOf(['hive'])).toBe(false);
    expect(scope.holdsAllOf(['lake', 'gold'])).toBe(false);
  });
});
