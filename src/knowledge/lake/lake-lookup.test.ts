import { describe, expect, it } from 'vitest';
import type { Table } from '../../catalog/index.ts';
import { lakeLookup } from './open-lake.ts';

const table = (id: string): Table => {
  const [name = '', schema] = id.split('.').reverse();
  return {
    ...{
      id,
      name,
      qualifier: schema === undefined ? [] : [schema],
      kind: 'table',
      columns: [],
      primaryKey: [],
    },
    ...{ rowCount: 0, ...(schema !== undefined && { schema }) },
  };
};
const TABLES = ['sales.orders', 'archive.orders', 'visits'].map(table);

describe('lakeLookup', () => {
  let asked: string[] = [];
  const lookup = lakeLookup({ dialect: 'snowflake', database: 'shop' }, (name) => {
    asked.push(name);
    return TABLES.filter(({ id }) => id === name || id.endsWith(`.${name}`));
  });
  const idsFor = (...names: string[]): string[] => {
    asked = [];
    return lookup.catalogFor(new Set(names)).tables.map(({ id }) => id);
  };

  it.each([
    ['a whole name', ['sales.orders'], ['sales.orders']],
    ['a bare name of several', ['orders'], ['sales.orders', 'archive.orders']],
    ['the database before the name', ['shop.sales.orders'], ['sales.orders']],
    ['several names', ['visits', 'archive.orders'], ['visits', 'archive.orders']],
    ['a name twice, in two ways', ['sales.orders', 'shop.sales.orders'], ['sales.orders']],
    ['what is not there', ['shop.sales.unicorns'], []],
  ])('finds the tables of %s', (_, names, ids) => {
    expect(idsFor(...names)).toEqual(ids);
  });

  it('looks a name up once', () => {
    idsFor('shop.archive.orders');
    expect(asked).toEqual(['shop.archive.orders', 'archive.orders']);
    idsFor('shop.archive.orders');
    expect(asked).toEqual([]);
  });
});
