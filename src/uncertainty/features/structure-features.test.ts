import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MUSIC } from '../../../test/fixtures/uncertainty/music-catalog.ts';
import {
  featureReader,
  fixtureQueries,
  groupBreach,
  nodeAt,
  queryOf,
  rowOf,
} from '../../../test/fixtures/uncertainty/read-features.ts';
import { prepareSchemaFacts } from '../../faults/index.ts';
import { readQuery } from '../../faults/reading/index.ts';
import type { FeatureValue } from './feature.ts';
import { structureFeatures } from './structure-features.ts';

const read = featureReader(structureFeatures, MUSIC);

const SIMPLE = 'SELECT name FROM artist WHERE id = 1 ORDER BY name LIMIT 3';
const JOIN = 'SELECT a.id FROM artist AS a JOIN album AS b ON a.id = b.artist_id WHERE b.year > 1990';
const NESTED =
  'SELECT name FROM artist WHERE id IN (SELECT artist_id FROM album GROUP BY artist_id HAVING COUNT(*) > 2)';
const CTE = 'WITH late AS (SELECT id FROM album) SELECT id FROM late';
const UNION = 'SELECT id FROM album UNION SELECT album_id FROM track ORDER BY id';

type Expected = Readonly<Record<string, FeatureValue>>;

const CASES: readonly (readonly [sql: string, node: string, expected: Expected])[] = [
  [
    SIMPLE,
    `Select ${SIMPLE}`,
    {
      ...{
        node_type: 'Select',
        parent_type: 'none',
        grandparent_type: 'none',
        arg_role: 'root',
        clause: 'other',
      },
      // Select, Column name, Identifier, From, Table, Identifier, Where, EQ, Column, Identifier, Literal, Order,
      // Ordered, Column, Identifier, Limit, Literal.
      ...{ depth: 0, subtree_size: 17, subtree_height: 4, n_children: 5, child_index: 0, n_siblings: 0 },
      ...{ query_node_count: 17, relative_depth: 0, subquery_depth: 0, in_cte: 0, in_set_operation: 0 },
    },
  ],
  [
    SIMPLE,
    'Identifier id',
    {
      ...{ node_type: 'Identifier', parent_type: 'Column', grandparent_type: 'EQ', arg_role: 'this' },
      ...{ clause: 'where', depth: 4, subtree_size: 1, subtree_height: 0, n_children: 0 },
      ...{ child_index: 0, n_siblings: 0, relative_depth: 1 },
    },
  ],
  [SIMPLE, 'EQ id = 1', { depth: 2, subtree_size: 4, subtree_height: 2, n_children: 2, relative_depth: 0.5 }],
  [SIMPLE, 'Literal 1', { arg_role: 'expression', clause: 'where', child_index: 1, n_siblings: 1 }],
  [SIMPLE, 'Column name', { clause: 'select', child_index: 0, n_siblings: 4 }],
  [SIMPLE, 'Column name #2', { clause: 'order', parent_type: 'Ordered' }],
  [SIMPLE, 'Literal 3', { clause: 'limit', parent_type: 'Limit' }],
  [SIMPLE, 'Table artist', { clause: 'from', arg_role: 'this' }],
  [JOIN, 'Join JOIN album AS b ON a.id = b.artist_id', { clause: 'from', arg_role: 'joins' }],
  [JOIN, 'Table album AS b', { clause: 'from', arg_role: 'this', parent_type: 'Join' }],
  [JOIN, 'EQ a.id = b.artist_id', { clause: 'join_on', arg_role: 'on' }],
  [JOIN, 'Identifier b #2', { clause: 'join_on', arg_role: 'table' }],
  [
    'SELECT id FROM album JOIN artist USING (id)',
    'Identifier id #2',
    { clause: 'join_on', arg_role: 'using' },
  ],
  [JOIN, 'TableAlias AS a', { clause: 'from', arg_role: 'alias', parent_type: 'Table' }],
  [NESTED, 'Column artist_id', { clause: 'select', subquery_depth: 1 }],
  [NESTED, 'Column artist_id #2', { clause: 'group', subquery_depth: 1 }],
  [NESTED, 'Literal 2', { clause: 'having', subquery_depth: 1 }],
  [NESTED, 'Table album', { clause: 'from', subquery_depth: 1 }],
  // The subquery itself stands in the clause of the query around it.
  [
    NESTED,
    'Select SELECT artist_id FROM album GROUP BY artist_id HAVING COUNT(*) > 2',
    { clause: 'where', subquery_depth: 1 },
  ],
  [NESTED, 'Column id', { clause: 'where', subquery_depth: 0 }],
  [CTE, 'CTE late AS (SELECT id FROM album)', { clause: 'with', in_cte: 1, subquery_depth: 0 }],
  [CTE, 'Column id', { clause: 'select', in_cte: 1, subquery_depth: 1 }],
  [CTE, 'Column id #2', { clause: 'select', in_cte: 0, subquery_depth: 0 }],
  [CTE, 'Table late', { in_cte: 0, in_set_operation: 0 }],
  [UNION, `Union ${UNION}`, { in_set_operation: 1, subquery_depth: 0, clause: 'other' }],
  [UNION, 'Column album_id', { in_set_operation: 1, subquery_depth: 0, clause: 'select' }],
  [UNION, 'Column id #2', { in_set_operation: 1, clause: 'order' }],
  ['SELECT DISTINCT id FROM album', 'Distinct DISTINCT', { clause: 'select' }],
  ['SELECT id FROM album LIMIT 1 OFFSET 2', 'Literal 2', { clause: 'limit' }],
  // ORDER BY of a window belongs to the clause that the window stands in.
  ['SELECT RANK() OVER (ORDER BY year) FROM album', 'Column year', { clause: 'select' }],
  ['SELECT RANK() OVER w FROM album WINDOW w AS (ORDER BY year)', 'Column year', { clause: 'other' }],
  ['SELECT (SELECT MAX(id) FROM album) FROM artist', 'Column id', { clause: 'select', subquery_depth: 1 }],
  [
    'DELETE FROM album',
    'Command DELETE FROM album',
    { node_type: 'Command', depth: 0, relative_depth: 0, subtree_size: 1 },
  ],
];

describe('structureFeatures', () => {
  it('has the 16 of the specification', () => {
    expect(structureFeatures.features.map(({ name }) => name)).toEqual([
      ...['node_type', 'parent_type', 'grandparent_type', 'arg_role', 'clause', 'depth', 'subtree_size'],
      ...['subtree_height', 'n_children', 'child_index', 'n_siblings', 'query_node_count', 'relative_depth'],
      ...['subquery_depth', 'in_cte', 'in_set_operation'],
    ]);
  });

  it.each(CASES)('of %s: %s', (sql, node, expected) => expect(read(sql, node)).toMatchObject(expected));

  it('keeps the names of functions as they are', () => {
    expect(read('SELECT MAX(year) FROM album', 'Max MAX(year)')).toMatchObject({ node_type: 'Max' });
  });

  it('has a value for every feature at every node of every query of the fixtures', () => {
    const schema = prepareSchemaFacts(MUSIC);
    const breaches = fixtureQueries().flatMap(([sql, dialect]) => {
      const query = readQuery(sql, dialect, MUSIC);
      return query.ok ? (groupBreach(structureFeatures, query.query, { schema }) ?? []) : [];
    });
    expect(breaches).toEqual([]);
  });

  it('measures trees as recursion would', () => {
    const queries = fixtureQueries().flatMap(([sql, dialect]) => {
      const query = readQuery(sql, dialect, MUSIC);
      return query.ok ? [query.query] : [];
    });
    const sources = { schema: prepareSchemaFacts(MUSIC) };
    fc.assert(
      fc.property(fc.constantFrom(...queries), fc.nat(), (query, at) => {
        const node = query.tree.nodes[at % query.tree.nodes.length]!;
        const row = rowOf(structureFeatures, query, node, sources);
        const sum = node.children.map((below) => Number(rowOf(structureFeatures, query, below, sources)[6]));
        expect(row[6]).toBe(sum.reduce((one, other) => one + other, 1));
        const parent = node.parent && rowOf(structureFeatures, query, node.parent, sources);
        expect(row[5]).toBe(parent === undefined ? 0 : Number(parent[5]) + 1);
        expect(node.parent?.children[Number(row[9])] ?? node).toBe(node);
      }),
    );
  });

  it('reads nodes in any order', () => {
    const query = queryOf(JOIN, MUSIC);
    const schema = prepareSchemaFacts(MUSIC);
    const node = nodeAt(query.tree, 'EQ a.id = b.artist_id');
    const reader = structureFeatures.open(query, { schema });
    const [once, again]: FeatureValue[][] = [[], []];
    reader(node, once!, 0);
    reader(query.tree.root, [], 0);
    reader(node, again!, 0);
    expect(again).toEqual(once);
  });
});
