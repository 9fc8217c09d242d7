import { describe, expect, it } from 'vitest';
import { smallCatalog } from '../../../test/fixtures/retrieval/small-catalog.ts';
import { indexTables } from '../../knowledge/retrieve/index.ts';
import { emptySemanticModel } from '../../knowledge/semantic/index.ts';
import { TokenLedger } from '../../model/index.ts';
import { LINK_DEFAULTS, linkSchema } from '../link-schema.ts';
import { prepareLinking } from '../link-sources.ts';
import type { LinkedItem, LinkMode } from './linked-schema.ts';
import { itemKey, orderItems } from './linked-schema.ts';

/** The column `region` of the table `sales` has the id of the table `region` of the schema `sales`. */
const CATALOG = smallCatalog({ sales: ['id', 'region'], 'sales.region': ['id', 'name'] });

const item = (kind: LinkedItem['kind'], id: string, text = id): LinkedItem => ({
  ...{ kind, id, tier: 'relevant', isAuto: false },
  because: [{ kind: 'name', text }],
});

it('orders by the catalog, each item once: the last word on it, none of an unknown one', () => {
  const given = [
    item('field', 'sales.region.id'),
    item('table', 'sales.region'),
    item('field', 'sales.region', 'first'),
    item('field', 'nothing.here'),
    item('field', 'sales.region', 'last'),
    item('table', 'sales'),
  ];
  expect(orderItems(given, indexTables(CATALOG))).toEqual([
    item('table', 'sales'),
    item('field', 'sales.region', 'last'),
    item('table', 'sales.region'),
    item('field', 'sales.region.id'),
  ]);
});

describe('a table with the id of a column', () => {
  const MODES: readonly LinkMode[] = ['full', 'filter', 'evilink'];
  it.each(MODES)('is another item than the column, in the mode %s', async (mode) => {
    const all = { table: 1e-9, column: 1e-9 };
    const linked = await linkSchema(
      { text: 'sales by region name and id', knowledge: [], ledger: new TokenLedger() },
      {
        ...(await prepareLinking(CATALOG)),
        ...{ semantics: emptySemanticModel, keywords: [], quoted: [], readings: () => [] },
      },
      { ...LINK_DEFAULTS, mode, risks: all, grounded: { wide: all, narrow: all, keepFrom: 0 } },
    );
    expect(linked.items.map(itemKey)).toEqual([
      'table sales',
      'field sales.id',
      'field sales.region',
      'table sales.region',
      'field sales.region.id',
      'field sales.region.name',
    ]);
    expect(linked.catalog.tables.map(({ columns }) => columns.length)).toEqual([2, 2]);
  });
});
