import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Catalog, Column, Table } from '../../catalog/index.ts';
import { checkSemanticModel } from './check-semantic-model.ts';
import { emptySemanticModel, readSemanticModel } from './read-semantic-model.ts';
import type { Metric, SemanticModel } from './semantic-model.ts';

const SHOP = fileURLToPath(new URL('../../../test/fixtures/semantics/shop', import.meta.url));
const CATALOG: Catalog = {
  database: 'shop',
  dialect: 'sqlite',
  tables: [
    makeTable('orders', 'id customer_id status day amount paid level deleted'),
    makeTable('customers', 'id country'),
  ],
  foreignKeys: [],
  fingerprint: 'test',
};

function makeTable(id: string, columns: string): Table {
  return {
    id,
    name: id,
    kind: 'table',
    ownsRows: true,
    primaryKey: [`${id}.id`],
    rowCount: 0,
    columns: columns.split(' ').map(
      (name): Column => ({
        id: `${id}.${name}`,
        tableId: id,
        name,
        type: 'TEXT',
        family: 'text',
        isNullable: true,
      }),
    ),
  };
}

const METRIC: Metric = {
  name: 'revenue',
  synonyms: [],
  table: 'orders',
  expression: 'SUM(orders.amount)',
  filters: [],
  mandatoryDimensions: [],
  conditionalFilters: [],
};
const RATIO: Metric = { ...METRIC, name: 'share', table: undefined, expression: undefined };

const SALES: SemanticModel['datasets'][number] = {
  name: 'sales',
  table: 'orders',
  synonyms: [],
  primaryKey: [],
};

/** Each model has one fault more than the empty one. */
const FAULTS: readonly (readonly [fault: string, model: Partial<SemanticModel>, problem: string])[] = [
  [
    'table of a dataset',
    { datasets: [{ name: 'sales', table: 'order', synonyms: [], primaryKey: [] }] },
    'dataset sales: unknown table order; nearest: orders.',
  ],
  [
    'column of another table',
    {
      datasets: [
        { name: 'sales', table: 'orders', synonyms: [], primaryKey: [], timeColumn: 'customers.id' },
      ],
    },
    'dataset sales: customers.id is not a column of orders.',
  ],
  [
    'column in a row filter',
    { datasets: [{ ...SALES, rowFilter: 'level = :level AND owner = :owner' }] },
    'dataset sales: the row filter of orders names owner, which has no meaning there.',
  ],
  [
    'table in a row filter',
    { datasets: [{ ...SALES, rowFilter: 'level IN (SELECT level FROM rights)' }] },
    'dataset sales: the row filter of orders names',
  ],
  [
    'row filter that leaves its brackets',
    { datasets: [{ ...SALES, rowFilter: 'level = 1) OR (1 = 1' }] },
    'dataset sales: the row filter of orders is no condition of its own.',
  ],
  [
    'masked column',
    { datasets: [{ ...SALES, columnMasks: { 'orders.amonut': 'NULL' } }] },
    'dataset sales: unknown column orders.amonut; nearest: orders.amount',
  ],
  [
    'column in a mask',
    { datasets: [{ ...SALES, columnMasks: { 'orders.amount': 'amuont / 10' } }] },
    'dataset sales: the mask of orders.amount names amuont, which has no meaning there.',
  ],
  [
    'trusted view that is a table',
    { datasets: [{ ...SALES, isTrustedView: true }] },
    'dataset sales: orders shows rows of its own alone; trusted_view is for views and tables that show others.',
  ],
  [
    'column in an expression',
    { metrics: [{ ...METRIC, expression: 'SUM(orders.amonut)' }] },
    'metric revenue: unknown column orders.amonut; nearest: orders.amount',
  ],
  [
    'column in a filter',
    { metrics: [{ ...METRIC, filters: ["Orders.Stats = 'x.y'"] }] },
    'metric revenue: unknown column orders.stats; nearest: orders.status',
  ],
  [
    'mandatory dimension',
    { metrics: [{ ...METRIC, mandatoryDimensions: ['countri'] }], dimensions: [makeDimension('country')] },
    'metric revenue: unknown dimension countri; nearest: country.',
  ],
  [
    'half of a ratio',
    { metrics: [METRIC, { ...RATIO, ratio: { numerator: 'revenues', denominator: 'revenue' } }] },
    'metric share: unknown metric revenues; nearest: revenue.',
  ],
  [
    'ratio of ratios',
    { metrics: [METRIC, { ...RATIO, ratio: { numerator: 'revenue', denominator: 'share' } }] },
    'metric share: share is a ratio itself; a ratio needs two plain metrics.',
  ],
  [
    'two metrics of one word',
    { metrics: [METRIC, { ...METRIC, name: 'turnover', synonyms: ['Revenue'] }] },
    'metric word revenue stands twice.',
  ],
  [
    'way to a dimension',
    { dimensions: [{ ...makeDimension('country'), via: { orders: 'buyer' } }] },
    'dimension country: unknown relationship buyer.',
  ],
  [
    'column of a value mapping',
    { valueMappings: [{ column: 'orders.state', value: 3, surface: ['sent'] }] },
    'value mapping sent: unknown column orders.state; nearest: orders.status',
  ],
  [
    'one word for two values',
    {
      valueMappings: [
        { column: 'orders.status', value: 3, surface: ['sent'] },
        { column: 'orders.status', value: 4, surface: ['Sent'] },
      ],
    },
    'value mapping sent of orders.status stands twice.',
  ],
];

function makeDimension(name: string): SemanticModel['dimensions'][number] {
  return { name, synonyms: [], table: 'customers', column: 'customers.country', isTime: false };
}

describe('checkSemanticModel', () => {
  it('finds nothing in a model that fits', async () => {
    expect(checkSemanticModel(await readSemanticModel(SHOP), CATALOG)).toEqual([]);
  });

  it.each(FAULTS)('names the %s', (_fault, model, problem) => {
    const problems = checkSemanticModel({ ...emptySemanticModel, ...model }, CATALOG);
    expect(problems).toEqual([expect.stringContaining(problem)]);
  });
});
