import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MUSIC, NO_TABLES } from '../../../test/fixtures/uncertainty/music-catalog.ts';
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
import { schemaFeatures } from './schema-features.ts';

const read = featureReader(schemaFeatures, MUSIC);

type Case = readonly [sql: string, node: string, expected: Readonly<Record<string, number>>];

const JOIN = 'SELECT T1.name, title FROM artist AS T1 JOIN album AS T2 ON T1.id = T2.artist_id';
const TYPO = 'SELECT name FROM artists';
const WRONG_TABLE = 'SELECT T1.title FROM artist AS T1 JOIN album AS T2 ON T1.id = T2.artist_id';
const NESTED =
  'SELECT name FROM artist WHERE id IN (SELECT artist_id FROM album WHERE title = name AND id > 1)';
const CTE = 'WITH late AS (SELECT id AS number FROM album) SELECT late.number, x FROM late';
const AMBIGUOUS = 'SELECT year FROM album, chart';

const NAMES: readonly Case[] = [
  // A typing error: there is no table of this name, but the column is one of other tables.
  [TYPO, 'Table artists', { is_identifier_valid: 0, table_exists: 0, n_columns_in_table: 0 }],
  [TYPO, 'Identifier artists', { is_identifier_valid: 0, table_exists: 0 }],
  [TYPO, 'Column name', { is_identifier_valid: 1, column_exists_anywhere: 1, table_exists: 0 }],
  [TYPO, 'Column name', { column_exists_in_resolved_table: 0, column_exists_in_scope: 0 }],
  [
    'SELECT artists.name FROM artists',
    'Identifier artists',
    { is_identifier_valid: 0, qualifier_in_scope: 1 },
  ],
  ['SELECT x.nme FROM artist AS x', 'Column x.nme', { is_identifier_valid: 0, qualifier_in_scope: 1 }],
  ['SELECT x.nme FROM artist AS x', 'Identifier nme', { is_identifier_valid: 0, column_exists_anywhere: 0 }],
  ['SELECT x.nme FROM artist AS x', 'Identifier x', { is_identifier_valid: 1, table_exists: 1 }],
  // Right name, wrong table.
  [WRONG_TABLE, 'Column T1.title', { is_identifier_valid: 1, column_exists_in_resolved_table: 0 }],
  [WRONG_TABLE, 'Column T1.title', { column_exists_in_scope: 1, n_scope_sources_with_column: 1 }],
  [WRONG_TABLE, 'Column T1.title', { table_exists: 1, n_columns_in_table: 4, n_tables_with_column: 1 }],
  // No source of that name.
  [
    'SELECT b.name FROM artist AS a',
    'Column b.name',
    { qualifier_in_scope: 0, table_exists: 0, has_qualifier: 1 },
  ],
  ['SELECT b.name FROM artist AS a', 'Identifier b', { is_identifier_valid: 0, qualifier_in_scope: 0 }],
  [
    'SELECT artist.name FROM artist AS a',
    'Identifier artist',
    { is_identifier_valid: 1, qualifier_in_scope: 0 },
  ],
  // Case does not matter, quotes neither.
  ['SELECT "country" FROM ARTIST', 'Column "country"', { is_identifier_valid: 1, column_exists_in_scope: 1 }],
  ['SELECT `Play Time` FROM track', 'Column `Play Time`', { is_identifier_valid: 1 }],
  // SQLite takes double quotes around what is no column for text.
  ['SELECT id FROM artist WHERE name = "Ada"', 'Column "Ada"', { is_identifier_valid: 0 }],
  ['SELECT rowid FROM artist', 'Column rowid', { is_identifier_valid: 1, column_exists_anywhere: 0 }],
  // What a function gives is not known.
  ["SELECT j.value FROM json_each('[1]') AS j", 'Column j.value', { is_identifier_valid: 1 }],
  ["SELECT j.value FROM json_each('[1]') AS j", 'Column j.value', { column_exists_in_resolved_table: 1 }],
  // Names the query makes.
  ['SELECT name AS who FROM artist', 'Identifier who', { is_identifier_valid: 1, alias_used: 0 }],
  ['SELECT COUNT(*) AS n FROM artist ORDER BY n', 'Identifier n', { is_identifier_valid: 1, alias_used: 1 }],
  ['SELECT RANK() OVER w FROM album WINDOW w AS (ORDER BY id)', 'Identifier w', { is_identifier_valid: 1 }],
  // What is no name.
  [
    'SELECT name FROM artist LIMIT 3',
    'Literal 3',
    { is_identifier_valid: 1, table_exists: 0, join_matches_fk: -1 },
  ],
];

const AMBIGUITY: readonly Case[] = [
  [AMBIGUOUS, 'Column year', { is_ambiguous_in_scope: 1, n_scope_sources_with_column: 2, has_qualifier: 0 }],
  [AMBIGUOUS, 'Identifier year', { is_ambiguous_in_scope: 1, column_exists_in_resolved_table: 1 }],
  [
    'SELECT album.year FROM album, chart',
    'Column album.year',
    { is_ambiguous_in_scope: 0, n_tables_with_column: 2 },
  ],
  [
    'SELECT title FROM album, chart',
    'Column title',
    { is_ambiguous_in_scope: 0, n_scope_sources_with_column: 1 },
  ],
  // The inner table hides the outer one.
  [NESTED, 'Column id #2', { is_ambiguous_in_scope: 0, n_scope_sources_with_column: 2 }],
  // USING and NATURAL make one column of two.
  ['SELECT year FROM album JOIN chart USING (year)', 'Column year', { is_ambiguous_in_scope: 0 }],
  ['SELECT year FROM album NATURAL JOIN chart', 'Column year', { is_ambiguous_in_scope: 0 }],
  // ORDER BY takes the alias.
  ['SELECT album.year AS year FROM album, chart ORDER BY year', 'Column year', { is_ambiguous_in_scope: 0 }],
];

const SCOPES: readonly Case[] = [
  [
    JOIN,
    'Column T1.name',
    { has_qualifier: 1, qualifier_in_scope: 1, qualifier_is_alias: 1, table_is_aliased: 1 },
  ],
  [JOIN, 'Column T1.name', { qualifier_is_table_name: 0, qualifier_resolves_to_base: 1, n_scope_sources: 2 }],
  [
    JOIN,
    'Identifier T1',
    { qualifier_is_alias: 1, has_qualifier: 0, table_exists: 1, n_columns_in_table: 4 },
  ],
  [JOIN, 'Column title', { has_qualifier: 0, qualifier_in_scope: 0, table_exists: 1, table_is_aliased: 1 }],
  [
    JOIN,
    'Table artist AS T1',
    { table_exists: 1, table_is_aliased: 1, alias_used: 1, n_columns_in_table: 4 },
  ],
  [JOIN, 'TableAlias AS T1', { alias_used: 1, alias_shadows_table: 0, is_identifier_valid: 1 }],
  ['SELECT name FROM artist AS a', 'TableAlias AS a', { alias_used: 0, table_is_aliased: 1 }],
  ['SELECT a.* FROM artist AS a', 'TableAlias AS a', { alias_used: 1 }],
  [
    'SELECT a.* FROM artist AS a',
    'Column a.*',
    { qualifier_in_scope: 1, is_identifier_valid: 1, column_exists_in_scope: 0 },
  ],
  [
    'SELECT artist.name FROM artist',
    'Column artist.name',
    { qualifier_is_alias: 0, qualifier_is_table_name: 1 },
  ],
  ['SELECT name FROM artist AS album', 'TableAlias AS album', { alias_shadows_table: 1 }],
  [
    'SELECT album.name FROM artist AS album',
    'Identifier album',
    { alias_shadows_table: 1, qualifier_is_table_name: 1 },
  ],
  ['SELECT name FROM artist AS Artist', 'TableAlias AS Artist', { alias_shadows_table: 0 }],
  // Correlated names are seen outwards; a derived table does not see its neighbours.
  [
    NESTED,
    'Column name #2',
    { column_exists_in_scope: 1, n_scope_sources: 2, n_scope_sources_with_column: 1 },
  ],
  [NESTED, 'Column name', { n_scope_sources: 1 }],
  [
    'SELECT 1 FROM artist, (SELECT name FROM album) AS d',
    'Column name',
    { column_exists_in_scope: 0, n_scope_sources: 1 },
  ],
  // Common table expressions count as tables.
  [
    CTE,
    'Table late',
    { table_exists: 1, is_identifier_valid: 1, n_columns_in_table: 1, table_is_aliased: 0 },
  ],
  [CTE, 'TableAlias late', { table_exists: 1, is_identifier_valid: 1, alias_used: 1, n_columns_in_table: 1 }],
  [
    CTE,
    'Column late.number',
    { is_identifier_valid: 1, column_exists_anywhere: 0, column_exists_in_resolved_table: 1 },
  ],
  [CTE, 'Column late.number', { qualifier_in_scope: 1, qualifier_resolves_to_base: 0, table_exists: 1 }],
  [CTE, 'Identifier number', { alias_used: 1 }],
  [CTE, 'Column x', { is_identifier_valid: 0, column_exists_in_scope: 0 }],
  ['WITH album AS (SELECT 1) SELECT 2', 'TableAlias album', { alias_used: 0, alias_shadows_table: 1 }],
  [
    'SELECT d.n FROM (SELECT id AS n FROM album) AS d',
    'TableAlias AS d',
    { table_exists: 1, n_columns_in_table: 1 },
  ],
  // Aliases of the select list.
  [
    'SELECT id AS n FROM album ORDER BY n',
    'Column n',
    { resolves_to_projection_alias: 1, is_identifier_valid: 1 },
  ],
  [
    'SELECT id AS n FROM album ORDER BY n',
    'Column n',
    { column_exists_in_scope: 1, column_exists_in_resolved_table: 0 },
  ],
  ['SELECT id AS n FROM album GROUP BY n HAVING n > 1', 'Column n #2', { resolves_to_projection_alias: 1 }],
  ['SELECT id FROM album ORDER BY title', 'Column title', { resolves_to_projection_alias: 0 }],
  [
    'SELECT id AS n FROM album UNION SELECT id FROM track ORDER BY n',
    'Column n',
    { resolves_to_projection_alias: 1 },
  ],
];

const KEYS: readonly Case[] = [
  ['SELECT id FROM artist', 'Column id', { is_primary_key: 1, is_foreign_key: 0 }],
  ['SELECT artist_id FROM album', 'Identifier artist_id', { is_primary_key: 0, is_foreign_key: 1 }],
  ['SELECT d.n FROM (SELECT id AS n FROM album) AS d', 'Column d.n', { is_primary_key: 1 }],
  [JOIN, 'EQ T1.id = T2.artist_id', { join_matches_fk: 1 }],
  [JOIN, 'Join JOIN album AS T2 ON T1.id = T2.artist_id', { join_matches_fk: 1 }],
  [JOIN, 'Column T2.artist_id', { join_matches_fk: 1 }],
  [JOIN, 'Identifier artist_id', { join_matches_fk: 1 }],
  [JOIN, 'Column T1.name', { join_matches_fk: -1 }],
  ['SELECT 1 FROM artist a JOIN album b ON a.id = b.id', 'EQ a.id = b.id', { join_matches_fk: 0.5 }],
  ['SELECT 1 FROM album a JOIN chart b ON a.year = b.year', 'EQ a.year = b.year', { join_matches_fk: 0 }],
  ['SELECT 1 FROM artist a JOIN album b ON a.name = b.title', 'EQ a.name = b.title', { join_matches_fk: 0 }],
  ['SELECT 1 FROM artist a JOIN album b ON a.id = b.nothing', 'EQ a.id = b.nothing', { join_matches_fk: 0 }],
  ['SELECT 1 FROM artist a JOIN album b ON b.year = 1990', 'EQ b.year = 1990', { join_matches_fk: -1 }],
  ['SELECT 1 FROM artist, album', 'Join , album', { join_matches_fk: -1 }],
  // A join written with a comma has its condition in WHERE.
  [
    'SELECT 1 FROM artist a, album b WHERE a.id = b.artist_id',
    'EQ a.id = b.artist_id',
    { join_matches_fk: 1 },
  ],
  ['SELECT 1 FROM artist WHERE name = Country', 'EQ name = Country', { join_matches_fk: -1 }],
  // The best of several conditions stands for the join.
  [
    'SELECT 1 FROM artist a JOIN album b ON a.name = b.title AND a.id = b.artist_id',
    'Join JOIN album b ON a.name = b.title AND a.id = b.artist_id',
    { join_matches_fk: 1 },
  ],
  [
    'SELECT 1 FROM artist JOIN album USING (id)',
    'Identifier id',
    { join_matches_fk: 0.5, is_identifier_valid: 1 },
  ],
  [
    'SELECT 1 FROM artist JOIN album USING (nme)',
    'Identifier nme',
    { join_matches_fk: 0, is_identifier_valid: 0 },
  ],
  // Through a derived table the columns stay those of the key.
  [
    'SELECT 1 FROM artist a JOIN (SELECT artist_id AS k FROM album) d ON a.id = d.k',
    'EQ a.id = d.k',
    { join_matches_fk: 1 },
  ],
  // Not the join around a subquery.
  [
    'SELECT 1 FROM artist a JOIN album b ON a.born > (SELECT 1 FROM track t, chart c WHERE t.id = c.track_id)',
    'Join JOIN album b ON a.born > (SELECT 1 FROM track t, chart c WHERE t.id = c.track_id)',
    { join_matches_fk: -1 },
  ],
];

describe('schemaFeatures', () => {
  it('has the 22 of the specification', () => {
    expect(schemaFeatures.features.map(({ name }) => name)).toEqual([
      ...['is_identifier_valid', 'table_exists', 'column_exists_anywhere', 'column_exists_in_resolved_table'],
      ...['column_exists_in_scope', 'n_tables_with_column', 'n_scope_sources_with_column'],
      ...['is_ambiguous_in_scope', 'has_qualifier', 'qualifier_in_scope', 'qualifier_is_alias'],
      ...['qualifier_is_table_name', 'qualifier_resolves_to_base', 'table_is_aliased', 'alias_used'],
      ...['alias_shadows_table', 'n_scope_sources', 'is_primary_key', 'is_foreign_key', 'join_matches_fk'],
      ...['n_columns_in_table', 'resolves_to_projection_alias'],
    ]);
  });

  describe('say whether names are there', () => {
    it.each(NAMES)('%s: %s', (sql, node, expected) => expect(read(sql, node)).toMatchObject(expected));
  });

  describe('say what could be meant', () => {
    it.each(AMBIGUITY)('%s: %s', (sql, node, expected) => expect(read(sql, node)).toMatchObject(expected));
  });

  describe('see what a node sees', () => {
    it.each(SCOPES)('%s: %s', (sql, node, expected) => expect(read(sql, node)).toMatchObject(expected));
  });

  describe('know keys', () => {
    it.each(KEYS)('%s: %s', (sql, node, expected) => expect(read(sql, node)).toMatchObject(expected));
  });

  it('finds no name of the schema in an empty one', () => {
    const readEmpty = featureReader(schemaFeatures, NO_TABLES);
    for (const node of ['Table artist AS T1', 'Column T1.name', 'Column title', 'Identifier name']) {
      expect(readEmpty(JOIN, node)).toMatchObject({ is_identifier_valid: 0, table_exists: 0 });
    }
  });
});

describe('schemaFeatures of any query', () => {
  const schema = prepareSchemaFacts(MUSIC);
  const empty = prepareSchemaFacts(NO_TABLES);

  it('have a value for every feature at every node of every query of the fixtures', () => {
    const breaches = fixtureQueries().flatMap(([sql, dialect]) =>
      [schema, empty].flatMap((facts) => {
        const query = readQuery(sql, dialect, facts.catalog);
        return query.ok ? (groupBreach(schemaFeatures, query.query, { schema: facts }) ?? []) : [];
      }),
    );
    expect(breaches).toEqual([]);
  });

  it('stay whole when words are lost, doubled or swapped', () => {
    const sqls = [...NAMES, ...SCOPES, ...KEYS].map(([sql]) => sql);
    const words = [...new Set(sqls.join(' ').match(/\w+|[^\s\w]/g))];
    const edit = fc.record({ at: fc.nat(60), word: fc.constantFrom('', ...words) });
    let readCount = 0;
    fc.assert(
      fc.property(fc.constantFrom(...sqls), fc.array(edit, { maxLength: 3 }), (sql, edits) => {
        const parts = sql.match(/\w+|[^\s\w]/g) ?? [];
        for (const { at, word } of edits) if (at < parts.length) parts[at] = word;
        const query = readQuery(parts.join(' '), 'sqlite', MUSIC);
        if (!query.ok) return;
        readCount += 1;
        expect(groupBreach(schemaFeatures, query.query, { schema })).toBeUndefined();
      }),
      { numRuns: 1_500 },
    );
    expect(readCount).toBeGreaterThan(300);
  });

  it('depend on the query and the catalog alone', () => {
    const others = [queryOf(TYPO, MUSIC)];
    const preparedAgain = prepareSchemaFacts({ ...MUSIC });
    for (const [sql] of [...NAMES, ...SCOPES, ...KEYS]) {
      const [one, other] = [queryOf(sql, MUSIC), queryOf(sql, MUSIC)];
      for (const node of one.tree.nodes) {
        const again = rowOf(schemaFeatures, other, other.tree.nodes[node.id]!, {
          ...{ schema: preparedAgain, others },
          tokens: [{ start: 0, end: 3, logProbability: -9 }],
        });
        expect(again).toEqual(rowOf(schemaFeatures, one, node, { schema }));
      }
    }
  });

  it('do not depend on the spelling of aliases', () => {
    const [one, other] = [
      queryOf(JOIN, MUSIC),
      queryOf(JOIN.replaceAll('T1', 'x').replaceAll('T2', 'y'), MUSIC),
    ];
    for (const node of one.tree.nodes) {
      const renamed = rowOf(schemaFeatures, other, other.tree.nodes[node.id]!, { schema });
      expect(renamed).toEqual(rowOf(schemaFeatures, one, node, { schema }));
    }
  });
});

describe('what schemaFeatures tell people', () => {
  const tells = new Map(schemaFeatures.features.map(({ name, tell }) => [name, tell]));

  it.each([
    ['is_identifier_valid', 0, 'no table or column has this name'],
    ['is_identifier_valid', 1, undefined],
    ['is_ambiguous_in_scope', 1, 'it could be the column of several tables and does not say which'],
    ['n_tables_with_column', 3, '3 tables have a column of this name'],
    ['n_tables_with_column', 1, undefined],
    ['join_matches_fk', 0, 'no key joins these columns'],
    ['join_matches_fk', -1, undefined],
  ])('%s of %s', (name, value, text) => expect(tells.get(name)?.(value)).toBe(text));

  it.each([
    ['table_exists', TYPO, 'Identifier artists', 'the schema has no such table'],
    ['table_exists', TYPO, 'Select SELECT name FROM artists', undefined],
    [
      'column_exists_in_resolved_table',
      WRONG_TABLE,
      'Column T1.title',
      'no table that is called so here has this column',
    ],
    ['column_exists_in_resolved_table', WRONG_TABLE, 'Identifier T1', undefined],
    ['column_exists_in_resolved_table', JOIN, 'Column T1.name', undefined],
    [
      'column_exists_in_scope',
      'SELECT title FROM artist',
      'Identifier title',
      'no table in sight has this column',
    ],
    ['column_exists_in_scope', 'SELECT a.* FROM artist a', 'Column a.*', undefined],
    ['column_exists_in_scope', 'SELECT title FROM artist', 'Table artist', undefined],
    ['qualifier_in_scope', 'SELECT b.name FROM artist', 'Identifier b', 'no table in sight is called so'],
    ['qualifier_in_scope', 'SELECT b.name FROM artist', 'Column b.name', 'no table in sight is called so'],
    ['qualifier_in_scope', 'SELECT name FROM artist', 'Column name', undefined],
  ])('%s of %s: %s', (name, sql, place, text) => {
    const value = read(sql, place)[name] ?? 'missing';
    expect(tells.get(name)?.(value, nodeAt(queryOf(sql, MUSIC).tree, place))).toBe(text);
    expect(tells.get(name)?.(value)).toBeUndefined();
  });
});
