import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { smallCatalog } from '../../../../test/fixtures/retrieval/small-catalog.ts';
import { openSearchFile } from '../../search/open-search-file.ts';
import type { SearchStore } from '../../search/search-store.ts';
import { emptySemanticModel } from '../../semantic/read-semantic-model.ts';
import { syncSearch } from '../documents/sync-search.ts';
import { RETRIEVAL_DEFAULTS } from '../settings/retrieval-settings.ts';
import { searchTables, type TableRequest, type TableStanding } from './search-tables.ts';
import { expandFamilies } from './table-families.ts';
import { indexTables } from './table-index.ts';

const days = Array.from(
  { length: 40 },
  (_, at) => `web.ga_sessions_201707${String(at + 1).padStart(2, '0')}`,
);
const catalog = smallCatalog({
  ...Object.fromEntries(
    days.map((name) => [name, ['visitor_id', 'page:the page that was seen', 'campaign']]),
  ),
  'sales.orders': ['order_id', 'customer_id', 'qty', 'order_date'],
  'sales.order_items': ['order_id', 'product_id', 'price'],
  'sales.customers': ['customer_id', 'city'],
  'sales.orders_copy': ['order_id', 'customer_id', 'qty', 'order_date', 'copied_at'],
  'hr.staff': ['staff_id', 'salary:what the company pays a month'],
  ...Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`misc.t${'x'.repeat(at + 1)}`, [`c${at}`]])),
});
const tables = indexTables(catalog);
const PLAIN: TableStanding = { isCertified: false, isDeprecated: false, popularity: 0 };
let folder = '';
let store: SearchStore;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'candor-tables-'));
  store = await openSearchFile(join(folder, 'search.sqlite'));
  const authored = { notes: [], jargon: [], statuses: [], areas: [] };
  await syncSearch(store, { catalog, semantics: emptySemanticModel, authored, examples: [] });
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

async function find(
  question: string,
  more: Omit<TableRequest, 'question'> = {},
  standing: (id: string) => TableStanding = () => PLAIN,
) {
  return (await searchTables({ question, ...more }, { store, tables, standing }, RETRIEVAL_DEFAULTS)).tables;
}

describe('tables of a question', () => {
  it.each([
    ['Which city do most customers live in?', 'sales.customers'],
    ['total quantity of orders', 'sales.orders'],
    ['what does the company pay?', 'hr.staff'],
    ['pages by campaign', 'web.ga_sessions_20170740'],
  ])('%j: first %s', async (question, first) => {
    expect((await find(question))[0]?.item.tableId).toBe(first);
  });

  it('are one entry for a family of days, with the days of the question first', async () => {
    const found = await find('pages seen from July 3 to July 5, 2017');
    const sessions = found.filter(({ item }) => item.family?.pattern === 'ga_sessions_#');
    expect(sessions).toHaveLength(1);
    const [{ item, because } = { item: undefined, because: [] }] = sessions;
    expect(item?.family?.namedCount).toBe(3);
    expect(new Set(item?.family?.members.slice(0, 3))).toEqual(
      new Set(['web.ga_sessions_20170703', 'web.ga_sessions_20170704', 'web.ga_sessions_20170705']),
    );
    expect(because).toContain('3 of 40 tables ga_sessions_# are of days, numbers or words in the question');
    expect(
      expandFamilies(found, { limit: 20, perFamily: 2 }).filter((id) => id.includes('_2017')).length,
    ).toBeGreaterThan(1);
  });

  it('say why', async () => {
    const [first] = await find('city of customers');
    expect(first?.because).toEqual([
      'its name has words of the question: custom',
      'its columns do: customer_id, city',
    ]);
  });

  it('outside the scope are found only when the question names them', async () => {
    const scope = new Set(['sales.customers', 'sales.order_items']);
    const ids = async (question: string) => (await find(question, { scope })).map(({ item }) => item.tableId);
    expect(await ids('salary of staff')).not.toContain('hr.staff');
    expect(await ids('salary in the table staff')).toContain('hr.staff');
    expect((await ids('salary from hr.staff'))[0]).toBe('hr.staff');
  });

  it('that people advise against come after their like', async () => {
    const standing = (id: string) => ({ ...PLAIN, isDeprecated: id === 'sales.orders' });
    const ids = (await find('quantity of orders', {}, standing)).map(({ item }) => item.tableId);
    expect(ids.indexOf('sales.orders')).toBeGreaterThan(ids.indexOf('sales.orders_copy'));
  });

  it('that people vouch for come before their like', async () => {
    const standing = (id: string) => ({ ...PLAIN, isCertified: id === 'sales.orders_copy' });
    const scoreOf = async (s?: typeof standing) =>
      (await find('order copy', {}, s)).find(({ item }) => item.tableId === 'sales.orders_copy')?.score ?? 0;
    expect(await scoreOf(standing)).toBeGreaterThan(await scoreOf());
  });

  it('are no more than 20, scores between 0 and 1, best first', async () => {
    const found = await find('orders customers staff sessions txx txxx c1 c2 c3');
    expect(found.length).toBeLessThanOrEqual(20);
    const scores = found.map(({ score }) => score);
    expect(scores.every((score) => score >= 0 && score <= 1)).toBe(true);
    expect([...scores].sort((a, b) => b - a)).toEqual(scores);
  });

  it('are none of what the reader may not see, though the store holds it', async () => {
    const visible = indexTables({ ...catalog, tables: catalog.tables.filter(({ id }) => id !== 'hr.staff') });
    const sources = { store, tables: visible, standing: () => PLAIN };
    const found = await searchTables({ question: 'table hr.staff salary' }, sources, RETRIEVAL_DEFAULTS);
    expect(found.tables.map(({ item }) => item.tableId)).not.toContain('hr.staff');
  });
});
