import { describe, expect, it } from 'vitest';
import { smallCatalog } from '../../../../test/fixtures/retrieval/small-catalog.ts';
import type { ColumnProfile } from '../../../catalog/index.ts';
import { catalogDocuments } from './catalog-documents.ts';

const nothing = { table: () => [], column: () => [] };
const documentsOf = (...args: Parameters<typeof catalogDocuments>) => [...catalogDocuments(...args)];

describe('documents of a catalog', () => {
  it('give the tables of one family and equal columns one text each', () => {
    const catalog = smallCatalog({ 'web.day_20170101': ['page'], 'web.day_20170102': ['page'] });
    const documents = documentsOf(catalog, nothing);
    expect(documents.map(({ kind, id }) => `${kind} ${id}`)).toEqual([
      'table web.day_20170101',
      'column web.day_20170101.page',
      'table web.day_20170102',
      'column web.day_20170102.page',
    ]);
    expect(new Set(documents.map(({ title, body }) => `${title}|${body}`)).size).toBe(2);
  });

  it('are found by long forms, comments, synonyms and what they stand in', () => {
    const catalog = smallCatalog({ 'sales.order_lines': ['ord_qty:pieces per box'] });
    const said = { table: () => ['basket'], column: () => ['amount ordered'] };
    const [table, column] = documentsOf(catalog, said);
    expect(table?.title).toBe('order lines');
    for (const word of ['basket', 'sales', 'qty', 'quantity', 'pieces']) expect(table?.body).toContain(word);
    expect(column?.body.split('\n')).toEqual(['pieces per box', 'amount ordered', 'order quantity']);
  });

  it('hold no stored values', () => {
    const [plain] = smallCatalog({ t: ['status'] }).tables;
    const profile: ColumnProfile = {
      scannedRows: 9,
      nullCount: 0,
      distinctCount: 2,
      examples: ['open', 'closed'],
      semanticClass: 'category',
    };
    const columns = [{ ...plain!.columns[0]!, profile }];
    const catalog = { ...smallCatalog({}), tables: [{ ...plain!, columns }] };
    expect(JSON.stringify(documentsOf(catalog, nothing))).not.toMatch(/open|closed/);
  });

  it('are bounded, and made one at a time', () => {
    const wide = smallCatalog({
      wide: Array.from({ length: 5_000 }, (_, at) => `w${'abcdefghij'[at % 10]}${at}x`),
    });
    const first = catalogDocuments(wide, nothing).next();
    expect(first.done).toBe(false);
    expect(String(first.value?.body).split(/\s+/).length).toBeLessThan(1_000);
  });
});
