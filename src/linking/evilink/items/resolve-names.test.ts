import { describe, expect, it } from 'vitest';
import { smallCatalog } from '../../../../test/fixtures/retrieval/small-catalog.ts';
import { indexTables } from '../../../knowledge/retrieve/index.ts';
import { indexItems } from './link-items.ts';
import { resolveNames } from './resolve-names.ts';

const tables = indexTables(
  smallCatalog({
    Orders: ['Id', 'customer_id', 'address', 'a.b'],
    customers: ['id', 'city', 'name'],
    'sales.refunds': ['id', 'amount'],
    'hr.staff': ['id', 'name'],
    'old.staff': ['id', 'left_on'],
    'web.hits_2020': ['page'],
    'web.hits_2021': ['page'],
  }),
);
const names = resolveNames(tables, indexItems(tables));
const near = (...ids: string[]): ReadonlySet<string> => new Set(ids);

describe('names of tables', () => {
  it.each([
    ['orders', 'orders'],
    ['ORDERS', 'orders'],
    [' "Orders" ', 'orders'],
    ['`orders`', 'orders'],
    ['[sales].[Refunds]', 'sales.refunds'],
    ['"sales"."refunds"', 'sales.refunds'],
    ['refunds', 'sales.refunds'],
    ['shop.sales.refunds', 'sales.refunds'],
    ['main.orders', 'orders'],
    ['hr.refunds', undefined],
    ['staff', undefined],
    ['nothing', undefined],
    ['', undefined],
    ['x'.repeat(100_000), undefined],
    ['__proto__', undefined],
  ])('%j is %s', (written, id) => expect(names.table(written, near())?.id).toBe(id));

  it('without end are soon looked up', () => {
    const from = performance.now();
    for (let each = 0; each < 200; each += 1)
      expect(names.field({ table: `${'a.'.repeat(190)}${each}`, column: 'b.'.repeat(190) }, near())).toBe(
        undefined,
      );
    expect(performance.now() - from).toBeLessThan(5_000);
  });

  it('that are shared are told apart by what was shown', () => {
    expect(names.table('staff', near('old.staff'))?.id).toBe('old.staff');
    expect(names.table('staff', near('old.staff', 'hr.staff'))).toBeUndefined();
  });

  it.each(['hits_#', 'web.hits_*'])('may be the pattern of a family that was shown: %s', (written) => {
    expect(names.table(written, near('web.hits_2021'))?.id).toBe('web.hits_2021');
    expect(names.table(written, near())).toBeUndefined();
  });
});

describe('names of columns', () => {
  it.each([
    ['orders', 'ID', 'orders.id'],
    ['"Orders"', '"Id"', 'orders.id'],
    ['orders', 'orders.customer_id', 'orders.customer_id'],
    ['orders', 'o.customer_id', 'orders.customer_id'],
    ['orders', 'address.city.zip', 'orders.address'],
    ['orders', 'address:city', 'orders.address'],
    ['orders', 'a.b', 'orders.a.b'],
    ['sales', 'refunds.amount', 'sales.refunds.amount'],
    ['', 'sales.refunds.amount', 'sales.refunds.amount'],
    ['', 'refunds.amount', 'sales.refunds.amount'],
    ['', 'city', 'customers.city'],
    ['orders', 'city', 'customers.city'],
    ['unknown', 'city', 'customers.city'],
    ['', 'id', undefined],
    ['', 'amount', undefined],
    ['orders', 'nothing', undefined],
    ['', '', undefined],
  ])('%j %j is %s', (table, column, id) =>
    expect(names.field({ table, column }, near('orders', 'customers'))?.id).toBe(id),
  );
});

it('quotes and blanks that are a part of a name are no quotes around it', () => {
  const odd = indexTables(
    smallCatalog({ 'quo"te': ['x"y', 'back`tick', ' z '], quote: ['xy'], '[br]': ['id'] }),
  );
  const found = resolveNames(odd, indexItems(odd));
  expect(odd.catalog.tables.map(({ id }) => found.table(id, near())?.id)).toEqual([
    'quo"te',
    'quote',
    '[br]',
  ]);
  expect(found.table('"quote"', near())?.id).toBe('quote');
  for (const { id, columns } of odd.catalog.tables)
    for (const column of columns) {
      expect(found.field({ table: id, column: column.name }, near())?.id).toBe(column.id);
      expect(found.item(column.id, near())?.id).toBe(column.id);
    }
});

describe('names of items', () => {
  it.each([
    ['orders', 'orders'],
    ['"Orders"."Id"', 'orders.id'],
    ['refunds', 'sales.refunds'],
    ['refunds.amount', 'sales.refunds.amount'],
    ['city', 'customers.city'],
    ['main.orders', 'orders'],
    ['main.orders.id', 'orders.id'],
    ['orders.city', undefined],
    ['customers.orders', undefined],
    ['no.such.thing', undefined],
  ])('%j is %s', (written, id) => expect(names.item(written, near('orders', 'customers'))?.id).toBe(id));
});
