import { describe, expect, it } from 'vitest';
import type { Catalog } from '../../catalog/index.ts';
import { catalogNames } from '../authored/catalog-names.ts';
import { readNotes } from '../authored/read-notes.ts';
import { emptySemanticModel } from '../semantic/read-semantic-model.ts';
import { type DriftSources, findDrift } from './find-drift.ts';

const column = (tableId: string, name: string) =>
  ({ id: `${tableId}.${name}`, tableId, name, type: 'TEXT', family: 'text', isNullable: true }) as const;
const table = (id: string, ...columns: string[]) =>
  ({
    id,
    name: id,
    kind: 'table',
    columns: columns.map((name) => column(id, name)),
    primaryKey: [],
    rowCount: 0,
  }) as const;
const catalog: Catalog = {
  database: 'shop',
  dialect: 'sqlite',
  fingerprint: 'f',
  foreignKeys: [],
  tables: [table('orders', 'id', 'signed_on', 'customer_id'), table('customers', 'id')],
};

function driftOf(parts: Partial<DriftSources>): string[] {
  const authored = { notes: [], jargon: [], statuses: [], areas: [] };
  return findDrift({ catalog, semantics: emptySemanticModel, authored, examples: [], ...parts }).map(
    ({ kind, place, what }) => `${kind} ${place}: ${what}`,
  );
}

function driftOfNotes(text: string): string[] {
  const { notes } = readNotes(text, 'knowledge/x.md', catalogNames(catalog));
  const areas = [{ id: 'sales', name: 'Sales', members: [], includeTables: [], excludeTables: [] }];
  return driftOf({ authored: { notes, jargon: [], statuses: [], areas } });
}

describe('findDrift', () => {
  it.each([
    [
      'nothing in names that are there',
      '- `orders`, `ORDERS.Signed_On`, `customer_id` and `NEV`, `x = old_name`',
      [],
    ],
    [
      'a column that is gone',
      '- by `orders.signd_on`',
      ['note knowledge/x.md:1: there is no column orders.signd_on; nearest: orders.signed_on'],
    ],
    ['a table that is gone', '- see `old_orders`', ['note knowledge/x.md:1: there is no table old_orders']],
    [
      'names of the front matter',
      '---\ntables: [order]\ncolumns: [orders.gone, lost.id]\nareas: [sale]\n---\n- a',
      [
        'note knowledge/x.md:6: there is no column orders.gone',
        'note knowledge/x.md:6: there is no column lost.id',
        'note knowledge/x.md:6: there is no table order; nearest: orders',
        'note knowledge/x.md:6: there is no product area sale; nearest: sales',
      ],
    ],
  ])('finds in notes %s', (_, text, expected) => {
    const found = driftOfNotes(text);
    expect(found).toHaveLength(expected.length);
    for (const [at, start] of expected.entries()) expect(found[at]).toContain(start);
  });

  it('finds statuses and areas of tables that are gone', () => {
    const authored = {
      notes: [],
      jargon: [],
      statuses: [
        {
          table: 'gone',
          status: 'deprecated',
          by: 'ada',
          at: '2025-01-31',
          replacedBy: 'lost',
          place: 'knowledge/status.yml:2',
        },
      ],
      areas: [
        {
          id: 'sales',
          name: 'Sales',
          members: [],
          includeTables: ['orders', 'gone'],
          excludeTables: ['lost'],
        },
      ],
    } as const;
    expect(driftOf({ authored })).toEqual([
      'status knowledge/status.yml:2: there is no table gone',
      'status knowledge/status.yml:2: there is no table lost',
      'area area sales: there is no table gone',
      'area area sales: there is no table lost',
    ]);
  });

  it('finds metrics that name missing columns, and their SQL that is none', () => {
    const metric = (name: string, expression: string) => ({
      name,
      synonyms: [],
      table: 'orders',
      expression,
      filters: [],
      mandatoryDimensions: [],
      conditionalFilters: [],
    });
    const semantics = {
      ...emptySemanticModel,
      metrics: [metric('orders', 'COUNT(orders.idd)'), metric('broken', 'SUM(orders.id')],
    };
    const found = driftOf({ semantics });
    expect(found).toHaveLength(2);
    expect(found[0]).toContain('semantic model semantics: metric orders: unknown column orders.idd');
    expect(found[1]).toContain('brackets do not close');
  });

  it('finds verified pairs that no longer parse or bind', () => {
    const pair = (file: string, sql: string) => ({ question: 'Why?', file, sql });
    expect(
      driftOf({
        examples: [
          pair('good.sql', 'WITH x AS (SELECT id FROM orders) SELECT x.id FROM x'),
          pair('gone.sql', 'SELECT o.signed FROM orders o JOIN customer c ON c.id = o.customer_id'),
          pair('broken.sql', 'SELECT FROM WHERE'),
        ],
      }),
    ).toEqual([
      'example examples/gone.sql: there is no column o.signed; nearest: signed_on',
      'example examples/gone.sql: there is no table customer; nearest: customers',
      expect.stringContaining('example examples/broken.sql: its SQL does not parse'),
    ]);
  });

  it('finds tables in logs that the catalog does not have, but not those it has got since', () => {
    const used = (tableId: string) => ({ tableId, runs: 3, users: 1, popularity: 1, lastAt: '2025-01-31' });
    const usage = {
      tables: [used('orders'), used('dropped')],
      unknownTables: [
        { name: 'other.elsewhere', runs: 7 },
        { name: 'customers', runs: 1 },
      ],
    };
    expect(driftOf({ usage })).toEqual([
      'usage query logs: there is no table dropped (3 runs)',
      'usage query logs: there is no table other.elsewhere (7 runs)',
    ]);
  });
});
