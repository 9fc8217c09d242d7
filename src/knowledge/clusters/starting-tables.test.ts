import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { storedClusters } from '../../../test/fixtures/stored-clusters.ts';
import type { ProductArea, TableStatus } from '../authored/authored.ts';
import { type ScopeSources, scopeOf } from './starting-tables.ts';

const TABLES = Array.from({ length: 250 }, (_, index) => `t${index}`);

function area(id: string, parts: Partial<ProductArea> = {}): ProductArea {
  return { id, name: id, members: [], includeTables: [], excludeTables: [], ...parts };
}

function status(table: string, what: TableStatus['status']): TableStatus {
  return { table, status: what, by: 'ada', at: '2025-01-31', place: 'status.yml:1' };
}

const clustering = await storedClusters({
  clusters: [
    { id: 0, tables: ['t0', 't1', 'gone'].map((tableId) => ({ tableId, score: 1 })) },
    { id: 1, tables: ['t1', 't2'].map((tableId) => ({ tableId, score: 1 })) },
    { id: 2, tables: [{ tableId: 't3', score: 1 }] },
  ],
  users: [
    { user: 'ada', clusters: [{ id: 0, weight: 5 }] },
    { user: 'ben', clusters: [{ id: 1, weight: 5 }] },
    { user: 'cid', clusters: [{ id: 2, weight: 5 }] },
  ],
});
const skipped = await storedClusters({ skipped: '3 users' });

function sources(parts: Partial<ScopeSources> & { areas?: ProductArea[]; statuses?: TableStatus[] } = {}) {
  const { areas = [], statuses = [], ...others } = parts;
  return { authored: { areas, statuses }, tableIds: new Set(TABLES), clustering, ...others };
}

const tablesOf = (user: string | undefined, areas: readonly string[], given: ScopeSources): string[] =>
  [...(scopeOf(user, areas, given).tables ?? ['all'])].sort();

describe('scopeOf', () => {
  it.each([
    ['clusters of the user that the catalog knows', 'ada', [], [], [], ['t0', 't1']],
    [
      'with those of the areas the user is a member of',
      'ada',
      [],
      [area('sales', { members: ['ada', 'ben'] })],
      [],
      ['t0', 't1', 't2'],
    ],
    [
      'or those of the areas asked for',
      'ada',
      ['ops'],
      [area('sales', { members: ['ada', 'ben'] }), area('ops', { members: ['cid'] })],
      [],
      ['t0', 't1', 't3'],
    ],
    [
      'what areas include by hand',
      'ada',
      [],
      [area('sales', { members: ['ada'], includeTables: ['t9', 'gone'] })],
      [],
      ['t0', 't1', 't9'],
    ],
    [
      'without what any of them excludes',
      'ada',
      ['sales', 'ops'],
      [area('sales', { includeTables: ['t9', 't8'] }), area('ops', { excludeTables: ['t9', 't0'] })],
      [],
      ['t1', 't8'],
    ],
    ['without what is deprecated', 'ada', [], [], [status('t0', 'deprecated')], ['t1']],
    [
      'even when it is included',
      'ada',
      [],
      [area('sales', { members: ['ada'], includeTables: ['t9'] })],
      [status('t9', 'deprecated')],
      ['t0', 't1'],
    ],
    [
      'the clusters of the area for somebody new',
      'dee',
      [],
      [area('sales', { members: ['ben', 'dee'] })],
      [],
      ['t1', 't2'],
    ],
    [
      'certified tables for somebody new without an area',
      'dee',
      [],
      [],
      [status('t5', 'certified'), status('t6', 'certified'), status('t7', 'deprecated')],
      ['t5', 't6'],
    ],
  ] as const)('has %s', (_, user, areas, known, statuses, expected) => {
    expect(tablesOf(user, areas, sources({ areas: [...known], statuses: [...statuses] }))).toEqual(expected);
  });

  it('takes the most popular certified tables, 500 at most', () => {
    const ids = Array.from({ length: 700 }, (_, index) => `t${index}`);
    const tableIds = new Set(ids);
    const statuses = ids.map((id) => status(id, 'certified'));
    const tables = ids.toReversed().map((tableId) => ({
      tableId,
      runs: 1,
      users: 1,
      popularity: Number(tableId.slice(1)),
      lastAt: '2025-01-31',
    }));
    const scope = scopeOf('dee', [], sources({ tableIds, statuses, usage: { tables } }));
    expect(scope.tables?.size).toBe(500);
    expect(scope.tables?.has('t699')).toBe(true);
    expect(scope.tables?.has('t199')).toBe(false);
    expect(scope.because).toBe(
      'the 500 most popular certified tables: nothing is known of dee and no area is given',
    );
    const uncertified = scopeOf(undefined, [], sources({ tableIds, usage: { tables } }));
    expect(uncertified.because).toContain('tables in use, none is certified: no user and no area');
  });

  it.each([
    ['small databases', { tableIds: new Set(TABLES.slice(0, 199)) }, 'fewer than 200 tables'],
    ['no clusters yet', { clustering: undefined }, 'no clusters were made yet'],
    ['no clusters, with the reason', { clustering: skipped }, 'there are no clusters: 3 users'],
  ])('is every table with %s', (_, parts, because) => {
    const scope = scopeOf('ada', [], sources({ ...parts, statuses: [status('t1', 'deprecated')] }));
    expect(scope.tables).toBeUndefined();
    expect(scope.because).toContain(because);
    const areas = [area('sales', { members: ['ada'], excludeTables: ['t2'] })];
    const narrowed = scopeOf('ada', [], sources({ ...parts, areas, statuses: [status('t1', 'deprecated')] }));
    expect(narrowed.tables?.has('t0')).toBe(true);
    expect(['t1', 't2'].some((id) => narrowed.tables?.has(id))).toBe(false);
  });

  it('widens when nothing is left, and says so', () => {
    const areas = [area('sales', { members: ['cid'], excludeTables: ['t3'] })];
    const scope = scopeOf('cid', [], sources({ areas, statuses: [status('t5', 'certified')] }));
    expect([...(scope.tables ?? [])]).toEqual(['t5']);
    expect(scope.because).toContain('none of their tables is left');
  });

  it('says what it is made of', () => {
    const areas = [area('sales', { members: ['ada'], includeTables: ['t9'], excludeTables: ['t8'] })];
    expect(scopeOf('ada', [], sources({ areas })).because).toBe(
      '1 cluster of the user ada, 1 cluster of the area sales, 1 table that sales includes; without 1 excluded',
    );
  });

  it('refuses an unknown area with the nearest', () => {
    expect(() => scopeOf('ada', ['sale'], sources({ areas: [area('sales')] }))).toThrow(
      'did you mean sales?',
    );
  });

  it('never has a table that is excluded, deprecated or unknown', () => {
    const id = fc.constantFrom(...TABLES.slice(0, 12), 'gone');
    const drawnArea = fc
      .record({ members: fc.subarray(['ada', 'ben', 'cid']), include: fc.array(id), exclude: fc.array(id) })
      .map(({ members, include, exclude }) =>
        area('a', { members, includeTables: include, excludeTables: exclude }),
      );
    fc.assert(
      fc.property(fc.constantFrom('ada', 'dee', undefined), drawnArea, fc.array(id), (user, one, bad) => {
        const statuses = bad.map((table) => status(table, 'deprecated'));
        const { tables } = scopeOf(user, ['a'], sources({ areas: [one], statuses }));
        const banned = new Set([...one.excludeTables, ...bad, 'gone']);
        expect([...(tables ?? [])].filter((table) => banned.has(table))).toEqual([]);
        const included = one.includeTables.filter((table) => !banned.has(table));
        if (tables !== undefined) for (const table of included) expect(tables.has(table)).toBe(true);
      }),
    );
  });
});
