import { describe, expect, it } from 'vitest';
import { literal, select } from '../../../../../test/fixtures/grounded/printed-queries.ts';
import type { Expression, Predicate, SelectQuery } from '../../../../sql/print/index.ts';
import { explainQuery } from './explain-query.ts';
import type { QueryNames } from './part-text.ts';

const NAMES: QueryNames = {
  column: (_table, column) => ({ brand_name: 'brand' })[column] ?? column,
  key: (table, column) => (column === 'id' ? table : undefined),
};

const column = (table: string, name: string): Expression => ({ kind: 'column', table, column: name });
const ORDERS: Expression = {
  kind: 'raw',
  sql: 'COUNT(*)',
  cause: { why: 'metric “orders”: contracts', certainty: 'stated' },
};
const COUNT: Expression = {
  kind: 'aggregate',
  function: 'count',
  distinct: false,
  argument: { kind: 'star' },
};
const BRAND = column('brands', 'brand_name');
const HALDEN: Predicate = { kind: 'compare', operator: '=', left: BRAND, right: literal('Halden') };
const MANY: Predicate = { kind: 'compare', operator: '>', left: ORDERS, right: literal(100) };

function within(from: string, until: string): Predicate[] {
  const cause = { why: 'period “then”', certainty: 'stated' as const };
  const left = column('orders', 'signed_on');
  return [
    { kind: 'compare', operator: '>=', left, right: { kind: 'date', value: from }, cause },
    { kind: 'compare', operator: '<', left, right: { kind: 'date', value: until }, cause },
  ];
}

function part(name: string, where: readonly Predicate[]): { name: string; query: SelectQuery } {
  const block = select('orders', [], { where });
  return { name, query: { ...block, select: [{ expression: ORDERS, alias: 'value' }] } };
}

const YEAR = within('2024-01-01', '2025-01-01');
const CASES: readonly (readonly [SelectQuery, string])[] = [
  [select('orders', [ORDERS], { where: YEAR }), 'orders, 2024'],
  // What is not in the query is not said of it: nothing here passes 100.
  [select('orders', [ORDERS], { where: [HALDEN, ...YEAR] }), 'orders, where brand = ‘Halden’, 2024'],
  [
    select('orders', [BRAND, ORDERS], {
      groupBy: [BRAND],
      having: [MANY],
      orderBy: [{ expression: ORDERS, direction: 'desc' }],
      limit: 3,
    }),
    'orders, by brand, with orders > 100, by orders, highest first, the first 3 rows',
  ],
  [
    select('orders', [BRAND], {
      groupBy: [BRAND],
      orderBy: [{ expression: ORDERS, direction: 'asc' }],
      limit: 1,
    }),
    'brand of orders, by orders, lowest first, the first row',
  ],
  [
    select('orders', [ORDERS], { where: within('2024-01-01', '2024-07-01') }),
    'orders, from 2024-01-01 to 2024-06-30',
  ],
  [select('singers', [COUNT], { groupBy: [column('singers', 'id')] }), 'count of singers, by singers'],
  [
    select(
      'part',
      [{ kind: 'arithmetic', operator: '/', left: column('part', 'value'), right: column('whole', 'value') }],
      {
        ctes: [part('part', [HALDEN, ...YEAR]), part('whole', YEAR)],
      },
    ),
    'share of orders (brand = ‘Halden’), 2024',
  ],
  [
    select('after', [column('after', 'value'), column('before', 'value')], {
      ctes: [part('after', YEAR), part('before', within('2023-01-01', '2024-01-01'))],
    }),
    'orders (2024), orders (2023)',
  ],
  [
    select('dealers', [column('dealers', 'name')], {
      where: [
        {
          kind: 'in-query',
          value: column('dealers', 'id'),
          query: select('orders', [column('orders', 'dealer_id')], { where: YEAR }),
          negated: true,
        },
      ],
    }),
    'name of dealers, without any orders where 2024',
  ],
];

describe('a query in a sentence', () => {
  it.each(CASES)('%#: is told from its own parts', (query, sentence) => {
    expect(explainQuery(query, NAMES)).toBe(sentence);
  });

  it('names both sides of a set', () => {
    const [left, right] = ['singers', 'bands'].map((table) => select(table, [column(table, 'name')]));
    if (left === undefined || right === undefined) throw new Error('two tables are named');
    expect(explainQuery({ kind: 'set', operator: 'except', left, right }, NAMES)).toBe(
      'name of singers, but not name of bands',
    );
  });
});
