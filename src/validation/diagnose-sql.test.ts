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
const CATALOG = {
  ...SINGERS,
  dialect: 'sqlite' as const,
  tables: SINGERS.tables.map((table) => ({ ...table, primaryKey: [`${table.id}.id`] })),
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
