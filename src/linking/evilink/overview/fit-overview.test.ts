import { describe, expect, it } from 'vitest';
import { smallCatalog } from '../../../../test/fixtures/retrieval/small-catalog.ts';
import { authoredText, shareCatalog } from '../../../catalog/share/index.ts';
import { indexTables } from '../../../knowledge/retrieve/index.ts';
import type { ViewedTable } from '../../../reasoning/roles/link-reasoner.ts';
import { fitColumns, fitOverview } from './fit-overview.ts';

/** `tables` tables of `columns` columns each; the first column is the key. */
function viewsOf(tables: number, columns: number): readonly ViewedTable[] {
  const names = (of: number) => Array.from({ length: columns }, (_, at) => `measure_${of}_${at}`);
  const made = Object.fromEntries(Array.from({ length: tables }, (_, at) => [`table_${at}`, names(at)]));
  return indexTables(shareCatalog(smallCatalog(made), 'all')).catalog.tables.map((table) => ({
    table,
    columns: table.columns,
    notes: new Map(),
  }));
}

const idsOf = (views: readonly ViewedTable[]) => views.map(({ table }) => table.id);

describe('an overview', () => {
  it('has a schema that fits whole, in its order', () => {
    const views = viewsOf(5, 4);
    const { tables, named } = fitOverview(views, {
      ...{ tokens: 10_000, ranking: ['table_4'], likelihoodOf: () => 0 },
    });
    expect(idsOf(tables)).toEqual(idsOf(views));
    expect(tables.every(({ hiddenColumns }) => hiddenColumns === 0)).toBe(true);
    expect(named).toEqual([]);
  });

  it('has the likeliest tables first, and of wide ones the likeliest columns in their order', () => {
    const likely = new Set(['table_7.measure_7_199', 'table_7.measure_7_3']);
    const { tables } = fitOverview(viewsOf(9, 200), {
      tokens: 2_000,
      ranking: ['table_7', 'table_2'],
      likelihoodOf: (id) => (likely.has(id) ? 1 : 0),
    });
    const [first, second] = tables;
    expect([first?.table.id, second?.table.id]).toEqual(['table_7', 'table_2']);
    expect(first?.columns.length).toBe(48);
    expect(first?.hiddenColumns).toBe(152);
    const names = first?.columns.map(({ name }) => name) ?? [];
    expect(names.at(-1)).toBe('measure_7_199');
    expect(names).toContain('measure_7_3');
  });

  it('keeps to its room: what has none is named, and then nothing', () => {
    const views = viewsOf(150, 40);
    for (const tokens of [200, 1_000, 3_000]) {
      const { tables, named } = fitOverview(views, { tokens, ranking: [], likelihoodOf: () => 0 });
      const shown = tables.reduce((sum, { columns }) => sum + columns.length, 0);
      expect(shown * 'measure_1_1'.length).toBeLessThan(tokens * 3);
      expect(new Set([...idsOf(tables), ...idsOf(named)]).size).toBe(tables.length + named.length);
      expect(named.length).toBeGreaterThan(0);
    }
  });

  it('has the likeliest table, with the columns that have room, however little there is', () => {
    for (const [tokens, most] of [
      [1, 1],
      [100, 12],
    ] as const) {
      const { tables } = fitOverview(viewsOf(2, 300), {
        tokens,
        ranking: ['table_1'],
        likelihoodOf: () => 0,
      });
      expect(idsOf(tables)).toEqual(['table_1']);
      expect(tables[0]?.columns.length).toBeGreaterThan(0);
      expect(tables[0]?.columns.length).toBeLessThanOrEqual(most);
      expect(tables[0]?.hiddenColumns).toBe(300 - (tables[0]?.columns.length ?? 0));
    }
  });

  it('counts of a nested type what prompts show of it', () => {
    const type = `STRUCT<${'a INT64, '.repeat(3_000)}b INT64>`;
    const views = viewsOf(20, 8).map((viewed) => ({
      ...viewed,
      columns: viewed.columns.map((column) => ({ ...column, type })),
    }));
    const { tables } = fitOverview(views, { tokens: 9_000, ranking: [], likelihoodOf: () => 0 });
    expect(tables.length).toBeGreaterThan(10);
  });

  it('counts names of invisible characters as prompts write them', () => {
    const views = viewsOf(150, 40).map((viewed) => ({
      ...viewed,
      columns: viewed.columns.map((column) => ({ ...column, name: '\n\u0007\u202e'.repeat(10) })),
    }));
    const { tables } = fitOverview(views, { tokens: 3_000, ranking: [], likelihoodOf: () => 0 });
    const shown = tables.reduce((sum, { columns }) => sum + columns.length, 0);
    // `\\n` has two characters, `\\u0007` and `\\u202e` six.
    expect(shown * 10 * (2 + 6 + 6)).toBeLessThan(3_000 * 3);
    expect(shown).toBeGreaterThan(20);
  });

  it('counts what retrieval found of tables and columns', () => {
    const views = viewsOf(150, 40);
    const long = ['one', 'two', 'three', 'not shown'].map((word) => authoredText(word.repeat(100)));
    const ids = views.flatMap(({ table, columns }) => [table.id, ...columns.map(({ id }) => id)]);
    const notes = new Map(ids.map((id) => [id, long]));
    const noted = views.map((viewed) => ({ ...viewed, notes }));
    const { tables, named } = fitOverview(noted, { tokens: 9_000, ranking: [], likelihoodOf: () => 0 });
    const shown = tables.reduce((sum, { columns }) => sum + columns.length, tables.length + named.length);
    expect(shown * 3 * 200).toBeLessThan(1.25 * 9_000 * 3);
  });
});

describe('columns that are looked at again', () => {
  it('share the room: of too many tables the likeliest, in the given order', () => {
    const room = { tokens: 1_000, ranking: ['table_400', 'table_7'], likelihoodOf: () => 0 };
    const shown = fitColumns(viewsOf(500, 100), room);
    expect(shown.length).toBeLessThan(10);
    expect(idsOf(shown).slice(-2)).not.toContain('table_499');
    expect(idsOf(shown)).toContain('table_7');
    expect(idsOf(shown).at(-1)).toBe('table_400');
    const columns = shown.reduce((sum, viewed) => sum + viewed.columns.length, 0);
    expect(columns * 'measure_400_10'.length).toBeLessThan(3_000);
  });

  it('of one table are all that have room', () => {
    const [only] = fitColumns(viewsOf(1, 300), { tokens: 9_000, ranking: [], likelihoodOf: () => 0 });
    expect(only?.columns.length).toBe(300);
  });
});
