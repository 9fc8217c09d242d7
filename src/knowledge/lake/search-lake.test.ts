import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lakeTables } from '../../../test/fixtures/knowledge/lake-tables.ts';
import { listSource } from '../../../test/fixtures/knowledge/list-source.ts';
import { smallCatalog } from '../../../test/fixtures/retrieval/small-catalog.ts';
import type { Catalog } from '../../catalog/index.ts';
import { catalogDocuments } from '../retrieve/documents/catalog-documents.ts';
import { RETRIEVAL_DEFAULTS } from '../retrieve/settings/retrieval-settings.ts';
import type { Found, FoundTable } from '../retrieve/settings/retrieved.ts';
import { searchTables, type TableStanding } from '../retrieve/tables/search-tables.ts';
import { indexTables, type TableIndex } from '../retrieve/tables/table-index.ts';
import { openSearchFile } from '../search/open-search-file.ts';
import type { SearchStore } from '../search/search-store.ts';
import { type Lake, openLake } from './open-lake.ts';
import { searchLake } from './search-lake.ts';

const days = Array.from(
  { length: 40 },
  (_, at) => `web.ga_sessions_201707${String(at + 1).padStart(2, '0')}`,
);
const states = 'ohio iowa utah texas maine idaho nevada kansas oregon'.split(' ');
const { tables: shop } = smallCatalog({
  ...Object.fromEntries(
    days.map((name) => [name, ['visitor_id', 'page:the page that was seen', 'campaign']]),
  ),
  ...Object.fromEntries(states.map((state) => [`geo.census_tracts_${state}`, ['tract', 'population']])),
  'sales.orders': ['order_id', 'customer_id', 'qty', 'order_date'],
  'sales.order_items': ['order_id', 'product_id', 'price'],
  'sales.customers': ['customer_id', 'city'],
  'sales.CustomerAddresses': ['customer_id', 'street'],
  'sales.orders_copy': ['order_id', 'customer_id', 'qty', 'order_date', 'copied_at'],
  'hr.staff': ['staff_id', 'salary:what the company pays a month'],
});
const catalog: Catalog = {
  ...{ database: 'shop', dialect: 'duckdb', foreignKeys: [], fingerprint: 'x' },
  tables: [...shop, ...lakeTables(120, 0)].map((table) => ({
    ...table,
    columns: table.columns.map(({ profile: _, ...column }) => column),
  })),
};
const QUESTIONS = [
  'Which city do most customers live in?',
  'total quantity of orders',
  'what does the company pay?',
  'pages by campaign on July 3, 2017',
  'population of the census tracts of Texas',
  'how many customer addresses are there?',
  'payments of a customer by invoice',
  'budget of each campaign',
  'device tickets and their shipment',
  'rows of `orders_copy`',
  'the table staff',
];
const STANDINGS: Readonly<Record<string, Partial<TableStanding>>> = {
  'sales.orders_copy': { isDeprecated: true },
  'sales.orders': { isCertified: true, popularity: 4 },
  'hr.staff': { popularity: 9 },
};
const standing = (id: string): TableStanding => ({
  ...{ isCertified: false, isDeprecated: false, popularity: 0 },
  ...STANDINGS[id],
});

let folder = '';
let lake: Lake;
let store: SearchStore;
let tables: TableIndex;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'candor-lake-'));
  store = await openSearchFile(join(folder, 'search.sqlite'));
  const nothing = { table: () => [], column: () => [] };
  await store.sync(['table', 'column'], catalogDocuments(catalog, nothing));
  tables = indexTables(catalog);
  lake = await openLake(join(folder, 'lake.sqlite'), 'test');
  await lake.refresh(listSource(catalog.tables), { database: 'shop' });
  await lake.putPart(
    { name: 'all', stamp: '1' },
    catalog.tables.map(({ id }) => id),
  );
});
afterAll(async () => {
  lake.close();
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

type Ranked = readonly Found<FoundTable>[];

const inLake = async (question: string, parts: readonly string[]) =>
  (
    await searchLake(
      { question, scope: { parts, tables: [], without: [] } },
      { lake, standing },
      RETRIEVAL_DEFAULTS,
    )
  ).tables;
const inCatalog = async (question: string, scope?: ReadonlySet<string>) =>
  (await searchTables({ question, ...(scope && { scope }) }, { store, tables, standing }, RETRIEVAL_DEFAULTS))
    .tables;

/** How much a word tells in a name is counted by families there and by texts here: scores differ that much. */
const CLOSE = 0.05;

/** The same best tables, with the same scores but for a little; and so in the same order but among near equals. */
function expectAlike(fromLake: Ranked, fromCatalog: Ranked): void {
  const last = fromCatalog.at(-1)?.score ?? 0;
  const scoreOf = new Map(fromLake.map(({ item, score }) => [item.tableId, score]));
  for (const { item, score } of fromCatalog) {
    // What stands at the end may have changed places with what was cut off.
    if (fromCatalog.length === RETRIEVAL_DEFAULTS.tables.most && score < last + CLOSE) continue;
    const own = scoreOf.get(item.tableId);
    expect(own, item.tableId).toBeGreaterThan(score - CLOSE);
    expect(own, item.tableId).toBeLessThan(score + CLOSE);
  }
  const [first] = fromCatalog;
  const same = fromLake.find(({ item }) => item.tableId === first?.item.tableId);
  expect(same).toEqual({ ...first, score: expect.any(Number) });
  expect(same?.score).toBeGreaterThan((fromLake[0]?.score ?? 0) - CLOSE);
}

describe('tables of a lake are ranked as those of a catalog', () => {
  it.each(QUESTIONS)('%j', async (question) => {
    expectAlike(await inLake(question, ['all']), await inCatalog(question));
  });

  it('in a scope too, and those that the question names beyond it', async () => {
    const mine = catalog.tables
      .filter(({ schema }) => schema === 'hr' || schema === 'web')
      .map(({ id }) => id);
    await lake.putPart({ name: 'mine', stamp: '1' }, mine);
    for (const question of QUESTIONS)
      expectAlike(await inLake(question, ['mine']), await inCatalog(question, new Set(mine)));
    expect((await inLake('rows of `orders_copy`', ['mine']))[0]?.item.tableId).toBe('sales.orders_copy');
  });
});
