import { describe, expect, it } from 'vitest';
import { SINGERS } from '../../test/fixtures/uncertainty/singers.ts';
import type { ForeignKey } from '../catalog/index.ts';
import { prepareSchemaFacts } from '../faults/index.ts';
import { diagnoseSql } from './diagnose-sql.ts';

const key = (from: string, column: string, to: string): ForeignKey => ({
  fromTable: from,
  fromColumns: [`${from}.${column}`],
  toTable: to,
  toColumns: [`${to}.id`],
  source: 'declared',
});
/** A concert without a venue was seen, and every one has its singer. */
const NULLS: Readonly<Record<string, number>> = { venue_id: 2, singer_id: 0 };
const CATALOG = {
  ...SINGERS,
  dialect: 'sqlite' as const,
  tables: SINGERS.tables.map((table) => ({
    ...table,
    primaryKey: [`${table.id}.id`],
    columns: table.columns.map((column) => {
      const nullCount = NULLS[column.name];
      if (nullCount === undefined) return column;
      return { ...column, profile: { scannedRows: 9, nullCount, distinctCount: 3, examples: [] } };
    }),
  })),
  foreignKeys: [key('concert', 'singer_id', 'singer'), key('concert', 'venue_id', 'venue')],
};
const schema = prepareSchemaFacts(CATALOG);

async function shown(sql: string) {
  const { problems } = await diagnoseSql(sql, { schema });
  return problems.map(
    ({ severity, kind, text, instead }) => `${severity} ${kind}: ${text} → ${instead.join(', ')}`,
  );
}

describe('diagnoseSql', () => {
  it.each([
    ['nothing', 'SELECT name FROM singer', []],
    [
      'all names at once, and where they do exist',
      'SELECT nmae, city FROM singer JOIN concrt ON 1 = 1 WHERE ag = 3',
      ['error unknown-table: there is no table concrt → concert'],
    ],
    [
      'a column of a table that is not read',
      'SELECT name, city FROM singer',
      ['error unknown-column: no table here has a column city; venue has it, not read here → venue.city'],
    ],
    [
      'a value that is not stored, with the nearest',
      "SELECT name FROM singer WHERE country = 'Frence'",
      ['warning unseen-literal: the column has no such value → France'],
    ],
    [
      'a sum over repeated rows',
      'SELECT SUM(s.age) FROM singer s JOIN concert c ON c.singer_id = s.id',
      ['warning fan-out: SUM(s.age) adds rows of s once for each row of c that is joined to them → '],
    ],
    [
      'a join beside the key',
      'SELECT s.name FROM singer s JOIN concert c ON s.id = c.venue_id',
      [
        'warning wrong-join: no key connects singer.id and concert.venue_id, and one connects their tables → concert.singer_id = singer.id',
      ],
    ],
    [
      'a pattern that can only be the whole text, and is a part of one',
      "SELECT id FROM singer WHERE country LIKE 'Fran'",
      [
        "warning like-without-wildcard: country LIKE 'Fran' has no % and no _, so it compares with the whole text: no value of the column is it, and some contain it → ",
        'warning unseen-literal: the column has no such value → France',
      ],
    ],
    [
      'such a pattern in brackets, after NOT',
      "SELECT id FROM singer WHERE country NOT LIKE ('pai')",
      [
        "warning like-without-wildcard: country NOT LIKE ('pai') has no % and no _, so it compares with the whole text: no value of the column is it, and some contain it → ",
        'warning unseen-literal: the column has no such value → Spain',
      ],
    ],
    [
      'NOT IN over a column that holds NULL',
      'SELECT id FROM venue WHERE city IS NOT NULL AND id NOT IN (SELECT DISTINCT c.venue_id FROM concert c)',
      [
        'warning not-in-null: id NOT IN (SELECT DISTINCT c.venue_id FROM concert c) is never true, since c.venue_id holds NULL: no row passes. Add WHERE c.venue_id IS NOT NULL to the subquery, or write NOT EXISTS → ',
      ],
    ],
    [
      'NOT before such an IN',
      'SELECT id FROM venue WHERE NOT (id IN (SELECT venue_id AS v FROM concert))',
      [
        'warning not-in-null: NOT (id IN (SELECT venue_id AS v FROM concert)) is never true, since venue_id holds NULL: no row passes. Add WHERE venue_id IS NOT NULL to the subquery, or write NOT EXISTS → ',
      ],
    ],
    [
      'what does more than read',
      'DELETE FROM singer',
      ['error not-read-only: a statement that begins with DELETE is not a query → '],
    ],
    [
      'what is no SQL',
      'SELECT FROM',
      ['error parse: line 1, column 12: expected a table, found the end of the text → '],
    ],
  ])('says %s', async (_, sql, expected) => {
    expect(await shown(sql)).toEqual(expected);
  });

  it.each([
    ['a sum of the repeating table', 'SELECT SUM(c.year) FROM singer s JOIN concert c ON c.singer_id = s.id'],
    [
      'a sum for each of its rows',
      'SELECT c.year, SUM(s.age) FROM singer s JOIN concert c ON c.singer_id = s.id GROUP BY c.year',
    ],
    [
      'a sum that counts',
      "SELECT SUM(s.country = 'Spain') FROM singer s JOIN concert c ON c.singer_id = s.id",
    ],
    ['a sum of what is joined once', 'SELECT SUM(c.year) FROM concert c JOIN singer s ON c.singer_id = s.id'],
    ['a join by the key', 'SELECT s.name FROM singer s JOIN concert c ON s.id = c.singer_id'],
    [
      'two columns that refer to one',
      'SELECT a.id FROM concert a JOIN concert b ON a.singer_id = b.singer_id',
    ],
    ['a pattern with %', "SELECT id FROM singer WHERE country LIKE 'Fran%'"],
    ['a pattern with _', "SELECT id FROM singer WHERE country LIKE 'Spai_'"],
    ['a pattern that is computed', "SELECT id FROM singer WHERE country LIKE 'F' || name"],
    ['a pattern of a column', "SELECT id FROM singer WHERE 'Fran' LIKE name"],
    ['a pattern that is a whole value, in any case', "SELECT id FROM singer WHERE country LIKE 'france'"],
    [
      'a list in which no NULL was seen',
      'SELECT id FROM singer WHERE id NOT IN (SELECT singer_id FROM concert)',
    ],
    ['a list of which nothing is known', 'SELECT id FROM concert WHERE id NOT IN (SELECT id FROM venue)'],
    [
      'a list whose NULLs may be left out',
      'SELECT id FROM venue WHERE id NOT IN (SELECT venue_id FROM concert WHERE venue_id IS NOT NULL)',
    ],
    [
      'a list whose NULLs a join leaves out',
      'SELECT id FROM venue WHERE id NOT IN (SELECT c.venue_id FROM concert c JOIN venue v ON c.venue_id = v.id)',
    ],
    [
      'a list cut short',
      'SELECT id FROM venue WHERE id NOT IN (SELECT venue_id FROM concert ORDER BY venue_id DESC LIMIT 1)',
    ],
    [
      'a list that is computed',
      'SELECT id FROM venue WHERE id NOT IN (SELECT COALESCE(venue_id, 0) FROM concert)',
    ],
    [
      'a list of a query in FROM',
      'SELECT id FROM venue WHERE id NOT IN (SELECT venue_id FROM (SELECT venue_id FROM concert WHERE year > 3) c)',
    ],
    ['IN over such a list', 'SELECT id FROM venue WHERE id IN (SELECT venue_id FROM concert)'],
    [
      'NOT IN that is turned round',
      'SELECT id FROM venue WHERE NOT (id NOT IN (SELECT venue_id FROM concert))',
    ],
    ['NOT IN that is shown', 'SELECT id NOT IN (SELECT venue_id FROM concert) FROM venue'],
    ['a pattern where no values are known', "SELECT id FROM singer WHERE name LIKE 'Ann'"],
  ])('says nothing of %s', async (_, sql) => {
    expect(await shown(sql)).toEqual([]);
  });

  it.each([
    ['ESCAPE', "SELECT id FROM singer WHERE country LIKE 'Fran' ESCAPE '!'"],
    ['a sign that may spell a wildcard', String.raw`SELECT id FROM singer WHERE country LIKE 'Fran\x25'`],
    ['no value that contains it', "SELECT id FROM singer WHERE country LIKE 'Peru'"],
    ['GLOB', "SELECT id FROM singer WHERE country GLOB 'Fran'"],
    ['another comparison', "SELECT id FROM singer WHERE country = 'Fran'"],
  ])('takes LIKE for a comparison with %s', async (_, sql) => {
    expect((await diagnoseSql(sql, { schema })).problems.map(({ kind }) => kind)).not.toContain(
      'like-without-wildcard',
    );
  });
});
