import { describe, expect, it } from 'vitest';
import type { Predicate, SelectQuery } from '../../sql/print/index.ts';
import { meaningKey, meaningOf } from './query-meaning.ts';

const SCHEMA = {
  tables: [
    { id: 'orders', primaryKey: ['orders.id'] },
    { id: 'customers', primaryKey: ['customers.id'] },
  ],
  foreignKeys: [{ fromColumns: ['orders.customer_id'], toColumns: ['customers.id'] }],
};

const column = (table: string, name: string) => ({ kind: 'column' as const, table, column: name });
const text = (value: string) => ({ kind: 'literal' as const, value });
const is = (table: string, name: string, value: string): Predicate => ({
  kind: 'compare',
  operator: '=',
  left: column(table, name),
  right: text(value),
});
const COUNT = {
  kind: 'aggregate',
  function: 'count',
  distinct: false,
  argument: { kind: 'star' },
} as const;

const ORDERS: SelectQuery = {
  kind: 'select',
  distinct: false,
  select: [{ expression: COUNT }],
  from: { table: 'orders' },
  joins: [],
  where: [],
  groupBy: [],
  having: [],
  orderBy: [],
};
const JOINED: SelectQuery = {
  ...ORDERS,
  joins: [
    {
      kind: 'inner',
      table: { table: 'customers' },
      on: [{ left: column('orders', 'customer_id'), right: column('customers', 'id') }],
    },
  ],
};
const IN_LYON: SelectQuery = { ...JOINED, where: [is('customers', 'city', 'Lyon')] };
const byName: SelectQuery = { ...JOINED, groupBy: [column('customers', 'name')] };

interface Case {
  readonly name: string;
  readonly left: SelectQuery;
  readonly right: SelectQuery;
  readonly isSame: boolean;
}

const CASES: readonly Case[] = [
  {
    name: 'the route: a membership test and a join',
    left: IN_LYON,
    right: {
      ...ORDERS,
      where: [
        {
          kind: 'in-query',
          value: column('orders', 'customer_id'),
          negated: false,
          query: {
            ...ORDERS,
            select: [{ expression: column('customers', 'id') }],
            from: { table: 'customers' },
            where: [is('customers', 'city', 'Lyon')],
          },
        },
      ],
    },
    isSame: true,
  },
  {
    name: 'the end of a key that a column stands at',
    left: { ...ORDERS, select: [{ expression: column('orders', 'customer_id') }] },
    right: { ...JOINED, select: [{ expression: column('customers', 'id') }] },
    isSame: true,
  },
  { name: 'DISTINCT over rows', left: IN_LYON, right: { ...IN_LYON, distinct: true }, isSame: true },
  {
    name: 'the spelling of a value',
    left: IN_LYON,
    right: {
      ...JOINED,
      where: [{ kind: 'like', value: column('customers', 'city'), pattern: '%LYON%', negated: false }],
    },
    isSame: true,
  },
  {
    name: 'what else is grouped beside a key',
    left: { ...JOINED, groupBy: [column('customers', 'id')] },
    right: { ...JOINED, groupBy: [column('customers', 'id'), column('customers', 'name')] },
    isSame: true,
  },
  {
    name: 'another value',
    left: IN_LYON,
    right: { ...JOINED, where: [is('customers', 'city', 'Nice')] },
    isSame: false,
  },
  {
    name: 'another column',
    left: IN_LYON,
    right: { ...JOINED, where: [is('customers', 'name', 'Lyon')] },
    isSame: false,
  },
  {
    name: 'another grain',
    left: byName,
    right: { ...JOINED, groupBy: [column('customers', 'id')] },
    isSame: false,
  },
  {
    name: 'another figure',
    left: ORDERS,
    right: {
      ...ORDERS,
      select: [{ expression: { ...COUNT, function: 'sum', argument: column('orders', 'amount') } }],
    },
    isSame: false,
  },
  { name: 'the first row alone', left: byName, right: { ...byName, limit: 1 }, isSame: false },
  {
    name: 'those without a match',
    left: IN_LYON,
    right: {
      ...ORDERS,
      where: [
        {
          kind: 'in-query',
          value: column('orders', 'customer_id'),
          negated: true,
          query: { ...IN_LYON, select: [{ expression: column('customers', 'id') }] },
        },
      ],
    },
    isSame: false,
  },
];

describe('meaningOf', () => {
  it.each(CASES)('$name (the same: $isSame)', ({ left, right, isSame }) => {
    const [one, other] = [left, right].map((query) => meaningKey(meaningOf(query, SCHEMA)));
    if (isSame) expect(one).toBe(other);
    else expect(one).not.toBe(other);
  });
});
