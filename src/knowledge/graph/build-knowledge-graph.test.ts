import { describe, expect, it } from 'vitest';
import { storedClusters } from '../../../test/fixtures/stored-clusters.ts';
import type { Catalog, ForeignKey, Table } from '../../catalog/index.ts';
import type { Authored } from '../authored/authored.ts';
import { emptySemanticModel } from '../semantic/read-semantic-model.ts';
import type { SemanticModel } from '../semantic/semantic-model.ts';
import { TableAccesses } from '../usage/table-accesses.ts';
import type { Usage } from '../usage/usage.ts';
import { buildKnowledgeGraph } from './build-knowledge-graph.ts';

function table(id: string, columns: readonly string[], more: Partial<Table> = {}): Table {
  return {
    id,
    name: id.split('.').at(-1) ?? id,
    kind: 'table',
    columns: columns.map((name) => ({
      id: `${id}.${name}`,
      tableId: id,
      name,
      type: 'TEXT',
      family: 'text',
      isNullable: true,
      ...(name === 'city' ? { comment: 'where it is' } : {}),
    })),
    primaryKey: [],
    rowCount: 0,
    ...more,
  };
}

function key(from: string, to: string, source: ForeignKey['source']): ForeignKey {
  const [fromTable = '', toTable = ''] = [from, to].map((id) => id.slice(0, id.lastIndexOf('.')));
  return { fromTable, fromColumns: [from], toTable, toColumns: [to], source };
}

const catalog: Catalog = {
  database: 'shop',
  dialect: 'sqlite',
  fingerprint: 'f',
  tables: [
    table('sales.orders', ['id', 'customer_id', 'city'], {
      comment: 'orders',
      partitionKey: ['sales.orders.id'],
    }),
    table('customers', ['id', 'region']),
    table('regions', ['id']),
  ],
  foreignKeys: [
    key('sales.orders.customer_id', 'customers.id', 'inferred'),
    key('customers.region', 'regions.id', 'semantic'),
    key('sales.orders.customer_id', 'customers.id', 'declared'),
  ],
};

const semantics: SemanticModel = {
  ...emptySemanticModel,
  datasets: [
    {
      name: 'purchases',
      table: 'orders',
      source: 'warehouse.sales.orders',
      synonyms: ['deals', 'orders'],
      description: 'what customers signed',
      primaryKey: [],
    },
  ],
  dimensions: [
    {
      name: 'town',
      synonyms: ['city'],
      description: 'town of the shop',
      table: 'orders',
      column: 'orders.city',
      isTime: false,
    },
  ],
  jargon: [
    { term: 'POS', meaning: 'shop' },
    { term: 'nev', meaning: 'a car' },
  ],
};

const authored: Authored = {
  notes: [
    {
      id: 'a.md#1',
      text: 'an order counts when signed',
      kind: 'data',
      topic: [],
      areas: [],
      tables: ['sales.orders'],
      columns: ['customers.region'],
      by: 'ada',
      at: '2025-01-01',
      place: 'knowledge/a.md:1',
    },
  ],
  jargon: [{ term: 'NEV', meaning: 'A car', place: 'knowledge/jargon.md:3' }],
  statuses: [
    {
      table: 'sales.orders',
      status: 'certified',
      by: 'ada',
      at: '2025-01-01',
      place: 'knowledge/status.yml:2',
    },
  ],
  areas: [{ id: 'sales', name: 'Sales', members: ['ben'], includeTables: [], excludeTables: [] }],
};

const join = {
  leftTable: 'customers',
  rightTable: 'sales.orders',
  on: [['customers.id', 'sales.orders.customer_id']],
  runs: 9,
  users: 2,
} as const;
const usage: Usage = {
  from: '2025-01-01',
  to: '2025-01-31',
  tables: [{ tableId: 'customers', runs: 9, users: 2, popularity: 1.7, lastAt: '2025-01-30' }],
  columns: [{ columnId: 'customers.id', runs: 9, users: 2, popularity: 1.5 }],
  joins: [
    join,
    {
      leftTable: 'customers',
      rightTable: 'regions',
      on: [['customers.id', 'regions.id']],
      runs: 1,
      users: 1,
    },
  ],
  coQueried: [
    { leftTable: 'customers', rightTable: 'regions', runs: 1 },
    { leftTable: 'customers', rightTable: 'sales.orders', runs: 9 },
  ],
  accesses: TableAccesses.of([{ user: 'cid', tableId: 'customers', runs: 9 }]),
  examples: [
    {
      key: 'k',
      sql: 'SELECT 1',
      tables: ['customers'],
      runs: 3,
      users: 1,
      author: 'cid',
      firstAt: '2025-01-02',
      lastAt: '2025-01-30',
    },
  ],
};

const graph = buildKnowledgeGraph({
  catalog,
  semantics,
  authored,
  usage,
  readAt: '2025-02-01',
  clustering: await storedClusters({
    clusters: [{ id: 4, tables: [{ tableId: 'customers', score: 1 }] }],
    users: [{ user: 'dee', clusters: [{ id: 4, weight: 3 }] }],
  }),
  examples: [
    {
      question: 'How many?',
      sql: 'WITH x AS (SELECT * FROM "Orders" AS o) SELECT COUNT(*) FROM x JOIN customers c ON c.id = x.customer_id',
      file: 'a.sql',
      verifiedBy: 'ada',
    },
    { question: 'Broken?', sql: 'SELECT FROM WHERE', file: 'b.sql' },
  ],
});

describe('buildKnowledgeGraph', () => {
  it('puts what people say of a table before what the engine says', () => {
    expect(graph.table('sales.orders')).toEqual({
      id: 'sales.orders',
      name: 'orders',
      descriptions: [
        { value: 'what customers signed', from: { source: 'person', place: 'semantics' } },
        { value: 'orders', from: { source: 'engine', at: '2025-02-01' } },
      ],
      synonyms: [
        { value: 'purchases', from: { source: 'person', place: 'semantics' } },
        { value: 'deals', from: { source: 'person', place: 'semantics' } },
      ],
      status: {
        value: authored.statuses[0],
        from: { source: 'person', by: 'ada', at: '2025-01-01', place: 'knowledge/status.yml:2' },
      },
      clusterIds: [],
      columnIds: ['sales.orders.id', 'sales.orders.customer_id', 'sales.orders.city'],
    });
    expect(graph.table('customers')).toMatchObject({
      descriptions: [],
      popularity: { value: 1.7, from: { source: 'usage', at: '2025-01-31', place: 'query logs' } },
      clusterIds: [4],
    });
    expect(graph.table('gone')).toBeUndefined();
  });

  it('knows columns by the dimensions over them', () => {
    expect(graph.column('sales.orders.city')).toEqual({
      id: 'sales.orders.city',
      tableId: 'sales.orders',
      name: 'city',
      descriptions: [
        { value: 'town of the shop', from: { source: 'person', place: 'semantics' } },
        { value: 'where it is', from: { source: 'engine', at: '2025-02-01' } },
      ],
      synonyms: [{ value: 'town', from: { source: 'person', place: 'semantics' } }],
      isPartitionKey: false,
    });
    expect(graph.column('sales.orders.id')?.isPartitionKey).toBe(true);
    expect(graph.column('customers.id')?.popularity?.value).toBe(1.5);
    expect(graph.column('customers.gone')).toBeUndefined();
  });

  it('merges joins from everybody, surest first', () => {
    expect(graph.joins('customers')).toEqual([
      {
        leftTable: 'customers',
        rightTable: 'sales.orders',
        on: [['customers.id', 'sales.orders.customer_id']],
        said: [
          { value: 'declared', from: { source: 'engine' } },
          { value: join, from: { source: 'usage', at: '2025-01-31', place: 'query logs' } },
          { value: 'inferred', from: { source: 'model', by: 'candor', place: 'names and values' } },
        ],
      },
      {
        leftTable: 'customers',
        rightTable: 'regions',
        on: [['customers.region', 'regions.id']],
        said: [{ value: 'semantic', from: { source: 'person', place: 'semantics' } }],
      },
      expect.objectContaining({ on: [['customers.id', 'regions.id']] }),
    ]);
    expect(graph.joins('regions')).toHaveLength(2);
    expect(graph.coQueried('customers').map(({ runs }) => runs)).toEqual([9, 1]);
    expect(graph.joins('gone')).toEqual([]);
  });

  it('finds notes and examples of a table, checked ones first', () => {
    for (const id of ['sales.orders', 'customers'])
      expect(graph.notesOf(id).map(({ value, from }) => [value.id, from])).toEqual([
        ['a.md#1', { source: 'person', by: 'ada', at: '2025-01-01', place: 'knowledge/a.md:1' }],
      ]);
    expect(graph.examplesOf('sales.orders').map(({ from }) => from)).toEqual([
      { source: 'person', by: 'ada', place: 'examples/a.sql' },
    ]);
    expect(graph.examplesOf('customers').map(({ from }) => from.place)).toEqual([
      'examples/a.sql',
      'query logs',
    ]);
  });

  it('has the terms of files and of the semantic model, equal ones once', () => {
    expect(graph.jargon.map(({ value }) => `${value.term} ${value.place}`)).toEqual([
      'NEV knowledge/jargon.md:3',
      'POS semantics',
    ]);
  });

  it('counts', () => {
    expect(graph.users).toEqual(['ben', 'cid', 'dee']);
    expect(graph.stats()).toEqual({
      things: {
        table: 3,
        column: 6,
        join: 3,
        note: 1,
        jargon: 2,
        area: 1,
        user: 3,
        example: 3,
        metric: 0,
        dimension: 1,
        cluster: 1,
      },
      // Of the engine: two comments and a declared key; inferred by us: one key.
      facts: { person: 14, import: 0, engine: 3, usage: 5, model: 1 },
      undescribed: { tables: 2, columns: 5 },
    });
  });
});
