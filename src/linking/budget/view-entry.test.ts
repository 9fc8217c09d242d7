import { describe, expect, it } from 'vitest';
import { smallCatalog } from '../../../test/fixtures/retrieval/small-catalog.ts';
import { indexTables } from '../../knowledge/retrieve/index.ts';
import { rememberShape, type Shapes, viewEntry } from './view-entry.ts';

const PARTS = Array.from({ length: 40 }, (_, at) => `part_${at}`);
const LONG_TEXT = 'Every lamp that was ever sold, with what became of it. '.repeat(4).trim();
const plain = smallCatalog({
  'shop.lamps_sold': PARTS,
  'shop.lamps_returned': PARTS,
  'shop.pairs': ['one', 'two'],
  'shop.couples': ['one', 'two'],
  'web.visits_20170812': ['visitor', 'page', 'seconds', 'device'],
  'web.visits_20170813': ['visitor', 'page', 'seconds', 'device'],
});
const tables = indexTables({
  ...plain,
  tables: plain.tables.map((table) => ({
    ...table,
    comment: LONG_TEXT,
    columns: table.columns.map((column) => ({ ...column, comment: 'a part' })),
  })),
});

/** What is shown of tables, each at its place, in the order in which they are given. */
function entries(
  places: Readonly<Record<string, number>>,
  { question = 'lamps', linked = [] }: { question?: string; linked?: readonly string[] } = {},
) {
  const shapes: Shapes = new Map();
  const sources = {
    question,
    tables,
    opinion: { columnPromise: () => 0.1 },
    isLinked: (id: string) => linked.includes(id),
  };
  return Object.entries(places).flatMap(([id, place]) => {
    const family = tables.familyOf(id);
    const entry = family === undefined ? [] : viewEntry(family, place, shapes, sources);
    rememberShape(entry, tables, shapes);
    return entry;
  });
}

describe('viewEntry', () => {
  it.each([
    [0, 24, 'a part'],
    [11, 24, 'a part'],
    [12, 6, 'a part'],
    [39, 6, 'a part'],
    [40, 6, undefined],
  ])('shows of the table at place %i %i columns, of which is told: %s', (place, count, told) => {
    const [lamps] = entries({ 'shop.lamps_sold': place });
    expect(lamps?.columns).toHaveLength(count);
    expect(new Set(lamps?.columns.map(({ comment }) => comment))).toEqual(new Set([told]));
    expect(lamps?.comment).toBe(told === undefined ? `${LONG_TEXT.slice(0, 80).trimEnd()}…` : LONG_TEXT);
  });

  it('names the table that shows the same columns', () => {
    const [sold, returned] = entries({ 'shop.lamps_sold': 0, 'shop.lamps_returned': 1 });
    expect(sold?.columns).toHaveLength(24);
    expect(returned).toMatchObject({ columns: [], comment: 'columns as in shop.lamps_sold' });
  });

  it('shows them again where others of them were linked', () => {
    const linked = ['shop.lamps_sold.part_39', 'shop.lamps_returned.part_38'];
    const [, returned] = entries({ 'shop.lamps_sold': 0, 'shop.lamps_returned': 1 }, { linked });
    expect(returned?.columns.map(({ name }) => name)).toContain('part_38');
    expect(returned?.comment).toBe(LONG_TEXT);
  });

  it('shows a few columns again rather than where they stand', () => {
    const [, couples] = entries({ 'shop.pairs': 0, 'shop.couples': 1 });
    expect(couples?.columns).toHaveLength(2);
  });

  it('shows the columns of a family once', () => {
    const question = 'visits on August 12 and 13, 2017';
    const shown = entries({ 'web.visits_20170812': 0 }, { question });
    expect(shown.map(({ name, columns }) => [name, columns.length])).toEqual([
      ['visits_20170813', 4],
      ['visits_20170812', 0],
    ]);
    expect(shown[0]?.comment).toMatch(
      /^one of 2 tables with these columns, visits_20170812 to visits_20170813\. Every lamp/,
    );
    expect(shown[1]?.comment).toBe('columns as in web.visits_20170813');
  });
});
