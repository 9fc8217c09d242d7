import { describe, expect, it } from 'vitest';
import type { DialectName } from '../dialects/dialect.ts';
import { parse } from '../parser/parse.ts';
import { findNames, type NamesFound } from './find-names.ts';
import type { NamedSchema } from './state/schema-index.ts';

const SCHEMA = createSchema({
  Singer: ['Singer_ID', 'Name', 'Country', 'Age'],
  Concert: ['Concert_ID', 'Title', 'Singer_ID', 'Year'],
  Stadium: ['Stadium_ID', 'Name', 'Free Seats'],
});

function createSchema(tables: Readonly<Record<string, readonly string[]>>): NamedSchema {
  return {
    tables: Object.entries(tables).map(([name, columns]) => ({
      id: name.toLowerCase(),
      name,
      columns: columns.map((column) => ({ id: `${name}.${column}`.toLowerCase(), name: column })),
    })),
  };
}

function namesOf(sql: string, dialect: DialectName = 'sqlite'): NamesFound {
  const parsed = parse(sql, dialect);
  if (!parsed.ok) throw new Error(`${sql}: ${parsed.error.message}`);
  return findNames(parsed.tree, SCHEMA);
}

const RIGHT: readonly string[] = [
  'SELECT name, SINGER.AGE FROM singer',
  'SELECT s.name FROM singer AS s JOIN concert c ON c.singer_id = s.singer_id',
  'SELECT main.singer.name FROM main.singer',
  'SELECT "Free Seats", [Free Seats], `free seats` FROM stadium',
  'SELECT s.* FROM singer s',
  'SELECT title FROM singer JOIN concert USING (singer_id) WHERE singer_id = 1',
  'SELECT singer_id FROM singer NATURAL JOIN concert',
  'SELECT count(*) AS n, country FROM singer GROUP BY country HAVING n > 1 ORDER BY n',
  'SELECT name AS n FROM singer WHERE n = 1',
  'SELECT s.name FROM singer s JOIN stadium t ON s.name = t.name ORDER BY s.name',
  'SELECT s.name AS name FROM singer s JOIN stadium t ON s.name = t.name ORDER BY name',
  'SELECT name FROM singer WHERE EXISTS (SELECT 1 FROM concert WHERE concert.singer_id = singer.singer_id)',
  'SELECT name FROM singer WHERE age > (SELECT avg(age) FROM singer AS o WHERE o.country = country)',
  'SELECT title FROM concert WHERE singer_id IN (SELECT singer_id FROM singer WHERE age > year)',
  'SELECT d.n FROM (SELECT name AS n FROM singer) AS d',
  'SELECT n, m FROM (SELECT name AS n, age m FROM singer)',
  'SELECT d.* FROM (SELECT * FROM singer) d WHERE d.age > 1',
  'SELECT "count(*)" FROM (SELECT count(*) FROM singer)',
  'WITH c AS (SELECT name AS n FROM singer) SELECT n FROM c',
  'WITH c(x, y) AS (SELECT name, age FROM singer) SELECT x, c.y FROM c',
  'WITH singer AS (SELECT 1 AS one) SELECT one FROM singer',
  'WITH a AS (SELECT 1 AS x), b AS (SELECT x FROM a) SELECT x FROM b',
  'WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < 9) SELECT i FROM r',
  'WITH RECURSIVE r AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM r WHERE i < 9) SELECT i FROM r',
  'SELECT name FROM singer UNION SELECT title FROM concert ORDER BY name',
  'SELECT name FROM (SELECT name FROM singer UNION SELECT title FROM concert)',
  'SELECT name FROM singer WHERE country = "France"',
  'SELECT rowid, name FROM singer WHERE singer.rowid = 1',
  'SELECT rank() OVER w FROM singer WINDOW w AS (PARTITION BY country ORDER BY age)',
  'SELECT value FROM singer, json_each(singer.name)',
  'SELECT CAST(age AS whatever), name COLLATE nocase FROM singer',
  'SELECT s.name FROM (singer s JOIN concert c ON s.singer_id = c.singer_id) JOIN stadium t ON 1',
  'SELECT a.name, b.name FROM singer a, singer b WHERE a.age = b.age',
  'SELECT s.name FROM singer s JOIN concert c ON c.year = t.stadium_id JOIN stadium t ON 1',
];

describe('names that are right', () => {
  it.each(RIGHT)('%s', (sql) => {
    expect(namesOf(sql).problems).toEqual([]);
  });
});

const WRONG: readonly (readonly [string, readonly string[]])[] = [
  ['SELECT nmae FROM singer', ['unknown-column nmae → Name']],
  ['SELECT s.nmae FROM singer s', ['unknown-column s.nmae → Name']],
  ['SELECT nam, contry FROM singr', ['unknown-table singr → Singer']],
  ['SELECT singer.name FROM singer AS s', ['unknown-table singer →']],
  ['SELECT x.name FROM singer', ['unknown-table x →']],
  ['SELECT x.* FROM singer', ['unknown-table x →']],
  ['SELECT name FROM singer JOIN stadium ON 1', ['ambiguous-column name → singer.name, stadium.name']],
  ['SELECT singer.name FROM singer JOIN singer ON 1', ['ambiguous-column singer.name →']],
  [
    'SELECT singer_id FROM singer s JOIN concert c ON 1',
    ['ambiguous-column singer_id → s.singer_id, c.singer_id'],
  ],
  ['SELECT title FROM singer', ['unknown-column title → Concert.Title']],
  ['SELECT d.age FROM (SELECT name FROM singer) d', ['unknown-column d.age → Singer.Age']],
  ['SELECT age FROM (SELECT name AS n FROM singer)', ['unknown-column age → Singer.Age']],
  ['WITH c AS (SELECT name FROM singer) SELECT age FROM c', ['unknown-column age → Singer.Age']],
  [
    'WITH c(x) AS (SELECT name FROM singer) SELECT name FROM c',
    ['unknown-column name → Singer.Name, Stadium.Name'],
  ],
  [
    'SELECT title FROM concert WHERE EXISTS (SELECT 1 FROM singer WHERE agee = 1)',
    ['unknown-column agee → Age'],
  ],
  ['SELECT name FROM singer UNION SELECT nme FROM stadium', ['unknown-column nme → Name']],
  ['SELECT name FROM singer ORDER BY agge', ['unknown-column agge → Age']],
  [
    'SELECT s.name FROM singer s JOIN stadium USING (singer_id)',
    ['unknown-column singer_id → Singer.Singer_ID, Concert.Singer_ID'],
  ],
  ['SELECT `France` FROM singer', ['unknown-column France →']],
  ['SELECT name FROM singer LIMIT age', ['unknown-column age → Singer.Age']],
  [
    'SELECT nmae, ttle FROM singer JOIN concrt ON sid = 1 WHERE singer.agee > 1',
    ['unknown-table concrt → Concert', 'unknown-column singer.agee → Age'],
  ],
  [
    'SELECT agee, contry, agee FROM singer WHERE EXISTS (SELECT 1 FROM nowhere)',
    ['unknown-column agee → Age', 'unknown-column contry → Country', 'unknown-table nowhere →'],
  ],
];

describe('names that are wrong, all at once and with the nearest', () => {
  it.each(WRONG)('%s', (sql, expected) => {
    const found = namesOf(sql).problems.map(({ kind, name, nearest }) =>
      `${kind} ${name} → ${nearest.join(', ')}`.trimEnd(),
    );
    expect([...found].sort()).toEqual([...expected].sort());
  });
});

const DUCKDB: readonly (readonly [string, number])[] = [
  ['SELECT name FROM singer WHERE country = "France"', 1],
  ['SELECT s FROM singer s', 0],
  ['SELECT name.first.second FROM singer', 0],
  ['SELECT list_transform([1], x -> x + age) FROM singer', 0],
  ['SELECT list_transform([1], x -> y) FROM singer', 1],
  ['SELECT d.n FROM singer s, (SELECT s.name AS n) d', 0],
  ['SELECT s.name FROM singer s JOIN concert c ON c.year = t.stadium_id JOIN stadium t ON true', 1],
  ['SELECT u.x FROM singer, unnest([name]) AS u(x)', 0],
  ['SELECT * EXCLUDE (name) FROM singer', 0],
  ['FROM singer SELECT agee', 1],
  ['SELECT i FROM range(3) AS r(i)', 0],
];

describe('the rules of DuckDB', () => {
  it.each(DUCKDB)('%s has %i problems', (sql, count) => {
    expect(namesOf(sql, 'duckdb').problems).toHaveLength(count);
  });
});

it('says which tables and columns are read, and where a wrong name stands', () => {
  const sql = "SELECT '😀', s.Name FROM Singer s WHERE s.agee > 1 ORDER BY s.age";
  const found = namesOf(sql);
  expect(found.tables).toEqual(['singer']);
  expect(found.columns).toEqual(['singer.name', 'singer.age']);
  const span = found.problems[0]?.span;
  expect(span && sql.slice(span.start, span.end)).toBe('agee');
});

it('reads the longest chain and the deepest nesting that the parser lets through', () => {
  const chain = `SELECT agee FROM singer WHERE age = 1${' AND age = 1'.repeat(280)}`;
  const nested = `${'SELECT name FROM ('.repeat(20)}SELECT nam FROM singer${')'.repeat(20)}`;
  expect(namesOf(chain).problems).toHaveLength(1);
  expect(namesOf(nested).problems.map((problem) => problem.name)).toContain('nam');
});
