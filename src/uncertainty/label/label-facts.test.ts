import { expect, it } from 'vitest';
import type { Catalog, Column, Table } from '../../catalog/index.ts';
import { labelFacts } from './label-facts.ts';

function table(schema: string, columns: Readonly<Record<string, boolean>>, key: readonly string[]): Table {
  const id = `${schema}.orders`;
  const read = ([name, isNullable]: [string, boolean]): Column => ({
    id: `${id}.${name.toLowerCase()}`,
    tableId: id,
    name,
    type: 'integer',
    family: 'number',
    isNullable,
  });
  const primaryKey = key.map((name) => `${id}.${name}`);
  return {
    id,
    name: 'Orders',
    schema,
    kind: 'table',
    columns: Object.entries(columns).map(read),
    primaryKey,
    rowCount: 0,
  };
}

it('knows columns that hold no NULL, and those that tables do not have', () => {
  const catalog: Catalog = {
    database: 'shop',
    dialect: 'sqlite',
    tables: [
      table('now', { Id: true, Paid: false, Note: true }, ['id']),
      table('old', { Id: false, Paid: true }, []),
    ],
    foreignKeys: [],
    fingerprint: '',
  };
  const { isNeverNull } = labelFacts(catalog);
  expect(['id', 'paid', 'note', 'gone'].map((column) => isNeverNull('orders', column))).toEqual([
    true,
    // One of the two tables of the name may hold NULL.
    false,
    false,
    undefined,
  ]);
  expect(isNeverNull('customers', 'id')).toBeUndefined();
});
