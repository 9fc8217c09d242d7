import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { smallCatalog } from '../../../test/fixtures/retrieval/small-catalog.ts';
import { ALBUMS } from '../../../test/fixtures/uncertainty/albums-catalog.ts';
import {
  featureReader,
  fixtureQueries,
  groupBreach,
} from '../../../test/fixtures/uncertainty/read-features.ts';
import { prepareSchemaFacts } from '../../faults/index.ts';
import { readQuery } from '../../faults/reading/index.ts';
import type { FeatureValue } from './feature.ts';
import { lexicalFeatures, NO_DISTANCE, spellingReader } from './lexical-features.ts';

const read = featureReader(lexicalFeatures, ALBUMS);

type Expected = Readonly<Record<string, FeatureValue>>;

const NEUTRAL: Expected = { edit_distance_nearest: NO_DISTANCE, edit_distance_norm: -1, name_length: 0 };
const THERE: Expected = { edit_distance_nearest: 0, edit_distance_norm: 0, nearest_is_in_scope: 1 };

describe('how near a name is to the schema', () => {
  it.each<[sql: string, place: string, expected: Expected, why: string]>([
    [
      'SELECT Name FROM artists',
      'Table artists',
      { edit_distance_nearest: 1, edit_distance_norm: 1 / 7, nearest_is_in_scope: 0 },
      'a typing error in a table; the table that is meant is no source',
    ],
    ['SELECT Name FROM artists', 'Identifier artists', { edit_distance_nearest: 1 }, 'its Identifier too'],
    [
      'SELECT Name FROM artists, artist',
      'Table artists',
      { edit_distance_nearest: 1, nearest_is_in_scope: 1 },
      'the table that is meant is a source',
    ],
    [
      'SELECT Nmae FROM artist',
      'Column Nmae',
      { edit_distance_nearest: 2, edit_distance_norm: 0.5, nearest_is_in_scope: 1 },
      'two letters in the wrong order are two edits',
    ],
    [
      'SELECT titel FROM artist',
      'Column titel',
      { edit_distance_nearest: 2, nearest_is_in_scope: 0 },
      'the column that is meant is of a table that is no source',
    ],
    [
      'SELECT Name FROM artist WHERE EXISTS (SELECT 1 FROM album WHERE Nam = title)',
      'Column Nam',
      { edit_distance_nearest: 1, nearest_is_in_scope: 1 },
      'a column of an outer query',
    ],
    ['SELECT Name FROM artist', 'Column Name', THERE, 'a column that is there'],
    ['SELECT NAME FROM artist', 'Column NAME', THERE, 'in any case'],
    ['SELECT Name FROM artist', 'Table artist', THERE, 'a table that is there'],
    [
      'SELECT title FROM artist',
      'Column title',
      { edit_distance_nearest: 0, nearest_is_in_scope: 0 },
      'a column of another table',
    ],
    ['SELECT T1.Name FROM artist AS T1', 'Identifier T1', THERE, 'a qualifier that is an alias'],
    [
      'SELECT T9.Name FROM artist AS T1',
      'Identifier T9',
      { nearest_is_in_scope: 1, edit_distance_nearest: 2 },
      'a qualifier that is not: the nearest name is id',
    ],
    [
      'SELECT album.title FROM artist',
      'Identifier album',
      { edit_distance_nearest: 0, nearest_is_in_scope: 0 },
      'a qualifier that is a table elsewhere',
    ],
    [
      'SELECT T1.Name FROM artist AS T1',
      'TableAlias AS T1',
      { edit_distance_nearest: 0, n_schema_identifiers_within_2: 0 },
      'a name that the query gives is not looked for',
    ],
    [
      'WITH top AS (SELECT id AS best FROM artist) SELECT best FROM top',
      'Table top',
      THERE,
      'a CTE is no table of the schema and is there',
    ],
    [
      'WITH top AS (SELECT id AS best FROM artist) SELECT best FROM top',
      'Column best',
      THERE,
      'so is its column',
    ],
    ['SELECT id AS n FROM artist ORDER BY n', 'Column n', THERE, 'and the name of a projection'],
    [
      'SELECT artist.id FROM artist JOIN album USING (idd)',
      'Identifier idd',
      { edit_distance_nearest: 1, nearest_is_in_scope: 1 },
      'a column of USING',
    ],
    ['SELECT * FROM artist', 'Star *', NEUTRAL, 'a star has no name'],
    ['SELECT artist.* FROM artist', 'Column artist.*', NEUTRAL, 'nor has a qualified one'],
    ['SELECT id FROM artist WHERE id = 1', 'Literal 1', NEUTRAL, 'nor a literal'],
    ['SELECT value FROM json_each(1)', 'Table json_each(1)', NEUTRAL, 'nor a function in FROM'],
  ])('%s: %s', (sql, place, expected) => {
    expect(read(sql, place)).toMatchObject(expected);
  });

  it('counts the names of the schema within two edits', () => {
    const near = featureReader(lexicalFeatures, smallCatalog({ cat: ['car', 'cart', 'dog'], bat: ['cat'] }));
    expect(near('SELECT cats FROM bat', 'Column cats').n_schema_identifiers_within_2).toBe(4);
    expect(near('SELECT zebras FROM bat', 'Column zebras').n_schema_identifiers_within_2).toBe(0);
  });

  it('has no distance where there is no schema', () => {
    const empty = featureReader(lexicalFeatures, smallCatalog({}));
    expect(empty('SELECT a FROM t', 'Column a')).toMatchObject({
      edit_distance_nearest: NO_DISTANCE,
      edit_distance_norm: 1,
      nearest_is_in_scope: 0,
    });
  });

  it('searches for no text of more than 80 letters', () => {
    const long = 'n'.repeat(81);
    expect(read(`SELECT ${long} FROM artist`, `Column ${long}`).edit_distance_nearest).toBe(NO_DISTANCE);
    const shorter = long.slice(1);
    expect(read(`SELECT ${shorter} FROM artist`, `Column ${shorter}`).edit_distance_nearest).toBeLessThan(81);
  });
});

describe('how a name is spelled', () => {
  it.each<[name: string, expected: Expected]>([
    ['artist_id', { name_length: 9, n_name_tokens: 2, has_underscore: 1, is_lower: 1, is_mixed_case: 0 }],
    ['FRPMCount', { n_name_tokens: 2, is_mixed_case: 1, is_all_caps: 0, has_underscore: 0 }],
    ['dateOfBirth', { n_name_tokens: 3, is_mixed_case: 1, is_lower: 0 }],
    ['address2', { n_name_tokens: 2, has_digit: 1, matches_short_alias: 0 }],
    ['CDS', { n_name_tokens: 1, is_all_caps: 1, is_mixed_case: 0 }],
    ['T1', { n_name_tokens: 2, is_all_caps: 1, has_digit: 1, matches_short_alias: 1 }],
    ['t', { matches_short_alias: 1 }],
    ['id', { matches_short_alias: 0 }],
    ['名前', { name_length: 2, n_name_tokens: 1, is_lower: 0, is_all_caps: 0, is_mixed_case: 0 }],
    ['"Sold Copies"', { n_name_tokens: 2, is_quoted: 1, has_space_or_special: 1, name_length: 11 }],
    ['`Free-Meal %`', { n_name_tokens: 2, is_quoted: 1, has_space_or_special: 1 }],
    ['[order]', { is_quoted: 1, is_reserved_word: 1, has_space_or_special: 0 }],
    ['title', { is_quoted: 0, is_reserved_word: 0, has_space_or_special: 0 }],
  ])('%s', (name, expected) => {
    expect(read(`SELECT album.${name} FROM album`, `Column album.${name}`)).toMatchObject(expected);
  });

  it.each<[sql: string, place: string, mismatch: number]>([
    ['SELECT name FROM artist', 'Column name', 1],
    ['SELECT Name FROM artist', 'Column Name', 0],
    ['SELECT Name FROM Artist', 'Table Artist', 1],
    ['SELECT Name FROM artist', 'Table artist', 0],
    ['SELECT 1 AS NAME FROM artist', 'Identifier NAME', 0],
    ['SELECT nothing FROM artist', 'Column nothing', 0],
  ])('%s: %s differs from the schema in case only: %d', (sql, place, mismatch) => {
    expect(read(sql, place).case_mismatch_with_schema).toBe(mismatch);
  });
});

describe('what is told', () => {
  const tell = (name: string, value: FeatureValue) =>
    lexicalFeatures.features.find((feature) => feature.name === name)?.tell?.(value);

  it.each<[name: string, value: number, text: string | undefined]>([
    ['edit_distance_nearest', 0, undefined],
    ['edit_distance_nearest', 1, 'one letter away from a name that exists'],
    ['edit_distance_nearest', 2, '2 letters away from a name that exists'],
    ['edit_distance_nearest', 9, 'no name in the database is near to it'],
    ['edit_distance_nearest', NO_DISTANCE, undefined],
    ['case_mismatch_with_schema', 1, 'the database spells this name with other capitals'],
    ['case_mismatch_with_schema', 0, undefined],
  ])('%s of %d: %s', (name, value, text) => expect(tell(name, value)).toBe(text));
});

describe('the group', () => {
  const sources = { schema: prepareSchemaFacts(ALBUMS) };

  it('has the 16 features 39 to 54', () => expect(lexicalFeatures.features).toHaveLength(16));

  it('is total on every query of the fixtures', () => {
    const queries = fixtureQueries();
    expect(queries.length).toBeGreaterThan(500);
    const breaches = queries.flatMap(([sql, dialect]) => {
      const result = readQuery(sql, dialect, ALBUMS);
      const breach = result.ok ? groupBreach(lexicalFeatures, result.query, sources) : undefined;
      return breach === undefined ? [] : [`${sql}: ${breach}`];
    });
    expect(breaches).toEqual([]);
  });

  it('is total for any name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 120 }), (name) => {
        const quoted = `"${name.replaceAll('"', '""')}"`;
        const result = readQuery(`SELECT ${quoted}.${quoted} FROM ${quoted}`, 'sqlite', ALBUMS);
        return !result.ok || groupBreach(lexicalFeatures, result.query, sources) === undefined;
      }),
    );
  });

  it('gives a name kept from another query the values it has alone', () => {
    const spell = spellingReader(sources.schema);
    expect(spell('Name')).toBe(spell('Name'));
    expect(spellingReader(prepareSchemaFacts(smallCatalog({})))('Name').isColumn).toBe(false);
    expect(spell('Name').isColumn).toBe(true);
  });
});
