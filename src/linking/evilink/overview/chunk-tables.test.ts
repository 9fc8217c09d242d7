import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { smallCatalog } from '../../../../test/fixtures/retrieval/small-catalog.ts';
import { authoredText } from '../../../catalog/share/index.ts';
import type { ViewedTable } from '../../../reasoning/roles/link-reasoner.ts';
import { chunkTables, estimateCharacters } from './chunk-tables.ts';
import { fitSkeleton } from './fit-skeleton.ts';

const none: ViewedTable['notes'] = new Map();

function viewed(tables: Readonly<Record<string, readonly string[]>>, notes = none): readonly ViewedTable[] {
  return smallCatalog(tables).tables.map((table) => ({ table, columns: table.columns, notes }));
}

const columns = (count: number) => Array.from({ length: count }, (_, at) => `column_${at}`);
const idsOf = (chunks: readonly (readonly ViewedTable[])[]) =>
  chunks.map((chunk) => chunk.map(({ table }) => table.id));

describe('parts of a schema', () => {
  const tables = viewed({ 'a.x': columns(5), 'a.y': columns(5), 'b.x': columns(5), 'b.y': columns(5) });
  const [first] = tables;
  const one = first === undefined ? 0 : estimateCharacters(first, 'L0');

  it('hold what fits', () => expect(chunkTables(tables, 'L0', 4 * one)).toEqual([tables]));

  it('do not split a schema that fits one of them', () => {
    expect(idsOf(chunkTables(tables, 'L0', 3 * one))).toEqual([
      ['a.x', 'a.y'],
      ['b.x', 'b.y'],
    ]);
  });

  it('split a schema between tables, and give a large table one of its own', () => {
    expect(idsOf(chunkTables(tables, 'L0', one))).toEqual([['a.x'], ['a.y'], ['b.x'], ['b.y']]);
    expect(idsOf(chunkTables(tables, 'L0', 1))).toEqual([['a.x'], ['a.y'], ['b.x'], ['b.y']]);
  });

  it('are larger where more is shown', () => {
    const sizes = (['L0', 'L1', 'L2', 'L3'] as const).map((level) =>
      tables.reduce((sum, table) => sum + estimateCharacters(table, level), 0),
    );
    expect(sizes).toEqual([...sizes].sort((a, b) => a - b));
    expect(new Set(sizes).size).toBe(4);
  });

  it('hold every table once, in order, within the budget unless alone', () => {
    const shape = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.nat(30)), { maxLength: 30 });
    fc.assert(
      fc.property(shape, fc.integer({ min: 1, max: 2_000 }), (parts, most) => {
        const all = viewed(
          Object.fromEntries(parts.map(([schema, count], at) => [`${schema}.t${at}`, columns(count)])),
        );
        const chunks = chunkTables(all, 'L0', most);
        expect(chunks.flat()).toEqual(all);
        for (const chunk of chunks) {
          const size = chunk.reduce((sum, table) => sum + estimateCharacters(table, 'L0'), 0);
          if (chunk.length > 1) expect(size).toBeLessThanOrEqual(most);
        }
      }),
    );
  });
});

describe('the names that hypotheses see', () => {
  it('are all of them where they fit', () => {
    const tables = viewed({ x: columns(5), y: columns(5) });
    expect(fitSkeleton(tables, 10_000)).toEqual({ tables, leftOut: [] });
  });

  it('are fewer columns of wide tables, those with notes first', () => {
    const tables = viewed(
      { x: columns(500), y: columns(2) },
      new Map([['x.column_499', [authoredText('noted')]]]),
    );
    const { tables: shown, leftOut } = fitSkeleton(tables, 1_000);
    const size = shown.reduce((sum, table) => sum + estimateCharacters(table, 'L0'), 0);
    expect(size).toBeLessThanOrEqual(1_000);
    expect(size).toBeGreaterThan(900);
    expect(shown[0]?.columns.at(-1)?.name).toBe('column_499');
    expect(shown[1]?.columns.length).toBe(2);
    expect(leftOut).toEqual([`hypotheses saw ${shown[0]?.columns.length} columns a table at most`]);
  });

  it('are fewer tables only where their names are too many', () => {
    const tables = viewed(Object.fromEntries(columns(100).map((name) => [name, ['a', 'b']])));
    const { tables: shown, leftOut } = fitSkeleton(tables, 1_000);
    expect(shown.length).toBeGreaterThan(25);
    expect(shown.length).toBeLessThan(50);
    expect(leftOut).toEqual([
      'hypotheses saw 0 columns a table at most',
      `hypotheses saw ${shown.length} of 100 tables`,
    ]);
  });
});
