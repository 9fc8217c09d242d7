import { describe, expect, it } from 'vitest';
import { smallCatalog } from '../../../test/fixtures/retrieval/small-catalog.ts';
import { type Script, scriptedModel, textOf } from '../../../test/models/scripted-model.ts';
import type { Catalog } from '../../catalog/index.ts';
import { shareCatalog } from '../../catalog/share/index.ts';
import { buildKnowledgeGraph } from '../../knowledge/graph/index.ts';
import { type Found, type FoundTable, indexTables, type Retrieved } from '../../knowledge/retrieve/index.ts';
import { emptySemanticModel } from '../../knowledge/semantic/index.ts';
import { type LedgerEntry, TokenLedger } from '../../model/index.ts';
import { rankByRetrieval } from '../../reasoning/grounded/index.ts';
import { rankByModel } from '../../reasoning/llm/rank-by-model.ts';
import type { RankReasoner } from '../../reasoning/roles/rank-reasoner.ts';
import { linkByRankers } from './link-by-rankers.ts';
import { RANKER_DEFAULTS, type RankerSettings } from './ranker-settings.ts';

const wide = Array.from({ length: 250 }, (_, at) => `c${at}`);
const plain = smallCatalog({
  'sales.Orders': ['id', 'customer_id', 'status', 'day'],
  'sales.Customers': ['id', 'city', 'name'],
  'sales.Returns': ['id', 'order_id'],
  'web.ga_sessions_20170801': ['visitor', 'page'],
  'web.ga_sessions_20170802': ['visitor', 'page'],
  'misc.wide': wide,
});
const catalog: Catalog = {
  ...plain,
  tables: plain.tables.map((table) =>
    table.id === 'sales.orders'
      ? { ...table, primaryKey: ['sales.orders.id'], partitionKey: ['sales.orders.day'] }
      : table,
  ),
  foreignKeys: [
    {
      fromTable: 'sales.orders',
      fromColumns: ['sales.orders.customer_id'],
      toTable: 'sales.customers',
      toColumns: ['sales.customers.id'],
      source: 'declared',
    },
  ],
};
const tables = indexTables(shareCatalog(catalog, 'all'));
const graph = buildKnowledgeGraph({
  catalog,
  semantics: emptySemanticModel,
  authored: {
    notes: [
      {
        id: 'n1',
        text: 'open orders have the status N',
        kind: 'data',
        topic: [],
        areas: [],
        tables: ['sales.orders'],
        columns: [],
        place: 'knowledge/orders.md:1',
      },
    ],
    jargon: [],
    statuses: [],
    areas: [],
  },
  examples: [],
});

function found(tableId: string, score: number, more: Partial<FoundTable> = {}): Found<FoundTable> {
  return {
    item: { tableId, isCertified: false, isDeprecated: false, popularity: 0, ...more },
    score,
    because: [`it is found with ${score}`],
  };
}

const retrieved: Retrieved = {
  tables: [
    found('sales.orders', 0.9),
    found('misc.wide', 0.8),
    found('sales.customers', 0.4),
    found('sales.returns', 0.4, { isCertified: true }),
    found('web.ga_sessions_20170801', 0.1),
  ],
  columns: [
    { item: { columnId: 'sales.orders.status' }, score: 1, because: ['its name has words of the question'] },
    { item: { columnId: 'sales.customers.name' }, score: 0.3, because: ['its description has words'] },
  ],
  values: [
    {
      item: {
        columnId: 'sales.customers.city',
        values: [{ value: 'Lyon', keyword: 'lyon', match: 'folded', ratio: 1 }],
      },
      score: 1,
      because: [],
    },
  ],
  examples: [],
  notes: [],
  jargon: [],
  metrics: [],
  dimensions: [],
  truncations: [],
  warnings: [],
};

async function link(
  reasoner: RankReasoner,
  settings: Partial<RankerSettings> = {},
  more: { readonly retrieved?: Retrieved; readonly ledger?: TokenLedger } = {},
) {
  const ledger = more.ledger ?? new TokenLedger();
  const sources = {
    tables,
    retrieved: more.retrieved ?? retrieved,
    graph,
    sharing: 'all' as const,
    membersOf: (id: string) => (id.startsWith('web.') ? ['web.ga_sessions_20170802', id] : []),
  };
  const question = { text: 'status of orders in Lyon', knowledge: [], ledger };
  return linkByRankers(question, reasoner, sources, { ...RANKER_DEFAULTS, ...settings });
}

const scores = (given: Readonly<Record<string, number>>): string =>
  JSON.stringify({
    tables: Object.entries(given).map(([name, score]) => ({ name, score, because: `worth ${score}` })),
  });
const tiers = (relevant: readonly string[], maybe: readonly string[] = []): string => {
  const read = (path: string) => {
    const [table = '', column = ''] = path.split('/');
    return { table, column, because: 'needed' };
  };
  return JSON.stringify({ relevant: relevant.map(read), maybe: maybe.map(read) });
};
const modelOf = (script: Script) => {
  const model = scriptedModel(script);
  return { model, reasoner: rankByModel(model) };
};
type Linked = Awaited<ReturnType<typeof link>>;
const idsOf = ({ items }: Linked, kind: 'table' | 'field') =>
  items.filter((item) => item.kind === kind).map(({ id }) => id);
const itemOf = ({ items }: Linked, id: string) => items.find((item) => item.id === id);

describe('linking by rankers without a model', () => {
  it('keeps the best tables, found columns in two tiers, and the keys that join them', async () => {
    const linked = await link(rankByRetrieval(), { keepTables: 4 });
    expect(linked.mode).toBe('rankers');
    expect(idsOf(linked, 'table')).toEqual(['sales.orders', 'sales.customers', 'sales.returns', 'misc.wide']);
    expect(itemOf(linked, 'sales.orders')).toMatchObject({ score: 1, tier: 'relevant' });
    expect(itemOf(linked, 'sales.orders.status')?.tier).toBe('relevant');
    expect(itemOf(linked, 'sales.orders.day')?.because[0]?.kind).toBe('partition');
    expect(itemOf(linked, 'sales.customers.id')?.because[0]?.kind).toBe('key');
    expect(itemOf(linked, 'sales.customers.name')?.tier).toBe('maybe');
    expect(linked.calls).toEqual([]);
    expect(linked.why[0]).toBe('4 of 5 tables, scored from 1 to 10');
  });

  it('says what was left out, and why', async () => {
    const linked = await link(rankByRetrieval(), { keepTables: 4, retrieveTables: 4 });
    expect(linked.leftOut).toEqual(['4 of 5 tables found were ranked']);
    const fewer = await link(rankByRetrieval(), { keepTables: 4 });
    expect(fewer.discarded).toMatchObject([
      { id: 'web.ga_sessions_20170801', because: [{ text: '2 of 10: it is found with 0.1' }] },
    ]);
  });

  it('takes the first tables of the catalog where retrieval found none', async () => {
    const linked = await link(rankByRetrieval(), {}, { retrieved: { ...retrieved, tables: [] } });
    expect(linked.items.length).toBeGreaterThan(0);
    expect(linked.warnings[0]).toBe('retrieval found no table: the first 5 of the catalog were taken');
  });
});

describe('linking by a model that ranks', () => {
  const all = {
    'sales.Orders': 9,
    customers: 7,
    'sales.returns': 7,
    'misc.wide': 1,
    ga_sessions_20170801: 1,
  };

  it('orders tables by score, then certified, then popular, then as they were found', async () => {
    const { reasoner } = modelOf([scores({ ...all, 'sales.Orders': 7 }), tiers([])]);
    const linked = await link(reasoner, { keepTables: 2 });
    expect(idsOf(linked, 'table')).toEqual(['sales.orders', 'sales.returns']);
    expect(linked.discarded.map(({ id }) => id)).toEqual([
      'sales.customers',
      'misc.wide',
      'web.ga_sessions_20170801',
    ]);
  });

  it('takes columns by their names, in two tiers, with values and keys', async () => {
    const { reasoner } = modelOf([
      scores(all),
      tiers(['sales.Orders/STATUS', 'customers/city'], ['customers/name', 'Orders/status']),
    ]);
    const linked = await link(reasoner, { keepTables: 3 });
    const fields = linked.items.flatMap(({ id, kind, tier }) => (kind === 'field' ? [`${id} ${tier}`] : []));
    expect(fields).toEqual([
      'sales.orders.customer_id relevant',
      'sales.orders.status relevant',
      'sales.orders.day relevant',
      'sales.customers.id relevant',
      'sales.customers.city relevant',
      'sales.customers.name maybe',
    ]);
    expect(itemOf(linked, 'sales.customers.city')?.because).toEqual([
      { kind: 'ranker', text: 'relevant: needed' },
      { kind: 'value', text: 'it holds “Lyon”' },
    ]);
    expect(itemOf(linked, 'sales.orders.customer_id')?.because).toEqual([
      { kind: 'key', text: 'joins sales.customers (declared key)' },
    ]);
    expect(linked.catalog.foreignKeys.length).toBe(1);
    expect(linked.why[1]).toBe('5 columns relevant, 1 maybe');
  });

  it('passes over names that are not there, and says how many', async () => {
    const { reasoner } = modelOf([
      scores({ ...all, secrets: 10, constructor: 10 }),
      tiers(['orders/status', 'orders/password', 'secrets/key', 'misc.wide/c1']),
    ]);
    const linked = await link(reasoner, { keepTables: 1 });
    expect(idsOf(linked, 'field')).toEqual(['sales.orders.status', 'sales.orders.day']);
    expect(linked.warnings).toEqual([
      'the table ranker gave names that are not in its list: 2',
      'the column ranker gave names that are not in its schema: 3',
    ]);
  });

  it('puts a table of no use aside although there is room, yet keeps the best', async () => {
    const useful = modelOf([scores(all), tiers([])]);
    expect(idsOf(await link(useful.reasoner), 'table')).toEqual([
      'sales.orders',
      'sales.customers',
      'sales.returns',
    ]);
    const ones = Object.fromEntries(Object.keys(all).map((name) => [name, 1]));
    const useless = modelOf([scores(ones), tiers([])]);
    expect(idsOf(await link(useless.reasoner), 'table').length).toBe(1);
  });

  it('puts tables without a score last and says so', async () => {
    const { reasoner } = modelOf([scores({ customers: 2 }), tiers([])]);
    const linked = await link(reasoner, { keepTables: 1 });
    expect(idsOf(linked, 'table')).toEqual(['sales.customers']);
    expect(linked.warnings).toEqual(['the table ranker left 4 of 5 tables unscored']);
  });

  it('keeps the order of retrieval, and all columns as maybe, where replies cannot be used', async () => {
    const { reasoner } = modelOf(() => 'I would rather not.');
    const linked = await link(reasoner, { keepTables: 1 });
    expect(idsOf(linked, 'table')).toEqual(['sales.orders']);
    expect(linked.items.filter(({ tier }) => tier === 'maybe').map(({ id }) => id)).toEqual([
      'sales.orders.id',
      'sales.orders.customer_id',
      'sales.orders.status',
    ]);
    expect(linked.warnings.map((text) => text.slice(0, 45))).toEqual([
      'tables stay in the order of retrieval: script',
      'columns kept as maybe, all 4 of one call: scr',
    ]);
  });

  it('lets other failures through', async () => {
    const { reasoner } = modelOf([new Error('the wire was cut')]);
    await expect(link(reasoner)).rejects.toThrow('the wire was cut');
  });

  it('splits a wide table, and asks for parts together while they have room', async () => {
    const { reasoner, model } = modelOf(({ messages }) =>
      messages[0]?.content.includes('score each table')
        ? scores({ ...all, 'misc.wide': 10 })
        : tiers(['misc.wide/c249']),
    );
    const linked = await link(reasoner, { keepTables: 2, callColumns: 200 });
    const calls = model.requests.slice(1).map((request) => textOf(request));
    expect(calls.map((text) => text.match(/part \d of \d/g))).toEqual([
      ['part 1 of 3'],
      ['part 2 of 3', 'part 3 of 3'],
    ]);
    expect(itemOf(linked, 'misc.wide.c249')?.tier).toBe('relevant');
  });

  it('gives every member of a family the columns of the one that was shown', async () => {
    const { reasoner } = modelOf([
      scores({ ...all, ga_sessions_20170801: 10 }),
      tiers(['ga_sessions_20170801/page']),
    ]);
    const linked = await link(reasoner, { keepTables: 1 });
    expect(linked.items.map(({ id }) => id)).toEqual([
      'web.ga_sessions_20170801',
      'web.ga_sessions_20170801.page',
      'web.ga_sessions_20170802',
      'web.ga_sessions_20170802.page',
    ]);
  });

  it('shows the table ranker joins and notes, and schemas only where they are wanted', async () => {
    const asked = async (showSchemas: boolean) => {
      const { reasoner, model } = modelOf([scores(all), tiers([])]);
      await link(reasoner, { showSchemas, keepTables: 1 });
      return textOf(model.requests[0] ?? { messages: [] });
    };
    const text = await asked(false);
    expect(text).toContain('joined with: sales.customers on customer_id = id (declared key)');
    expect(text).toContain('notes: open orders have the status N');
    expect(text).toContain('city holds “Lyon”');
    expect(text).not.toContain('columns: ');
    expect(await asked(true)).toContain('columns: id, customer_id, status, day');
  });

  it.each([
    [false, true, ['rank columns'], 2],
    [true, false, ['rank tables'], 4],
    [false, false, [], 4],
  ])('asks for less with switches %s and %s', async (useTableRanker, useColumnRanker, roles, fields) => {
    const { reasoner } = modelOf(({ messages }) =>
      messages[0]?.content.includes('score each table') ? scores(all) : tiers(['orders/status']),
    );
    const linked = await link(reasoner, { useTableRanker, useColumnRanker, keepTables: 1 });
    expect(linked.calls.map(({ role }: LedgerEntry) => role)).toEqual(roles);
    expect(idsOf(linked, 'field').length).toBe(fields);
  });

  it('reports the calls of this linking only', async () => {
    const ledger = new TokenLedger();
    ledger.add('validate', { promptTokens: 5, completionTokens: 5 });
    const { reasoner } = modelOf([scores(all), tiers([])]);
    const linked = await link(reasoner, {}, { ledger });
    expect(linked.calls.map(({ role }) => role)).toEqual(['rank tables', 'rank columns']);
    const spent = linked.calls.reduce((sum, call) => sum + call.promptTokens + call.completionTokens, 0);
    expect(ledger.total).toBe(spent + 10);
  });
});

it('a table with the id of a column is another item than the column', async () => {
  const shared = indexTables(smallCatalog({ sales: ['id', 'region'], 'sales.region': ['id', 'name'] }));
  const question = { text: 'sales by region name', knowledge: [], ledger: new TokenLedger() };
  const { items, catalog: part } = await linkByRankers(
    question,
    rankByRetrieval(),
    {
      ...{ tables: shared, sharing: 'all' as const, membersOf: () => [] },
      retrieved: {
        ...retrieved,
        tables: [found('sales', 0.9), found('sales.region', 0.8)],
        columns: [],
        values: [],
      },
    },
    { ...RANKER_DEFAULTS, useTableRanker: false, useColumnRanker: false },
  );
  expect(items.map(({ kind, id }) => `${kind} ${id}`)).toEqual([
    ...['table sales', 'field sales.id', 'field sales.region'],
    ...['table sales.region', 'field sales.region.id', 'field sales.region.name'],
  ]);
  expect(part.tables.map(({ columns }) => columns.length)).toEqual([2, 2]);
});
