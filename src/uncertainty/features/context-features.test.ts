import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SPELLINGS } from '../../../test/fixtures/sql/compare-perturb.ts';
import { ALBUMS } from '../../../test/fixtures/uncertainty/albums-catalog.ts';
import { NO_TABLES } from '../../../test/fixtures/uncertainty/music-catalog.ts';
import {
  featureReader,
  fixtureQueries,
  groupBreach,
} from '../../../test/fixtures/uncertainty/read-features.ts';
import { prepareSchemaFacts } from '../../faults/index.ts';
import { readQuery } from '../../faults/reading/index.ts';
import type { DialectName } from '../../sql/dialects/dialect.ts';
import { arityOf, contextFeatures } from './context-features.ts';
import type { FeatureValue } from './feature.ts';

const read = featureReader(contextFeatures, ALBUMS);

type Expected = Readonly<Record<string, FeatureValue>>;
type Case = readonly [sql: string, place: string, expected: Expected];

const LOOSE = 'non_agg_column_without_group_by';

describe('the select around a node', () => {
  it.each<Case>([
    ['SELECT Name, COUNT(*) FROM artist', 'Column Name', { [LOOSE]: 1, select_has_aggregate: 1 }],
    ['SELECT Name, COUNT(*) FROM artist', 'Identifier Name', { [LOOSE]: 1 }],
    ['SELECT Name, COUNT(id) FROM artist', 'Column id', { [LOOSE]: 0, inside_aggregate: 1 }],
    ['SELECT Name, COUNT(*) FROM artist', 'Table artist', { [LOOSE]: 0, select_has_aggregate: 1 }],
    ['SELECT Name FROM artist', 'Column Name', { [LOOSE]: 0, select_has_aggregate: 0 }],
    ['SELECT Name FROM artist HAVING COUNT(*) > 1', 'Column Name', { [LOOSE]: 0, select_has_aggregate: 1 }],
    ['SELECT COUNT(*) FROM artist WHERE Name = 1', 'Column Name', { [LOOSE]: 0 }],
    [
      'SELECT Name, COUNT(*) FROM artist GROUP BY Name',
      'Column Name',
      { [LOOSE]: 0, select_has_group_by: 1, column_in_group_by: 1 },
    ],
    ['SELECT Name, COUNT(*) OVER () FROM artist', 'Column Name', { [LOOSE]: 0, select_has_aggregate: 0 }],
    [
      'SELECT Name, SUM(id) FILTER (WHERE born > 1) OVER () FROM artist',
      'Column born',
      { inside_aggregate: 0, select_has_aggregate: 0 },
    ],
    [
      'SELECT SUM(id) FILTER (WHERE born > 1) FROM artist',
      'Column born',
      { inside_aggregate: 1, [LOOSE]: 0 },
    ],
    [
      'SELECT (SELECT Name FROM artist), COUNT(*) FROM album',
      'Column Name',
      { [LOOSE]: 0, select_has_aggregate: 0, inside_aggregate: 0 },
    ],
    ['SELECT MAX((SELECT id FROM artist)) FROM album', 'Column id', { inside_aggregate: 0 }],
    [
      'SELECT id FROM album WHERE price > (SELECT AVG(price) FROM album)',
      'Column id',
      { select_has_aggregate: 0 },
    ],
    ['SELECT MAX(price, 3), title FROM album', 'Column title', { [LOOSE]: 0 }],
    ['SELECT id FROM album UNION SELECT 1 ORDER BY 1', 'Order ORDER BY 1', { select_has_aggregate: 0 }],
  ])('%s: %s', (sql, place, expected) => expect(read(sql, place)).toMatchObject(expected));

  it.each<[sql: string, place: string, isGrouped: number]>([
    ['SELECT A.Name FROM artist A GROUP BY Name', 'Column A.Name', 1],
    ['SELECT A.Name FROM artist A GROUP BY Name', 'Identifier Name', 1],
    ['SELECT A.Name FROM artist A GROUP BY Name', 'Column Name', 1],
    ['SELECT id FROM artist GROUP BY Name', 'Column id', 0],
    ['SELECT B.Name FROM artist A, artist B GROUP BY A.Name', 'Column B.Name', 0],
    ['SELECT Name, COUNT(*) FROM artist GROUP BY 1', 'Column Name', 1],
    ['SELECT Name AS who, COUNT(*) FROM artist GROUP BY who', 'Column Name', 1],
    ['SELECT Name, id FROM artist GROUP BY 7', 'Column id', 0],
    ['SELECT nothing FROM artist GROUP BY nothing', 'Column nothing', 1],
    ['SELECT Name FROM (SELECT Name FROM artist) GROUP BY Name', 'Column Name #2', 0],
    ['SELECT Name FROM artist GROUP BY lower(Name)', 'Column Name #2', 1],
    ['SELECT Name FROM artist GROUP BY lower(Name)', 'Column Name', 0],
  ])('%s: %s is grouped by: %d', (sql, place, isGrouped) =>
    expect(read(sql, place).column_in_group_by).toBe(isGrouped),
  );

  it('takes GROUP BY ALL for all that is not aggregated', () => {
    const sql = 'SELECT Name, SUM(id) FROM artist GROUP BY ALL';
    expect(read(sql, 'Column Name', 'duckdb').column_in_group_by).toBe(1);
    expect(read(sql, 'Column id', 'duckdb').column_in_group_by).toBe(0);
  });

  it.each<[sql: string, place: string, count: number]>([
    ['SELECT 1 FROM artist WHERE id = 1 AND id = 2 AND (id = 3 AND id = 4)', 'Literal 4', 4],
    ['SELECT 1 FROM artist WHERE id = 5 OR id = 2 AND id = 3', 'Literal 5', 1],
    ['SELECT 1 FROM artist WHERE id = 5 AND id = 6', 'Where WHERE id = 5 AND id = 6', 2],
    ['SELECT 1 FROM artist WHERE id = 5 AND id = 6', 'Table artist', 0],
    ['SELECT 1 FROM artist JOIN album ON artist.id = artist_id AND price > 2', 'Literal 2', 2],
    ['SELECT 1 FROM artist JOIN album ON artist.id = artist_id AND price > 2', 'Table album', 0],
    ['SELECT 1 FROM artist GROUP BY id HAVING COUNT(*) > 4 AND SUM(id) > 5', 'Literal 5', 2],
    ['SELECT 1 FROM artist WHERE id = 1 AND id IN (SELECT id FROM album WHERE id = 9)', 'Literal 9', 1],
    ['SELECT 1 FROM artist WHERE id = 1 AND id IN (SELECT id FROM album WHERE id = 9)', 'Table album', 0],
  ])('%s: %s stands among %d conditions', (sql, place, count) =>
    expect(read(sql, place).n_conjuncts_in_clause).toBe(count),
  );
});

/** A condition on album and artist, the sides' types, and how they go together. */
const OPERATORS: readonly (readonly [condition: string, left: string, right: string, compat: number])[] = [
  ['price > 3', 'numeric', 'numeric', 1],
  ['price > title', 'numeric', 'text', 0],
  ["price = 'abc'", 'numeric', 'text', 0],
  ["price = '12'", 'numeric', 'text', 0.5],
  ["price = '-1.5e3'", 'numeric', 'text', 0.5],
  ['title = 5', 'text', 'numeric', 0],
  ['founded > 1970', 'text', 'numeric', 0.5],
  ['comment = 5', 'text', 'numeric', 0.5],
  ["strftime('%Y', born) = 2020", 'text', 'numeric', 0],
  ["CAST(strftime('%Y', born) AS INTEGER) = 2020", 'numeric', 'numeric', 1],
  ["born > '2020-01-01'", 'date', 'text', 0.5],
  ["born > 'yesterday'", 'date', 'text', 0],
  ['born = title', 'date', 'text', 0.5],
  ['born > 2020', 'date', 'numeric', 0],
  ['born - 1', 'date', 'numeric', 0.5],
  ['isActive = 1', 'bool', 'numeric', 0.5],
  ["isActive = 'true'", 'bool', 'text', 0.5],
  ["isActive = 'perhaps'", 'bool', 'text', 0],
  ['Name IS NULL', 'text', 'unknown', -1],
  ['Name = nothing', 'text', 'unknown', -1],
  ['cover = 5', 'other', 'numeric', -1],
  ['artist.id = album.artist_id', 'numeric', 'numeric', 1],
  ['artist.id = Name', 'numeric', 'text', 0],
  ['price BETWEEN 1 AND 2', 'numeric', 'numeric', 1],
  ["price IN ('a', 'b')", 'numeric', 'text', 0],
  ['Name IN (SELECT title FROM album)', 'text', 'text', 1],
  ['price IN (SELECT title FROM album)', 'numeric', 'text', 0],
  ["Name LIKE 'A%'", 'text', 'text', 1],
  ["born LIKE '2020%'", 'date', 'text', 0.5],
  ['Name || price', 'text', 'numeric', 0.5],
  ['price > 1 AND isActive', 'bool', 'bool', 1],
  ["price + 'a'", 'numeric', 'text', 0],
  ['price = -5', 'numeric', 'numeric', 1],
];

describe('the sides of an operator', () => {
  const root = (condition: string) => {
    const rows = `SELECT 1 FROM artist, album WHERE ${condition}`;
    const result = readQuery(rows, 'sqlite', ALBUMS);
    const node = result.ok
      ? result.query.tree.nodes.find(({ parent }) => parent?.type === 'Where')
      : undefined;
    return read(rows, `${node?.type} ${condition}`);
  };

  it.each(OPERATORS)('%s: %s and %s, %d', (condition, left, right, compat) => {
    expect(root(condition)).toMatchObject({ left_type: left, right_type: right, operand_compat: compat });
  });

  it('are told of the operands too, and of the names of columns', () => {
    const sql = "SELECT 1 FROM album WHERE (price) = 'abc'";
    for (const place of ['Column price', 'Identifier price', "Literal 'abc'"]) {
      expect(read(sql, place)).toMatchObject({ operand_compat: 0, left_type: 'numeric', right_type: 'text' });
    }
    const none = { operand_compat: -1, left_type: 'none', right_type: 'none' };
    expect(read(sql, 'Table album')).toMatchObject(none);
    expect(read(sql, "Where WHERE (price) = 'abc'")).toMatchObject(none);
  });
});

const LITERALS: readonly (readonly [condition: string, place: string, expected: Expected])[] = [
  [
    "Name = 'Abba'",
    "Literal 'Abba'",
    { literal_type: 'text', literal_in_sampled_values: 1, literal_length: 4 },
  ],
  ["Name = ' abba '", "Literal ' abba '", { literal_in_sampled_values: 0.5, literal_matches_column_type: 1 }],
  ["Name = 'Oasis'", "Literal 'Oasis'", { literal_in_sampled_values: 0 }],
  ["'Oasis' = Name", "Literal 'Oasis'", { literal_in_sampled_values: 0, literal_matches_column_type: 1 }],
  ["title = 'Waterloo'", "Literal 'Waterloo'", { literal_in_sampled_values: 0.25 }],
  ["comment = 'x'", "Literal 'x'", { literal_in_sampled_values: -1 }],
  ["lower(Name) = 'abba'", "Literal 'abba'", { literal_in_sampled_values: 1 }],
  ["Name IN ('Abba', 'Blur')", "Literal 'Blur'", { literal_in_sampled_values: 1, in_list_size: 2 }],
  ["Name <> 'Oasis'", "Literal 'Oasis'", { literal_in_sampled_values: 0 }],
  ["Name > 'Abba'", "Literal 'Abba'", { literal_in_sampled_values: -1, literal_matches_column_type: 1 }],
  ["CASE Name WHEN 'Blur' THEN 1 END", "Literal 'Blur'", { literal_in_sampled_values: 1 }],
  ["CASE WHEN Name = 'Blur' THEN 7 END", 'Literal 7', { literal_matches_column_type: -1 }],
  [
    'Name = "Abba"',
    'Column "Abba"',
    { literal_type: 'text', literal_in_sampled_values: 1, literal_length: 4 },
  ],
  [
    "Name = upper('abba')",
    "Literal 'abba'",
    { literal_in_sampled_values: -1, literal_matches_column_type: -1 },
  ],
  ['artist.id = 2', 'Literal 2', { literal_type: 'numeric', literal_in_sampled_values: 1 }],
  ['artist.id = 2.0', 'Literal 2.0', { literal_in_sampled_values: 1 }],
  ['artist.id = 9', 'Literal 9', { literal_in_sampled_values: 0, literal_length: 1 }],
  ['artist.id = -2', 'Literal 2', { literal_in_sampled_values: 0, literal_matches_column_type: 1 }],
  ['price = 12', 'Literal 12', { literal_in_sampled_values: 1 }],
  ["price = 'abc'", "Literal 'abc'", { literal_matches_column_type: 0, literal_in_sampled_values: 0.25 }],
  ['price = 1e999', 'Literal 1e999', { literal_length: 5 }],
  ['price = 99', 'Literal 99', { literal_length: 2 }],
  ["born = '2020-01-31'", "Literal '2020-01-31'", { literal_type: 'date', literal_matches_column_type: 0.5 }],
  ['isActive = TRUE', 'Boolean TRUE', { literal_type: 'bool', literal_matches_column_type: 1 }],
  ['Name IS NULL', 'Null NULL', { literal_type: 'unknown', literal_matches_column_type: -1 }],
  ["Name LIKE '%bb%'", "Literal '%bb%'", { literal_in_sampled_values: 1, like_has_wildcard: 1 }],
  ["Name LIKE 'qu%'", "Literal 'qu%'", { literal_in_sampled_values: 1, like_pattern_length: 3 }],
  ["Name LIKE '%a'", "Literal '%a'", { literal_in_sampled_values: 1 }],
  ["Name LIKE 'bb%'", "Literal 'bb%'", { literal_in_sampled_values: 0 }],
  ["title LIKE '%zz%'", "Literal '%zz%'", { literal_in_sampled_values: 0.25 }],
  ["Name LIKE 'a_b%'", "Literal 'a_b%'", { literal_in_sampled_values: -1 }],
  ["Name LIKE 'Abba'", "Literal 'Abba'", { literal_in_sampled_values: 1, like_has_wildcard: 0 }],
  ["Name LIKE 'A%'", "Like Name LIKE 'A%'", { like_has_wildcard: 1, like_pattern_length: 2 }],
  ["Name LIKE 'A!%' ESCAPE '!'", "Literal '!'", { like_has_wildcard: 0, like_pattern_length: 0 }],
  ['Name LIKE "A%"', 'Column "A%"', { like_has_wildcard: 1, literal_in_sampled_values: 1 }],
  [
    "Name LIKE '%' || title || 'b'",
    "Like Name LIKE '%' || title || 'b'",
    { like_has_wildcard: 1, like_pattern_length: 2 },
  ],
  ["Name GLOB 'A%'", "Literal 'A%'", { like_has_wildcard: 0, like_pattern_length: 2 }],
  ["Name GLOB 'A*'", "Literal 'A*'", { like_has_wildcard: 1 }],
  ['artist.id IN (1, 2, 3)', 'In artist.id IN (1, 2, 3)', { in_list_size: 3 }],
  ['artist.id IN (1, 2, 3)', 'Column artist.id', { in_list_size: 0 }],
  [
    'artist.id IN (SELECT artist_id FROM album)',
    'In artist.id IN (SELECT artist_id FROM album)',
    { in_list_size: 0 },
  ],
  ['Name = title', 'Column Name', { literal_type: 'none', literal_length: 0, literal_in_sampled_values: -1 }],
];

describe('literals, patterns and lists', () => {
  it.each(LITERALS)('%s: %s', (condition, place, expected) => {
    expect(read(`SELECT 1.5 FROM artist, album WHERE ${condition}`, place)).toMatchObject(expected);
  });

  it('takes long texts in its stride', () => {
    const many = '%'.repeat(100_000);
    for (const text of [`a${many}b`, '1'.repeat(100_000)]) {
      const sql = `SELECT 1 FROM album WHERE price LIKE '${text}' OR price = '${text}'`;
      expect(read(sql, `Literal '${text}' #2`)).toMatchObject({ literal_matches_column_type: 0 });
    }
  });
});

describe('limits', () => {
  it.each<[sql: string, place: string, isLoose: number]>([
    ['SELECT id FROM artist LIMIT 3', 'Limit LIMIT 3', 1],
    ['SELECT id FROM artist LIMIT 3', 'Literal 3', 1],
    ['SELECT id FROM artist LIMIT 3', 'Column id', 0],
    ['SELECT id FROM artist ORDER BY id LIMIT 3', 'Literal 3', 0],
    ['SELECT id FROM artist UNION SELECT 1 LIMIT 3', 'Literal 3', 1],
    ['SELECT id FROM (SELECT id FROM artist ORDER BY id) LIMIT 3', 'Literal 3', 1],
  ])('%s: %s has no order: %d', (sql, place, isLoose) =>
    expect(read(sql, place).limit_without_order).toBe(isLoose),
  );
});

describe('functions', () => {
  it.each<[call: string, type: string, known: number, dialect?: DialectName]>([
    ['COUNT(*)', 'Count', 1],
    ['COUNT(DISTINCT id)', 'Count', 1],
    ['COUNT(DISTINCT id, Name)', 'Count', 0.5],
    ['COUNT(DISTINCT id, Name)', 'Count', 1, 'mysql'],
    ['ROUND(id, 2)', 'Round', 1],
    ['ROUND(id, 2, 3)', 'Round', 0.5],
    ['YEAR(born)', 'Year', 0],
    ['YEAR(born)', 'Year', 1, 'duckdb'],
    ['no_such(id)', 'Anonymous', 0],
    ['CAST(id AS REAL)', 'Cast', 1],
    ['EXTRACT(YEAR FROM born)', 'Extract', 0],
    ['EXTRACT(YEAR FROM born)', 'Extract', 1, 'postgres'],
    ['IIF(id > 1, 2, 3)', 'If', 1],
    ['CURRENT_DATE', 'CurrentDate', 1],
    ['COALESCE(id)', 'Coalesce', 0.5],
    ['SUBSTR(Name, 1)', 'Substring', 1],
    ["STRFTIME('%Y', born)", 'TimeToStr', 1],
    ['MAX(id, 2, 3)', 'Max', 1],
    ['MAX(id, 2, 3)', 'Max', 0.5, 'postgres'],
  ])('%s (%s) is known: %d', (call, type, known, dialect = 'sqlite') => {
    expect(read(`SELECT ${call} FROM artist`, `${type} ${call}`, dialect).function_known).toBe(known);
  });

  it('is not told of what is no call', () => {
    expect(read('SELECT id + 1 FROM artist', 'Add id + 1').function_known).toBe(-1);
    expect(read('SELECT id::text FROM artist', 'Cast id::text', 'postgres').function_known).toBe(-1);
  });

  it('reads the list of arities', () => {
    expect(arityOf('round', 'sqlite')).toEqual({ least: 1, most: 2 });
    expect(arityOf('concat', 'mysql')).toEqual({ least: 1, most: Number.POSITIVE_INFINITY });
    expect(arityOf('pi', 'duckdb')).toEqual({ least: 0, most: 0 });
    expect(arityOf('no_such', 'sqlite')).toBeUndefined();
  });
});

describe('what is told', () => {
  const tell = (name: string, value: FeatureValue) =>
    contextFeatures.features.find((feature) => feature.name === name)?.tell?.(value);

  it.each<[name: string, value: number, text: string | undefined]>([
    ['operand_compat', 0, 'the types on the two sides do not go together'],
    ['operand_compat', -1, undefined],
    ['literal_in_sampled_values', 0, 'the column does not have this value'],
    ['literal_in_sampled_values', 0.25, 'not among the values seen in the column'],
    ['literal_in_sampled_values', -1, undefined],
    ['function_known', 0, 'no function of this name is known'],
    ['function_known', -1, undefined],
  ])('%s of %d: %s', (name, value, text) => expect(tell(name, value)).toBe(text));
});

describe('the group', () => {
  const schemas = [ALBUMS, NO_TABLES].map((catalog) => ({
    catalog,
    sources: { schema: prepareSchemaFacts(catalog) },
  }));

  function breachesOf(sql: string, dialect: DialectName): readonly string[] {
    return schemas.flatMap(({ catalog, sources }) => {
      const result = readQuery(sql, dialect, catalog);
      const breach = result.ok ? groupBreach(contextFeatures, result.query, sources) : undefined;
      return breach === undefined ? [] : [`${sql}: ${breach}`];
    });
  }

  it('has the 18 features 55 to 72', () => expect(contextFeatures.features).toHaveLength(18));

  const queries = fixtureQueries();

  it('is total on every query of the fixtures', () => {
    expect(queries.flatMap(([sql, dialect]) => breachesOf(sql, dialect))).toEqual([]);
  });

  it('is total on queries spelled otherwise and on broken ones', () => {
    const spellings = fc.constantFrom(...Object.values(SPELLINGS));
    fc.assert(
      fc.property(fc.constantFrom(...queries), spellings, fc.nat(), (query, spell, cut) => {
        const [sql, dialect] = query;
        const result = readQuery(sql, dialect, ALBUMS);
        const other = result.ok ? spell(result.query.tree) : sql;
        const from = cut % Math.max(other.length, 1);
        const broken = other.slice(0, from) + other.slice(from + 1 + (cut % 5));
        expect([...breachesOf(other, dialect), ...breachesOf(broken, dialect)]).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});
