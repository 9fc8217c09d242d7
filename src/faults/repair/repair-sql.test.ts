import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SINGERS } from '../../../test/fixtures/uncertainty/singers.ts';
import type { ForeignKey } from '../../catalog/index.ts';
import { checkReadOnly, parse } from '../../sql/index.ts';
import { prepareSchemaFacts } from '../schema/prepare-schema-facts.ts';
import { offerRepairs, repairSql } from './repair-sql.ts';

const key = (from: string, column: string, to: string): ForeignKey => ({
  fromTable: from,
  fromColumns: [`${from}.${column}`],
  toTable: to,
  toColumns: [`${to}.id`],
  source: 'declared',
});
const FACTS = prepareSchemaFacts({
  ...SINGERS,
  dialect: 'sqlite',
  foreignKeys: [key('concert', 'singer_id', 'singer'), key('concert', 'venue_id', 'venue')],
});

const repaired = (sql: string) => repairSql(sql, FACTS);

describe('a sure repair', () => {
  it.each([
    ['spelling', 'SELECT nmae FROM singr', 'SELECT name FROM singer'],
    [
      'spelling',
      "SELECT name FROM singers WHERE country = 'france'",
      "SELECT name FROM singer WHERE country = 'France'",
    ],
    ['quoting', 'SELECT `singer.name` FROM singer', 'SELECT singer.name FROM singer'],
    [
      'qualifier',
      'SELECT c.name FROM concert c JOIN singer s ON s.id = c.singer_id',
      'SELECT s.name FROM concert c JOIN singer s ON s.id = c.singer_id',
    ],
    ['qualifier', 'SELECT T9.name FROM singer', 'SELECT singer.name FROM singer'],
    [
      'join',
      'SELECT s.id FROM singer s JOIN concert c ON s.concert_id = c.id',
      'SELECT s.id FROM singer s JOIN concert c ON s.id = c.singer_id',
    ],
    ['text', '```sql\nSELECT name FROM singer;\n```\nThis lists names.', 'SELECT name FROM singer'],
    [
      'text',
      'SELECT name FROM singer WHERE id IN (SELECT singer_id FROM concert',
      'SELECT name FROM singer WHERE id IN (SELECT singer_id FROM concert)',
    ],
    ['dialect', 'SELECT TOP 3 name FROM singer', 'SELECT name FROM singer LIMIT 3'],
    ['dialect', 'SELECT YEAR(name) FROM singer', "SELECT CAST(STRFTIME('%Y', name) AS INTEGER) FROM singer"],
  ])('mends by %s: %s', (kind, sql, expected) => {
    const found = repaired(sql);
    expect(found?.sql).toBe(expected);
    expect(found?.changes.map((change) => change.kind)).toContain(kind);
    expect(found?.left).toEqual([]);
  });

  it.each([
    [
      'join',
      'SELECT c.year, s.name FROM concert c',
      'SELECT c.year, s.name FROM concert c JOIN singer s ON c.singer_id = s.id',
    ],
    [
      'join',
      'SELECT year, city FROM concert WHERE year > 3',
      'SELECT year, venue.city FROM concert JOIN venue ON concert.venue_id = venue.id WHERE year > 3',
    ],
    [
      'join',
      'SELECT singer.name FROM concert AS c',
      'SELECT singer.name FROM concert AS c JOIN singer ON c.singer_id = singer.id',
    ],
    [
      'join',
      'SELECT age FROM singer WHERE venue.city = 3',
      'SELECT age FROM singer JOIN concert ON singer.id = concert.singer_id JOIN venue ON concert.venue_id = venue.id WHERE venue.city = 3',
    ],
    [
      'join',
      'SELECT id, city FROM concert WHERE year = 1',
      'SELECT concert.id, venue.city FROM concert JOIN venue ON concert.venue_id = venue.id WHERE year = 1',
    ],
    ['near-name', 'SELECT singerCountry FROM singer', 'SELECT country FROM singer'],
  ])('offers first, by %s, and does not do: %s', (kind, sql, expected) => {
    const [first] = offerRepairs(sql, FACTS);
    expect(first?.sql).toBe(expected);
    expect(first?.changes.find(({ guess }) => guess !== undefined)?.kind).toBe(kind);
    expect(first?.left).toEqual([]);
    expect(repaired(sql)).toBeUndefined();
  });

  it.each([
    ['what is right', 'SELECT name FROM singer'],
    ['what nothing here is like', 'SELECT salary FROM singer'],
    ['what is no query', 'DELETE FROM singer'],
    ['a write behind a query', 'DROP TABLE singer'],
    ['a write with a query inside', 'DELETE FROM singer WHERE id IN (SELECT singer_id FROM concert)'],
    ['a write before a query', 'DROP TABLE singer; SELECT name FROM singer'],
    ['talk', 'I do not know.'],
    ['a fence that is never closed, and much white space', `\`\`\`sql${' '.repeat(90_000)}x`],
  ])('leaves %s', (_, sql) => {
    expect(repaired(sql)).toBeUndefined();
  });

  it.each<[string, readonly ForeignKey[], readonly string[]]>([
    [
      'over the only way to the table that has the column',
      [key('concert', 'venue_id', 'venue')],
      ['SELECT venue.city FROM concert c JOIN venue ON c.venue_id = venue.id'],
    ],
    [
      'over each of two ways',
      [key('concert', 'venue_id', 'venue'), key('concert', 'id', 'venue')],
      [
        'SELECT venue.city FROM concert c JOIN venue ON c.venue_id = venue.id',
        'SELECT venue.city FROM concert c JOIN venue ON c.id = venue.id',
      ],
    ],
    [
      'over a key that is only inferred where there is no other',
      [{ ...key('concert', 'venue_id', 'venue'), source: 'inferred' }],
      ['SELECT venue.city FROM concert c JOIN venue ON c.venue_id = venue.id'],
    ],
    ['not where no key leads there', [], []],
  ])(
    'offers joins for a column with its table before it, and swaps no table: %s',
    (_, foreignKeys, expected) => {
      const facts = prepareSchemaFacts({ ...FACTS.catalog, foreignKeys });
      const sql = 'SELECT c.city FROM concert c';
      expect(repairSql(sql, facts)).toBeUndefined();
      expect(offerRepairs(sql, facts).map((offer) => offer.sql)).toEqual(expected);
    },
  );

  it.each([
    [
      'alias',
      'SELECT age * 2 AS twice FROM singer WHERE twice > 9',
      'SELECT age * 2 AS twice FROM singer WHERE (age * 2) > 9',
    ],
    [
      'quoting',
      'SELECT name FROM singer WHERE country = "Spain"',
      "SELECT name FROM singer WHERE country = 'Spain'",
    ],
    [
      'clause',
      'WITH t AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM t) SELECT n FROM t',
      'WITH RECURSIVE t AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM t) SELECT n FROM t',
    ],
    [
      'group-by',
      'SELECT UPPER(country), COUNT(*) FROM singer',
      'SELECT UPPER(country), COUNT(*) FROM singer GROUP BY UPPER(country)',
    ],
  ])('mends by %s in an engine that is strict: %s', (kind, sql, expected) => {
    const found = repairSql(sql, prepareSchemaFacts({ ...FACTS.catalog, dialect: 'postgres' }));
    expect(found).toMatchObject({ sql: expected, changes: [{ kind }], left: [] });
  });

  it.each<[string, string, readonly (readonly [string, string])[]]>([
    [
      'whether a table is swapped or joined',
      'SELECT city FROM concert',
      [
        ['SELECT city FROM venue', 'concert stands for the table venue'],
        [
          'SELECT venue.city FROM concert JOIN venue ON concert.venue_id = venue.id',
          'city is city of venue, joined by concert.venue_id = venue.id',
        ],
      ],
    ],
    [
      'a table of another name',
      'SELECT v.city FROM places AS v',
      [['SELECT v.city FROM venue AS v', 'places stands for the table venue']],
    ],
    [
      'whose column it is',
      'SELECT id FROM singer JOIN concert ON singer.id = singer_id ORDER BY id',
      [
        [
          'SELECT singer.id FROM singer JOIN concert ON singer.id = singer_id ORDER BY singer.id',
          'id is that of singer',
        ],
        [
          'SELECT concert.id FROM singer JOIN concert ON singer.id = singer_id ORDER BY concert.id',
          'id is that of concert',
        ],
      ],
    ],
    [
      'whose column each of two is: not twice the same first',
      'SELECT id, id AS other FROM singer JOIN concert ON singer.id = singer_id',
      [
        [
          'SELECT singer.id, concert.id AS other FROM singer JOIN concert ON singer.id = singer_id',
          'id in column 1 is that of singer; id in column 2 is that of concert',
        ],
        [
          'SELECT singer.id, singer.id AS other FROM singer JOIN concert ON singer.id = singer_id',
          'id in column 1 is that of singer; id in column 2 is that of singer',
        ],
        [
          'SELECT concert.id, singer.id AS other FROM singer JOIN concert ON singer.id = singer_id',
          'id in column 1 is that of concert; id in column 2 is that of singer',
        ],
        [
          'SELECT concert.id, concert.id AS other FROM singer JOIN concert ON singer.id = singer_id',
          'id in column 1 is that of concert; id in column 2 is that of concert',
        ],
      ],
    ],
    [
      'a name of another meaning, beside a misspelling that is mended',
      'SELECT nmae, home_country FROM singer',
      [['SELECT name, country FROM singer', 'home_country stands for country of singer']],
    ],
    [
      'a join that repeats rows',
      'SELECT name, year FROM singer',
      [
        [
          'SELECT name, concert.year FROM singer JOIN concert ON singer.id = concert.singer_id',
          'year is year of concert, joined by singer.id = concert.singer_id',
        ],
      ],
    ],
  ])('offers what only people know: %s', (_, sql, expected) => {
    expect(offerRepairs(sql, FACTS).map((offer) => [offer.sql, offer.means])).toEqual(expected);
    const sure = repairSql(sql, FACTS);
    expect(sure?.changes.every(({ guess }) => guess === undefined) ?? true).toBe(true);
    expect(sure?.left.length ?? 1).toBeGreaterThan(0);
  });

  it.each([
    ['what is right', 'SELECT name FROM singer'],
    ['what is mended for sure', 'SELECT nmae FROM singer'],
    ['what nothing here is like', 'SELECT salary FROM singer'],
    ['what can be mended in part alone', 'SELECT salary, home_country FROM singer'],
    ['a write', 'DELETE FROM singer WHERE home_country = 1'],
  ])('offers nothing for %s', (_, sql) => {
    expect(offerRepairs(sql, FACTS)).toEqual([]);
  });

  it.each<[string, readonly ForeignKey[], readonly string[]]>([
    [
      'over each key, the declared one first',
      [
        { ...key('concert', 'venue_id', 'singer'), source: 'inferred' },
        key('concert', 'singer_id', 'singer'),
      ],
      [
        'SELECT s.name FROM concert c JOIN singer s ON c.singer_id = s.id WHERE c.year = 1',
        'SELECT s.name FROM concert c JOIN singer s ON c.venue_id = s.id WHERE c.year = 1',
      ],
    ],
    [
      'crosswise where no key is known',
      [],
      ['SELECT s.name FROM concert c CROSS JOIN singer s WHERE c.year = 1'],
    ],
  ])('offers joins for a JOIN without ON: %s', (_, foreignKeys, expected) => {
    const facts = prepareSchemaFacts({ ...FACTS.catalog, dialect: 'postgres', foreignKeys });
    const sql = 'SELECT s.name FROM concert c JOIN singer s WHERE c.year = 1';
    const engineError = 'ERROR: syntax error at or near "WHERE"';
    expect(repairSql(sql, facts, { engineError })).toBeUndefined();
    expect(offerRepairs(sql, facts, { engineError }).map((offer) => offer.sql)).toEqual(expected);
  });

  it('joins crosswise where WHERE says how the rows belong together', () => {
    const facts = prepareSchemaFacts({ ...FACTS.catalog, dialect: 'postgres' });
    const sql = 'SELECT s.name FROM concert c JOIN singer s WHERE c.singer_id = s.id';
    expect(repairSql(sql, facts)?.sql).toBe(sql.replace('JOIN', 'CROSS JOIN'));
  });

  it('puts no other table for a neighbour that a subquery cannot see', () => {
    const sql = 'SELECT s.id FROM singer s JOIN (SELECT year FROM concert WHERE singer_id = s.id) c ON 1 = 1';
    expect(repaired(sql)).toBeUndefined();
  });

  it.each([
    ['SELECT country, name, COUNT(*) FROM singer GROUP BY ROLLUP (country)', 'postgres'],
    ['SELECT COUNT(*) FROM singer s WHERE COUNT(*) > 1', 'postgres'],
    ['SELECT name FROM singer WHERE id = (SELECT singer_id FROM concert LIMIT 2)', 'mysql'],
    ['SELECT country FROM singer WHERE age > 2 OR COUNT(*) > 3 GROUP BY country', 'sqlite'],
    ['SELECT country FROM singer WHERE NOT (age > 2 AND COUNT(*) > 3) GROUP BY country', 'postgres'],
    ['SELECT name FROM singer WHERE NOT id = (SELECT singer_id FROM concert)', 'postgres'],
    ['SELECT name FROM singer WHERE (id = (SELECT singer_id FROM concert)) IS NULL', 'postgres'],
  ] as const)('leaves what an engine complains of where no change is sure: %s', (sql, dialect) => {
    const facts = prepareSchemaFacts({ ...FACTS.catalog, dialect });
    for (const kind of ['misplaced-call', 'subquery-rows'] as const)
      expect(repairSql(sql, facts, { complaint: { kind } })?.sql ?? sql).not.toMatch(/ IN | HAVING /);
    const grouped = repairSql(sql, facts, { complaint: { kind: 'group-by' } })?.sql ?? sql;
    expect(grouped).not.toContain('), name');
  });

  it.each([
    [
      'misplaced-call',
      "SELECT country FROM singer WHERE COUNT(*) > 1 GROUP BY country HAVING country = 'France' OR country = 'Spain'",
      "SELECT country FROM singer GROUP BY country HAVING (country = 'France' OR country = 'Spain') AND COUNT(*) > 1",
    ],
    [
      'misplaced-call',
      'SELECT country FROM singer WHERE COUNT(*) > 5 OR MAX(age) > 60 GROUP BY country HAVING MIN(age) > 1',
      'SELECT country FROM singer GROUP BY country HAVING MIN(age) > 1 AND (COUNT(*) > 5 OR MAX(age) > 60)',
    ],
    ['group-by', 'SELECT age - AVG(age) FROM singer', undefined],
    ['group-by', 'SELECT name, age / SUM(age) FROM singer', undefined],
    [
      'misplaced-call',
      'SELECT id, age * 2 AS age FROM singer WHERE age + RANK() OVER (ORDER BY id) > 12',
      undefined,
    ],
    [
      'misplaced-call',
      'SELECT id, age FROM singer WHERE RANK() OVER (ORDER BY id) = 1 OR age > 60',
      'SELECT id, age\nFROM (SELECT id, age, RANK() OVER (ORDER BY id) AS place FROM singer) AS ranked\nWHERE (place = 1 OR age > 60)',
    ],
  ] as const)('keeps the meaning of what it moves, by %s: %s', (kind, sql, expected) => {
    const facts = prepareSchemaFacts({ ...FACTS.catalog, dialect: 'postgres' });
    expect(repairSql(sql, facts, { complaint: { kind } })?.sql).toBe(expected);
  });

  it('says what it cannot mend beside what it can', () => {
    expect(repaired('SELECT nmae, salary FROM singer')).toMatchObject({
      sql: 'SELECT name, salary FROM singer',
      left: [{ kind: 'unknown-column', text: 'no table here has a column salary' }],
    });
  });

  it('groups by what stands beside an aggregate where the engine asks for it', () => {
    const facts = prepareSchemaFacts({ ...FACTS.catalog, dialect: 'duckdb' });
    expect(repairSql('SELECT country, COUNT(*) FROM singer', facts)?.sql).toBe(
      'SELECT country, COUNT(*) FROM singer GROUP BY country',
    );
  });

  it('gives only what parses and only reads, whatever it is given', () => {
    const words = [
      'SELECT',
      'nmae',
      'FROM',
      'singr',
      'JOIN',
      'x.y',
      '(',
      ')',
      ',',
      '*',
      "'",
      ';',
      'DROP TABLE',
      '```',
      '`a.b`',
      'WHERE',
      '=',
      '1',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { maxLength: 14 }), (picked) => {
        const found = repaired(picked.join(' '));
        if (found === undefined) return;
        const parsed = parse(found.sql, 'sqlite');
        expect(parsed.ok && checkReadOnly(parsed.tree).readOnly).toBe(true);
      }),
    );
  });
});
