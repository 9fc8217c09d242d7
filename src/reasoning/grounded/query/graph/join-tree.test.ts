import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SMALL_CATALOG } from '../../../../../test/fixtures/grounded/small-catalog.ts';
import { joinTree } from './join-tree.ts';
import { buildSchemaGraph } from './schema-graph.ts';

const GRAPH = buildSchemaGraph(SMALL_CATALOG);
const TABLES = SMALL_CATALOG.tables.map((table) => table.id);

describe('joinTree', () => {
  const cases: readonly (readonly [
    root: string,
    wanted: readonly string[],
    edges: readonly string[] | null,
    extra: readonly string[],
  ])[] = [
    ['singers', [], [], []],
    ['singers', ['singers'], [], []],
    ['songs', ['singers'], ['songs→singers'], []],
    ['singers', ['songs'], ['singers→songs'], []],
    ['singers', ['concerts'], ['singers→performances', 'performances→concerts'], ['performances']],
    [
      'singers',
      ['stadiums'],
      ['singers→performances', 'performances→concerts', 'concerts→stadiums'],
      ['performances', 'concerts'],
    ],
    ['concerts', ['stadiums', 'performances'], ['concerts→stadiums', 'concerts→performances'], []],
    ['pets', ['students'], ['pets→students'], []],
    // nothing joins the school to the music
    ['pets', ['singers'], null, []],
    ['students', ['pets', 'stadiums'], null, []],
  ];
  it.each(cases)('from %s to %j', (root, wanted, edges, extra) => {
    const tree = joinTree(root, wanted, GRAPH);
    expect(tree?.edges.map((edge) => `${edge.from}→${edge.to}`) ?? null).toEqual(edges);
    expect(tree?.extra ?? []).toEqual([...extra]);
    expect(tree?.ambiguous ?? []).toEqual([]);
  });

  it('goes over a table that links two before one that both only share', () => {
    const [concerts, performances] = ['concerts', 'performances'].map(
      (id) => SMALL_CATALOG.tables.find((table) => table.id === id)!,
    );
    const key = (fromTable: string, toTable: string, column = 'concert_id') => ({
      fromTable,
      fromColumns: [`${fromTable}.${column}`],
      toTable,
      toColumns: [`${toTable}.concert_id`],
      source: 'declared' as const,
    });
    const tables = ['instructors', 'departments', 'courses'].map((id) => ({
      ...concerts!,
      id,
      name: id,
      primaryKey: [`${id}.concert_id`],
      columns: concerts!.columns.map((column) => ({ ...column, id: `${id}.${column.name}`, tableId: id })),
    }));
    const link = {
      ...performances!,
      id: 'teaches',
      name: 'teaches',
      primaryKey: ['teaches.concert_id', 'teaches.singer_id'],
      columns: performances!.columns.map((column) => ({
        ...column,
        id: `teaches.${column.name}`,
        tableId: 'teaches',
      })),
    };
    const foreignKeys = [
      key('instructors', 'departments', 'stadium_id'),
      key('courses', 'departments', 'stadium_id'),
      key('teaches', 'instructors'),
      key('teaches', 'courses'),
    ];
    const graph = buildSchemaGraph({ ...SMALL_CATALOG, tables: [...tables, link], foreignKeys });
    expect(joinTree('instructors', ['courses'], graph)?.extra).toEqual(['teaches']);
    expect(joinTree('courses', ['instructors'], graph)?.extra).toEqual(['teaches']);
  });

  it('takes only the edges that are allowed', () => {
    const allow = (edge: { readonly multiplies: boolean }) => !edge.multiplies;
    expect(joinTree('performances', ['stadiums'], GRAPH, { allow })?.edges).toHaveLength(2);
    expect(joinTree('stadiums', ['concerts'], GRAPH, { allow })).toBeNull();
  });

  it('names keys that run beside each other, unless one is preferred', () => {
    const second = {
      fromTable: 'songs',
      fromColumns: ['songs.release_year'],
      toTable: 'singers',
      toColumns: ['singers.singer_id'],
      source: 'semantic' as const,
      role: 'writer',
    };
    const graph = buildSchemaGraph({
      ...SMALL_CATALOG,
      foreignKeys: [...SMALL_CATALOG.foreignKeys, second],
    });
    expect(joinTree('songs', ['singers'], graph)?.ambiguous).toHaveLength(1);
    const chosen = joinTree('songs', ['singers'], graph, {
      prefer: (edge) => Number(edge.key.role === 'writer'),
    });
    expect(chosen?.ambiguous).toEqual([]);
    expect(chosen?.edges[0]?.fromColumns).toEqual(['songs.release_year']);
  });

  it('is a tree that holds what is wanted, each table entered once', () => {
    const music = TABLES.filter((table) => table !== 'students' && table !== 'pets');
    fc.assert(
      fc.property(fc.constantFrom(...music), fc.subarray(music), (root, wanted) => {
        const tree = joinTree(root, wanted, GRAPH);
        const reached = [root];
        for (const edge of tree?.edges ?? []) {
          expect(reached).toContain(edge.from);
          expect(reached).not.toContain(edge.to);
          reached.push(edge.to);
        }
        expect(reached).toEqual(expect.arrayContaining(wanted));
        expect(tree?.extra).toEqual(reached.filter((table) => table !== root && !wanted.includes(table)));
      }),
      { seed: 2, numRuns: 200 },
    );
  });
});

describe('buildSchemaGraph', () => {
  it('measures the way between tables, the same there and back', () => {
    expect(GRAPH.distance('singers', 'singers')).toBe(0);
    expect(GRAPH.distance('singers', 'songs')).toBe(1);
    expect(GRAPH.distance('singers', 'stadiums')).toBe(3);
    expect(GRAPH.distance('singers', 'pets')).toBe(-1);
    for (const a of TABLES)
      for (const b of TABLES) expect(GRAPH.distance(a, b), `${a} ${b}`).toBe(GRAPH.distance(b, a));
  });

  it('knows which way a join repeats rows', () => {
    const repeats = (from: string, to: string) =>
      GRAPH.edges(from).find((edge) => edge.to === to)?.multiplies;
    expect(repeats('songs', 'singers')).toBe(false);
    expect(repeats('singers', 'songs')).toBe(true);
    // half of a key of two columns is not unique
    expect(repeats('concerts', 'performances')).toBe(true);
  });

  it('says which name it does not know', () => {
    expect(() => GRAPH.table('nowhere')).toThrow('nowhere');
    expect(() => GRAPH.column('singers.nothing')).toThrow('singers.nothing');
  });
});
