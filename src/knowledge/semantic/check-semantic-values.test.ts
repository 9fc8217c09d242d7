/** Values that people map and compare, against those that are stored in a real file. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSmallSession, type SmallSession } from '../../../test/fixtures/grounded/open-small-session.ts';
import { findDrift } from '../graph/find-drift.ts';
import { checkSemanticModel } from './check-semantic-model.ts';
import { checkSemanticValues } from './check-semantic-values.ts';
import { emptySemanticModel } from './read-semantic-model.ts';
import type { Metric, SemanticModel } from './semantic-model.ts';
import { semanticNotes } from './semantic-notes.ts';

let small: SmallSession;
beforeAll(async () => {
  small = await openSmallSession({
    statements: [
      'CREATE TABLE orders (id INTEGER PRIMARY KEY, status TEXT, level INTEGER, day TEXT)',
      `WITH RECURSIVE rows (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM rows WHERE i < 90)
       INSERT INTO orders SELECT i, CASE WHEN i % 2 THEN 'OPEN' ELSE 'DONE' END, i % 3 * 10, '2024-01-0' || (1 + i % 2) FROM rows`,
    ],
  });
});
afterAll(() => small.close());

const METRIC: Metric = {
  ...{ name: 'sales', synonyms: [], table: 'orders', expression: 'COUNT(orders.id)', filters: [] },
  ...{ mandatoryDimensions: [], conditionalFilters: [] },
};
const DATASET = { name: 'orders', table: 'orders', synonyms: [], primaryKey: [] };
const mapping = (column: string, value: string | number): Partial<SemanticModel> => ({
  valueMappings: [{ column, value, surface: ['finished'] }],
});
const filter = (sql: string): Partial<SemanticModel> => ({ metrics: [{ ...METRIC, filters: [sql] }] });

const CASES: readonly (readonly [what: string, model: Partial<SemanticModel>, said: readonly string[]])[] = [
  ['a mapping that fits', mapping('orders.status', 'DONE'), []],
  ['a mapping that fits a number', mapping('orders.level', 10), []],
  [
    'a mapping to a value that is not there',
    mapping('orders.status', 'DON'),
    ['value mapping finished: orders.status has no value DON.'],
  ],
  [
    'one in other letters',
    mapping('orders.status', 'done'),
    ['value mapping finished: orders.status has no value done.'],
  ],
  ['a number', mapping('orders.level', 40), ['value mapping finished: orders.level has no value 40.']],
  ['a key with many values', mapping('orders.id', 400), []],
  ['a column that is not there', mapping('orders.gone', 'x'), []],
  ['a condition', filter("orders.status = 'SHUT'"), ['metric sales: orders.status has no value SHUT.']],
  [
    'one of a list',
    filter("orders.status IN ('OPEN', 'SHUT')"),
    ['metric sales: orders.status has no value SHUT.'],
  ],
  ['what is excluded', filter("orders.status <> 'SHUT' AND orders.status NOT IN ('VOID')"), []],
  ['a day', filter("orders.day = '2031-01-01'"), []],
  [
    'an expression',
    { metrics: [{ ...METRIC, expression: "SUM(CASE WHEN orders.status = 'WON' THEN 1 END)" }] },
    ['metric sales: orders.status has no value WON.'],
  ],
  [
    'a default condition',
    { datasets: [{ ...DATASET, defaultFilter: { sql: 'orders.level = 15', text: 'all' } }] },
    ['dataset orders: orders.level has no value 15.'],
  ],
];

describe('values of a semantic model', () => {
  it.each(CASES)('%s', (_, model, said) => {
    const semantics = { ...emptySemanticModel, ...model };
    const { catalog } = small.session;
    expect(checkSemanticValues(semantics, catalog).map((text) => text.replace(/; nearest.*/, '.'))).toEqual(
      said,
    );
    const authored = { notes: [], jargon: [], statuses: [], areas: [] };
    const drift = findDrift({ catalog, semantics, authored, examples: [] }).map(({ what }) => what);
    expect(drift).toEqual(expect.arrayContaining([...checkSemanticValues(semantics, catalog)]));
  });
});

describe('what does not fit', () => {
  it('is told to people, and not to a model', () => {
    const semantics: SemanticModel = {
      ...emptySemanticModel,
      ...{
        metrics: [
          { ...METRIC, timeColumn: 'orders.gone' },
          { ...METRIC, name: 'kept' },
        ],
      },
      fields: [{ name: 'old', synonyms: [], table: 'orders', column: 'orders.gone' }],
      datasets: [
        {
          ...{ ...DATASET, description: 'Orders', timeColumn: 'orders.gone', displayColumn: 'orders.gone' },
          defaultFilter: { sql: 'orders.gone = 0', text: 'not deleted' },
        },
      ],
      valueMappings: [
        { column: 'orders.status', value: 'SHUT', surface: ['closed'] },
        { column: 'orders.status', value: 'DONE', surface: ['finished'] },
      ],
    };
    const { catalog } = small.session;
    const notes = semanticNotes(semantics, catalog);
    expect(notes.metrics.map(({ name }) => name)).toEqual(['kept']);
    expect(notes.tables.get('orders')).toEqual(['Orders']);
    expect(notes.columns.get('orders.status')).toEqual(['"DONE" is finished']);
    const said = [...checkSemanticModel(semantics, catalog), ...checkSemanticValues(semantics, catalog)];
    for (const owner of ['field old', 'metric sales', 'dataset orders', 'value mapping closed'])
      expect(said.join('\n')).toContain(`${owner}: `);
  });
});
