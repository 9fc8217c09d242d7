import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SINGERS } from '../../../test/fixtures/uncertainty/singers.ts';
import type { ForeignKey } from '../../catalog/index.ts';
import { checkReadOnly, parse } from '../../sql/index.ts';
import { prepareSchemaFacts } from '../schema/prepare-schema-facts.ts';
import { repairSql } from './repair-sql.ts';

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

describe('a repair that dares', () => {
  it.each([
    ['spelling', 'SELECT nmae FROM singr', 'SELECT name FROM singer'],
    [
      'spelling',
      "SELECT name FROM singers WHERE country = 'france'",
      "SELECT name FROM singer WHERE country = 'France'",
    ],
    ['table', 'SELECT city FROM concert', 'SELECT city FROM venue'],
    ['table', 'SELECT v.city FROM places AS v', 'SELECT v.city FROM venue AS v'],
    ['quoting', 'SELECT `singer.name` FROM singer', 'SELECT singer.name FROM singer'],
    [
      'qualifier',
      'SELECT c.name FROM concert c JOIN singer s ON s.id = c.singer_id',
      'SELECT s.name FROM concert c JOIN singer s ON s.id = c.singer_id',
    ],
    ['qualifier', 'SELECT T9.name FROM singer', 'SELECT singer.name FROM singer'],
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
      'SELECT s.id FROM singer s JOIN concert c ON s.concert_id = c.id',
      'SELECT s.id FROM singer s JOIN concert c ON s.id = c.singer_id',
    ],
    [
      'join',
      'SELECT id, city FROM concert WHERE year = 1',
      'SELECT concert.id, venue.city FROM concert JOIN venue ON concert.venue_id = venue.id WHERE year = 1',
    ],
    ['near-name', 'SELECT singerCountry FROM singer', 'SELECT country FROM singer'],
    [
      'choice',
      'SELECT id FROM singer JOIN concert ON singer.id = singer_id',
      'SELECT singer.id FROM singer JOIN concert ON singer.id = singer_id',
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

  it.each<[string, readonly ForeignKey[], string | undefined]>([
    [
      'over the only way to the table that has the column',
      [key('concert', 'venue_id', 'venue')],
      'SELECT venue.city FROM concert c JOIN venue ON c.venue_id = venue.id',
    ],
    [
      'not where two ways lead there',
      [key('concert', 'venue_id', 'venue'), key('concert', 'id', 'venue')],
      undefined,
    ],
    [
      'not over a key that is only inferred',
      [{ ...key('concert', 'venue_id', 'venue'), source: 'inferred' }],
      undefined,
    ],
    ['not where no key leads there', [], undefined],
  ])('joins for a column with its table before it, and swaps no table: %s', (_, foreignKeys, expected) => {
    const facts = prepareSchemaFacts({ ...FACTS.catalog, foreignKeys });
    expect(repairSql('SELECT c.city FROM concert c', facts)?.sql).toBe(expected);
  });

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

  it('puts no other table for a neighbour that a subquery cannot see', () => {
    const sql = 'SELECT s.id FROM singer s JOIN (SELECT year FROM concert WHERE singer_id = s.id) c ON 1 = 1';
    expect(repaired(sql)).toBeUndefined();
  });

  it.each([
    ['SELECT country, name, COUNT(*) FROM singer GROUP BY ROLLUP (country)', 'postgres'],
    ['SELECT COUNT(*) FROM singer s WHERE COUNT(*) > 1', 'postgres'],
    ['SELECT name FROM singer WHERE id = (SELECT singer_id FROM concert LIMIT 2)', 'mysql'],
  ] as const)('leaves what an engine complains of where no change is sure: %s', (sql, dialect) => {
    const facts = prepareSchemaFacts({ ...FACTS.catalog, dialect });
    for (const kind of ['misplaced-call', 'subquery-rows'] as const)
      expect(repairSql(sql, facts, { complaint: { kind } })?.sql ?? sql).not.toMatch(/ IN | HAVING /);
    const grouped = repairSql(sql, facts, { complaint: { kind: 'group-by' } })?.sql ?? sql;
    expect(grouped).not.toContain('), name');
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
