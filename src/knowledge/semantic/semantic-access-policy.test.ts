import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Catalog, Table } from '../../catalog/index.ts';
import { CandorError } from '../../errors.ts';
import { emptySemanticModel, readSemanticModel } from './read-semantic-model.ts';
import { accessPolicyOf } from './semantic-access-policy.ts';

const MODEL = `
semantic_model:
  - name: shop
    datasets:
      - name: orders
        source: shop.public.Orders
        fields:
          - name: status
            expression: {dialects: [{dialect: ANSI_SQL, expression: status}]}
            dimension: {}
          - name: note
            expression: {dialects: [{dialect: ANSI_SQL, expression: Orders.Note}]}
            custom_extensions: [{vendor_name: CANDOR, data: {mask: "NULL"}}]
        custom_extensions: [{vendor_name: CANDOR, data: {row_filter: "tenant = :tenant"}}]
      - name: returns
        source: public.orders
        custom_extensions: [{vendor_name: CANDOR, data: {row_filter: "returned = 1 OR returned = 2"}}]
      - name: month totals
        source: month_totals
        custom_extensions: [{vendor_name: CANDOR, data: {trusted_view: true}}]
`;

function table(name: string, schema: string, home: Partial<Table> = {}): Table {
  const id = [...(home.qualifier ?? []), name].join('.').toLowerCase();
  return { id, name, schema, kind: 'table', columns: [], primaryKey: [], rowCount: 0, ...home };
}

const CATALOG: Catalog = {
  database: 'shop',
  dialect: 'postgres',
  tables: [
    table('orders', 'app'),
    table('Orders', 'public', { qualifier: ['public'] }),
    table('month_totals', 'app', { kind: 'view' }),
    table('parts', 'a', { qualifier: ['a'] }),
    table('parts', 'b', { qualifier: ['b'] }),
  ],
  foreignKeys: [],
  fingerprint: 'test',
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'candor-policy-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function readModel(text: string) {
  await writeFile(join(folder, 'model.yml'), text);
  return readSemanticModel(folder);
}

describe('accessPolicyOf', () => {
  it('gives the filters, masks and trusted views of the files', async () => {
    const { rowFilters, columnMasks, trustedViews, visibleTables } = accessPolicyOf(
      await readModel(MODEL),
      CATALOG,
    );
    expect([...(rowFilters ?? [])]).toEqual([
      ['public.orders', '(tenant = :tenant\n) AND (returned = 1 OR returned = 2\n)'],
    ]);
    expect([...(columnMasks ?? [])]).toEqual([['public.orders.note', 'NULL']]);
    expect(trustedViews).toEqual(['month_totals']);
    expect(visibleTables).toBeUndefined();
  });

  it('restricts nothing where the model says nothing', () => {
    const { rowFilters, columnMasks, trustedViews } = accessPolicyOf(emptySemanticModel, CATALOG);
    expect([rowFilters?.size, columnMasks?.size, trustedViews]).toEqual([0, 0, []]);
  });

  it.each([
    ['orders', 'orders'],
    ['app.orders', 'orders'],
    ['shop.public.orders', 'public.orders'],
    ['b.parts', 'b.parts'],
    ['parts', undefined],
    ['c.parts', undefined],
    ['nothing', undefined],
  ])('means by %s the table %s', (source, tableId) => {
    const dataset = {
      name: 'd',
      table: source.split('.').at(-1) ?? '',
      source,
      synonyms: [],
      primaryKey: [],
    };
    const model = { ...emptySemanticModel, datasets: [{ ...dataset, rowFilter: '1 = 1' }] };
    const read = (): readonly string[] => [...(accessPolicyOf(model, CATALOG).rowFilters?.keys() ?? [])];
    if (tableId === undefined) expect(read).toThrow('means no table of the catalog or more than one');
    else expect(read()).toEqual([tableId]);
  });

  it('refuses two masks of one column', async () => {
    const model = await readModel(MODEL);
    const [orders] = model.datasets;
    if (orders === undefined) throw new Error('no dataset');
    const twice = {
      ...model,
      datasets: [orders, { ...orders, columnMasks: { 'orders.note': 'LEFT(note, 1)' } }],
    };
    expect(() => accessPolicyOf(twice, CATALOG)).toThrow(CandorError);
    expect(() => accessPolicyOf(twice, CATALOG)).toThrow('public.orders.note has two masks');
  });

  it.each([
    ['a misspelt key', MODEL.replace('row_filter', 'row_filters'), 'row_filter'],
    [
      'a mask on more than a column',
      MODEL.replace('expression: Orders.Note', 'expression: a + b'),
      'one column',
    ],
    ['a filter without text', MODEL.replace('"tenant = :tenant"', '""'), 'row_filter'],
  ])('refuses %s', async (_, text, named) => {
    await expect(readModel(text)).rejects.toThrow(named);
  });
});
