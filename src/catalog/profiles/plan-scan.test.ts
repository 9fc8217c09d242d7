import { expect, it } from 'vitest';
import type { Column } from '../schema/catalog.ts';
import { planScan, type ScanBudget } from './plan-scan.ts';

const sizeOf = (id: string, rowCount: number, families: readonly Column['family'][] = ['number']) => ({
  table: {
    id,
    columns: families.map((family, index) => ({
      id: `${id}.${index}`,
      tableId: id,
      name: String(index),
      type: '',
      family,
      isNullable: true,
    })),
  },
  rowCount,
});

const CASES: readonly {
  what: string;
  rows: Readonly<Record<string, number>>;
  budget: ScanBudget;
  plan: Readonly<Record<string, number>>;
}[] = [
  { what: 'no budget', rows: { a: 10, b: 5000 }, budget: {}, plan: { a: 10, b: 5000 } },
  { what: 'enough', rows: { a: 10, b: 5000 }, budget: { maxRows: 6000 }, plan: { a: 10, b: 5000 } },
  {
    what: 'the largest is cut',
    rows: { a: 10, b: 5000 },
    budget: { maxRows: 1000 },
    plan: { a: 10, b: 990 },
  },
  {
    what: 'the largest are cut to the same size',
    rows: { a: 100, b: 5000, c: 50_000 },
    budget: { maxRows: 2100 },
    plan: { a: 100, b: 1000, c: 1000 },
  },
  {
    // 100 rows of each would be 300.
    what: 'the largest is skipped where not even a sample is left for all',
    rows: { a: 1000, b: 2000, c: 3000 },
    budget: { maxRows: 250 },
    plan: { a: 125, b: 125, c: 0 },
  },
  { what: 'nothing is left', rows: { a: 1000, b: 0 }, budget: { maxRows: 50 }, plan: { a: 0, b: 0 } },
  // A number is taken to be 8 bytes.
  { what: 'bytes', rows: { a: 10, b: 5000 }, budget: { maxBytes: 8000 }, plan: { a: 10, b: 990 } },
  {
    what: 'both, the narrower counts',
    rows: { a: 5000 },
    budget: { maxBytes: 8000, maxRows: 3000 },
    plan: { a: 1000 },
  },
];

it.each(CASES)('$what', ({ rows, budget, plan }) => {
  const sizes = Object.entries(rows).map(([id, count]) => sizeOf(id, count));
  expect(Object.fromEntries(planScan(sizes, budget))).toEqual(plan);
});

it('a wide table costs more bytes than a narrow one', () => {
  // 8 against 80 bytes a row; both may cost 40,000 bytes.
  const wide = sizeOf('wide', 10_000, ['text', 'text', 'number', 'time']);
  const plan = planScan([sizeOf('narrow', 10_000), wide], { maxBytes: 80_000 });
  expect(Object.fromEntries(plan)).toEqual({ narrow: 5000, wide: 500 });
});
