import { describe, expect, it } from 'vitest';
import type { Reading } from '../reasoning/roles/reading.ts';
import type { Expression, SelectQuery } from '../sql/print/index.ts';
import { poolLabelled } from './readings/group-readings.ts';

const SCHEMA = {
  tables: [
    { id: 'orders', primaryKey: ['orders.id'] },
    { id: 'customers', primaryKey: ['customers.id'] },
    { id: 'products', primaryKey: ['products.id'] },
  ],
  foreignKeys: [
    { fromColumns: ['orders.customer_id'], toColumns: ['customers.id'] },
    { fromColumns: ['orders.product_id'], toColumns: ['products.id'] },
  ],
};
const ENOUGH = 0.5;

const column = (table: string, name: string): Expression => ({ kind: 'column', table, column: name });
const total: Expression = {
  kind: 'aggregate',
  function: 'sum',
  distinct: false,
  argument: column('orders', 'amount'),
};
const JOINED: SelectQuery = {
  kind: 'select',
  distinct: false,
  select: [],
  from: { table: 'orders' },
  joins: [
    {
      kind: 'inner',
      table: { table: 'customers' },
      on: [{ left: column('orders', 'customer_id'), right: column('customers', 'id') }],
    },
  ],
  where: [],
  groupBy: [],
  having: [],
  orderBy: [],
};

function grouped(by: readonly Expression[], ...shown: readonly Expression[]): SelectQuery {
  return { ...JOINED, groupBy: by, select: shown.map((expression) => ({ expression })) };
}

const byKey = grouped([column('orders', 'customer_id')], column('orders', 'customer_id'), total);
const byName = grouped([column('customers', 'id')], column('customers', 'name'), total);
const byPair = (first: Expression): SelectQuery =>
  grouped([column('orders', 'customer_id'), column('orders', 'product_id')], first, total);
const ranked = (query: SelectQuery): SelectQuery => ({
  ...query,
  select: query.select.slice(0, 1),
  orderBy: [{ expression: total, direction: 'desc' }],
  limit: 1,
});

function readings(...drawn: readonly (readonly [SelectQuery, number])[]): Reading[] {
  return drawn.map(([query, probability]) => ({ query, probability }) as Reading);
}

describe('poolLabelled', () => {
  it('takes a key and a name of the same groups together, and shows the name', () => {
    const [first, ...others] = poolLabelled(readings([byKey, 0.43], [byName, 0.41]), SCHEMA, ENOUGH);
    expect(first?.query).toBe(byName);
    expect(first?.probability).toBeCloseTo(1 - 0.57 * 0.59);
    expect(others.map(({ query }) => query)).toEqual([byKey]);
  });

  it('does so for what is ranked by a figure that is not shown', () => {
    const [first] = poolLabelled(readings([ranked(byKey), 0.4], [ranked(byName), 0.3]), SCHEMA, ENOUGH);
    expect(first?.query.kind === 'select' && first.query.select).toEqual(byName.select.slice(0, 1));
    expect(first?.probability).toBeCloseTo(1 - 0.6 * 0.7);
  });

  it('shows the key where the name is much less likely', () => {
    const [first] = poolLabelled(readings([byKey, 0.45], [byName, 0.1]), SCHEMA, ENOUGH);
    expect(first?.query).toBe(byKey);
  });

  it.each<readonly [string, Reading[]]>([
    ['is likely enough alone', readings([byKey, 0.6], [byName, 0.3])],
    [
      'tells another figure',
      readings(
        [byKey, 0.4],
        [{ ...byName, where: [{ kind: 'null', value: column('orders', 'amount'), negated: true }] }, 0.4],
      ),
    ],
    ['stands alone', readings([byKey, 0.4])],
    [
      'names a link between two things by either',
      readings([byPair(column('orders', 'customer_id')), 0.4], [byPair(column('orders', 'product_id')), 0.4]),
    ],
    [
      'has no figure',
      readings(
        [grouped([column('customers', 'id')], column('customers', 'id')), 0.4],
        [grouped([column('customers', 'id')], column('customers', 'name')), 0.4],
      ),
    ],
  ])('leaves a reading as it is that %s', (_, given) => {
    expect(poolLabelled(given, SCHEMA, ENOUGH)).toEqual(given);
  });
});
