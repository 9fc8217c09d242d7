import { expect, it } from 'vitest';
import type { Table } from '../../../catalog/index.ts';
import { packTable, unpackTable } from './pack-table.ts';

const NAMES = { id: 'shop.orders', name: 'orders', schema: 'shop', qualifier: ['shop'] };
const TABLE: Table = {
  ...NAMES,
  kind: 'table',
  primaryKey: ['shop.orders.id'],
  rowCount: 0,
  columns: [
    {
      ...{ id: 'shop.orders.id', tableId: 'shop.orders', name: 'id' },
      ...{ type: 'bigint', family: 'number', isNullable: false },
    },
  ],
};

it.each<Table>([TABLE, { ...TABLE, ownsRows: true }, { ...TABLE, kind: 'view' }])(
  'gives back what was packed: %j',
  (table) => {
    expect(unpackTable(NAMES, packTable(table))).toEqual(table);
  },
);

it('takes no table that an earlier version packed for one of its own rows', () => {
  const earlier = '{"key":[0],"columns":[["id","bigint",1,0]]}';
  expect(unpackTable(NAMES, earlier)).toEqual(TABLE);
});
