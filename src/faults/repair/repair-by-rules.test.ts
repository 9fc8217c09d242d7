import { describe, expect, it } from 'vitest';
import { SINGER_FACTS, singerQuery } from '../../../test/fixtures/uncertainty/singers.ts';
import { repairByRules } from './repair-by-rules.ts';

const repaired = (sql: string) => repairByRules(singerQuery(sql), SINGER_FACTS)?.query.tree.text;

describe('a repair by rules', () => {
  it.each([
    ['SELECT nmae FROM singer', 'SELECT name FROM singer'],
    ['SELECT T1.cuntry FROM singer AS T1', 'SELECT T1.country FROM singer AS T1'],
    ['SELECT singers.name FROM singers', 'SELECT singer.name FROM singer'],
    ['SELECT first_opened FROM venue', 'SELECT "First Opened" FROM venue'],
    ['SELECT singer.name FROM singer AS T1', 'SELECT T1.name FROM singer AS T1'],
    [
      "SELECT name FROM singer -- ' France'\nWHERE country = 'FRANCE '",
      "SELECT name FROM singer -- ' France'\nWHERE country = 'France'",
    ],
    [
      "SELECT name FROM singer WHERE country = 'côte D''ivoire'",
      "SELECT name FROM singer WHERE country = 'Côte d''Ivoire'",
    ],
    [
      "SELECT nmae FROM singer WHERE country IN ('france', 'Spain') AND aged > 3",
      "SELECT name FROM singer WHERE country IN ('France', 'Spain') AND age > 3",
    ],
  ])('mends %s', (sql, expected) => {
    expect(repaired(sql)).toBe(expected);
  });

  it.each([
    ['what is right', 'SELECT name FROM singer'],
    ['what has no name near it', 'SELECT salary FROM singer'],
    ['a name that two tables have', 'SELECT iid FROM singer JOIN concert ON singer.id = singer_id'],
    ['an ambiguous column', 'SELECT id FROM singer JOIN concert ON singer.id = singer_id'],
    ['a value that is not stored', "SELECT name FROM singer WHERE country = 'Italy'"],
    ['a missing GROUP BY', 'SELECT country, COUNT(*) FROM singer'],
    ['a short name, of which a letter is much', 'SELECT a.ag FROM singer AS a'],
    ['what two aliases may mean', 'SELECT singer.name FROM singer AS a JOIN singer AS b ON a.id = b.age'],
  ])('leaves %s as it is', (_, sql) => {
    expect(repaired(sql)).toBeUndefined();
  });

  it('says what it changed and why', () => {
    expect(repairByRules(singerQuery('SELECT nmae FROM singer'), SINGER_FACTS)?.changes).toEqual([
      { span: { start: 7, end: 11 }, text: 'name', because: 'no table here has a column nmae' },
    ]);
  });
});
