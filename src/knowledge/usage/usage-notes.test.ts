import { describe, expect, it } from 'vitest';
import { shopCatalog } from '../../../test/fixtures/usage/shop-catalog.ts';
import type { Catalog, ForeignKey } from '../../catalog/index.ts';
import type { UsedJoin } from './usage.ts';
import { usageNotes } from './usage-notes.ts';

const table = (tableId: string, runs: number, users: number) => ({
  ...{ tableId, runs, users },
  ...{ popularity: 1, lastAt: '2024-05-06' },
});
const join = (on: UsedJoin['on'], runs = 40): UsedJoin => {
  const [[left, right]] = [on[0]!];
  const tableOf = (id: string): string => id.slice(0, id.lastIndexOf('.'));
  return { leftTable: tableOf(left), rightTable: tableOf(right), on, runs, users: 2 };
};
const key = (from: string, to: string, source: ForeignKey['source']): ForeignKey => {
  const [fromTable = '', toTable = ''] = [from, to].map((id) => id.slice(0, id.lastIndexOf('.')));
  return { fromTable, fromColumns: [from], toTable, toColumns: [to], source };
};

function notesOf(joins: readonly UsedJoin[], foreignKeys: readonly ForeignKey[] = []) {
  const shop = shopCatalog('postgres');
  const tables = shop.tables.map((one) => ({
    ...one,
    primaryKey: one.columns.flatMap(({ id, name }) => (name === 'id' ? [id] : [])),
  }));
  const catalog: Catalog = { ...shop, tables, foreignKeys };
  return usageNotes({ tables: [table('orders', 1_340, 12), table('payroll', 9, 1)], joins }, catalog);
}

const USED = join([['customers.id', 'orders.customer_id']]);
const GUESS = key('orders.customer_id', 'customers.id', 'inferred');

describe('what logs tell a writer', () => {
  it('says how much a table of the catalog is used, and nothing of others', () =>
    expect([...notesOf([]).tables]).toEqual([['orders', ['in the logs 1,340 queries of 12 people']]]));

  it('tells nothing where no log was read', () => {
    const { tables, columns } = usageNotes(undefined, shopCatalog('postgres'));
    expect([tables.size, columns.size]).toEqual([0, 0]);
  });

  it.each<[string, UsedJoin[], ForeignKey[], [string, string[]][]]>([
    [
      'a join without a key',
      [USED],
      [],
      [['orders.customer_id', ['joined with customers.id in 40 queries of the logs']]],
    ],
    [
      'one that a guess has',
      [USED],
      [GUESS],
      [['orders.customer_id', ['joined with customers.id in 40 queries of the logs']]],
    ],
    ['none that a declared key has', [USED], [key('orders.customer_id', 'customers.id', 'declared')], []],
    ['none of two statements', [{ ...USED, runs: 2 }], [], []],
    ['none with a column that is not there', [join([['customers.id', 'payroll.customer_id']])], [], []],
    [
      'one of two columns',
      [
        join([
          ['order_items.order_id', 'shipments.order_id'],
          ['order_items.line_no', 'shipments.line_no'],
        ]),
      ],
      [],
      [
        [
          'order_items.order_id',
          [
            'joined with shipments.order_id and order_items.line_no = shipments.line_no in 40 queries of the logs',
          ],
        ],
      ],
    ],
  ])('tells %s', (_, joins, keys, said) => expect([...notesOf(joins, keys).columns]).toEqual(said));

  it.each<[string, UsedJoin[], boolean]>([
    ['keeps a guess that logs do not know', [], true],
    ['keeps one that they confirm', [USED, join([['customers.id', 'orders.seller_id']])], true],
    [
      'drops one where these tables are joined otherwise',
      [join([['customers.id', 'orders.seller_id']])],
      false,
    ],
    ['drops one whose column leads elsewhere', [join([['employees.id', 'orders.customer_id']])], false],
    [
      'keeps one beside a join of its column to one that is no key',
      [join([['orders.customer_id', 'products.price']])],
      true,
    ],
  ])('%s', (_, joins, isKept) => expect(notesOf(joins, [GUESS]).foreignKeys).toEqual(isKept ? [GUESS] : []));

  it('drops no key that somebody has declared', () => {
    const declared = key('orders.customer_id', 'customers.id', 'declared');
    expect(notesOf([join([['customers.id', 'orders.seller_id']])], [declared]).foreignKeys).toEqual([
      declared,
    ]);
  });
});
