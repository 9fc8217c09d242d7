import { describe, expect, it } from 'vitest';
import { SMALL_CATALOG } from '../../../../test/fixtures/grounded/small-catalog.ts';
import { type QueryTraits, queryTraits, SHAPE_PARTS, type ShapePart } from './query-traits.ts';

const NOTHING: Record<ShapePart, string> = {
  show: 'col',
  distinct: 'no',
  where: '',
  group: 'none',
  order: 'none',
  nest: 'none',
  size: '1',
};

function traitsOf(sql: string): QueryTraits {
  const traits = queryTraits(sql, SMALL_CATALOG);
  if (traits === null) throw new Error(`cannot be read: ${sql}`);
  return traits;
}

describe('the outline of a query', () => {
  it.each<[sql: string, shape: Partial<Record<ShapePart, string>>]>([
    ['SELECT name FROM singers', {}],
    ['SELECT age, name FROM singers', { show: 'col+col' }],
    ['SELECT * FROM singers', { show: 'star' }],
    ['SELECT s.* FROM singers s', { show: 'star' }],
    ['SELECT COUNT(*) FROM singers', { show: 'count' }],
    ['SELECT COUNT(DISTINCT country), AVG(age) FROM singers', { show: 'avg+count-distinct' }],
    ['SELECT age * 2 FROM singers', { show: 'expression' }],
    ['SELECT MAX(age) - MIN(age) FROM singers', { show: 'expression' }],
    ['SELECT SUM(seconds) AS total FROM songs', { show: 'sum' }],
    ['SELECT name, age, country, salary, phone_number FROM singers', { show: 'many' }],
    ['SELECT DISTINCT country FROM singers', { distinct: 'yes' }],
    ['SELECT zzz FROM nowhere', { size: '0' }],
    // what is compared, in the order of the signs, not of the query
    ["SELECT name FROM singers WHERE country = 'France'", { where: '=' }],
    ["SELECT name FROM singers WHERE age > 30 AND country = 'France'", { where: '= >' }],
    ["SELECT name FROM singers WHERE name LIKE '%a%' OR country <> 'France'", { where: 'or <> like' }],
    [
      "SELECT name FROM singers WHERE name NOT LIKE 'A%' AND age BETWEEN 20 AND 30 AND phone_number IS NULL",
      { where: 'between not like null' },
    ],
    ['SELECT name FROM singers WHERE phone_number IS NOT NULL', { where: 'not null' }],
    ["SELECT name FROM singers WHERE country IN ('France') AND age NOT IN (1, 2)", { where: 'in not in' }],
    [
      'SELECT name FROM singers WHERE age > 1 AND age > 2 AND age > 3 AND age > 4 AND age > 5',
      { where: 'many' },
    ],
    // groups and order
    ['SELECT country, COUNT(*) FROM singers GROUP BY country', { show: 'col+count', group: 'group' }],
    ['SELECT country FROM singers GROUP BY country HAVING COUNT(*) > 1', { group: 'having Count >' }],
    ['SELECT country FROM singers GROUP BY country HAVING AVG(age) <= 30', { group: 'having Avg <=' }],
    ['SELECT name FROM singers ORDER BY age', { order: 'asc col all' }],
    ['SELECT name FROM singers ORDER BY age DESC LIMIT 3', { order: 'desc col some' }],
    [
      'SELECT country FROM singers GROUP BY country ORDER BY COUNT(*) DESC LIMIT 1',
      { group: 'group', order: 'desc Count first' },
    ],
    // tables: a join and a look-up in keys are the same
    [
      "SELECT title FROM songs JOIN singers ON songs.singer_id = singers.singer_id WHERE country = 'France'",
      { where: '=', size: '2' },
    ],
    [
      "SELECT title FROM songs WHERE singer_id IN (SELECT singer_id FROM singers WHERE country = 'France')",
      { where: '=', size: '2' },
    ],
    [
      `SELECT a.name FROM singers a JOIN songs b ON a.singer_id = b.singer_id
        JOIN performances p ON p.singer_id = a.singer_id JOIN concerts c ON c.concert_id = p.concert_id
        JOIN stadiums t ON t.stadium_id = c.stadium_id`,
      { size: '4' },
    ],
    // queries in queries
    [
      'SELECT name FROM singers WHERE singer_id NOT IN (SELECT singer_id FROM songs)',
      { nest: 'except', size: '2' },
    ],
    [
      'SELECT name FROM singers s WHERE NOT EXISTS (SELECT 1 FROM songs WHERE songs.singer_id = s.singer_id)',
      { where: '=', nest: 'except', size: '2' },
    ],
    ['SELECT singer_id FROM singers EXCEPT SELECT singer_id FROM songs', { nest: 'except', size: '2' }],
    ['SELECT name FROM singers UNION SELECT name FROM stadiums', { nest: 'union', size: '2' }],
    [
      "SELECT name FROM singers WHERE country = 'France' INTERSECT SELECT name FROM singers WHERE age > 30",
      { where: '= >', nest: 'intersect' },
    ],
    ['SELECT name FROM singers WHERE age > (SELECT AVG(age) FROM singers)', { where: '>', nest: 'scalar' }],
    [
      'WITH old AS (SELECT name FROM singers WHERE age > 30) SELECT COUNT(*) FROM old',
      { show: 'count', where: '>', nest: 'derived' },
    ],
    [
      'SELECT AVG(n) FROM (SELECT COUNT(*) AS n FROM songs GROUP BY singer_id) AS counted',
      { show: 'avg', group: 'group', nest: 'derived' },
    ],
  ])('%s', (sql, shape) => {
    const { shape: found } = traitsOf(sql);
    expect(found).toEqual({ ...NOTHING, ...shape });
    expect(Object.keys(found)).toEqual([...SHAPE_PARTS]);
  });
});

describe('what columns, tables and values are for', () => {
  it.each<[sql: string, columns: Record<string, string>, tables: string, literals: readonly string[]]>([
    [
      "SELECT name, AVG(age) FROM singers WHERE country = 'France' GROUP BY name HAVING MAX(salary) > 10 ORDER BY phone_number LIMIT 5",
      {
        'singers.name': 'show group',
        'singers.age': 'figure',
        'singers.country': 'where',
        'singers.salary': 'having',
        'singers.phone_number': 'order',
      },
      'singers',
      ['= france', '> 10', 'limit 5'],
    ],
    [
      'SELECT title FROM songs s JOIN singers t ON s.singer_id = t.singer_id',
      { 'songs.title': 'show', 'songs.singer_id': 'join', 'singers.singer_id': 'join' },
      'songs singers',
      [],
    ],
    [
      "SELECT title FROM songs WHERE singer_id IN (SELECT singer_id FROM singers WHERE country = 'France')",
      {
        'songs.title': 'show',
        'songs.singer_id': 'join',
        'singers.singer_id': 'join',
        'singers.country': 'where',
      },
      'songs singers',
      ['= france'],
    ],
    [
      'SELECT name FROM singers WHERE age = (SELECT MAX(age) FROM singers)',
      { 'singers.name': 'show', 'singers.age': 'where figure' },
      'singers',
      [],
    ],
    [
      'WITH old AS (SELECT name AS n FROM singers) SELECT n FROM old',
      { 'singers.name': 'show' },
      'singers',
      [],
    ],
    ['SELECT * FROM singers', {}, 'singers', []],
    ['SELECT zzz FROM nowhere', {}, '', []],
    [
      "SELECT name FROM singers WHERE name LIKE '%An_a%' AND country NOT LIKE 'P%' AND country <> '50%'",
      { 'singers.name': 'show where', 'singers.country': 'where' },
      'singers',
      // only in a pattern is % a sign
      ['like an_a', 'not like p', '<> 50%'],
    ],
    [
      "SELECT name FROM singers WHERE country IN ('France', 'Sweden') AND age NOT BETWEEN 20 AND 30",
      { 'singers.name': 'show', 'singers.country': 'where', 'singers.age': 'where' },
      'singers',
      ['in france', 'in sweden', 'not between 20', 'not between 30'],
    ],
  ])('%s', (sql, columns, tables, literals) => {
    const traits = traitsOf(sql);
    const roles = [...traits.columns].map(([id, own]) => [id, [...own].join(' ')]);
    expect(Object.fromEntries(roles)).toEqual(columns);
    expect([...traits.tables].join(' ')).toBe(tables);
    expect(traits.literals.map(({ operator, text }) => `${operator} ${text}`)).toEqual(literals);
  });
});

describe('what cannot be read', () => {
  it.each(['', 'SELECT name FROM', "SELECT 'open"])('%j has no traits', (sql) =>
    expect(queryTraits(sql, SMALL_CATALOG)).toBeNull(),
  );
});
