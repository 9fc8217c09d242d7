import { describe, expect, it } from 'vitest';
import { sqlInText } from './sql-in-text.ts';

const SQL = 'SELECT name, SUM(cost)\nFROM dogs\nGROUP BY name';

describe('SQL in what a person writes', () => {
  it.each([
    [`this doesnt run:\n${SQL}\nError: no such column: cost`, 'this doesnt run:', 'no such column: cost'],
    [
      `can u repair this one\n${SQL}\nno such function: MONTH`,
      'can u repair this one',
      'no such function: MONTH',
    ],
    [`${SQL}\n-> ambiguous column name: name`, '', 'ambiguous column name: name'],
    [`i get an error\n${SQL}\n"misuse of aggregate: SUM()"`, 'i get an error', 'misuse of aggregate: SUM()'],
    [
      `${SQL}\ncolumn "cost" does not exist\nLINE 1: SELECT name`,
      '',
      'column "cost" does not exist\nLINE 1: SELECT name',
    ],
    [
      `${SQL}\n\nonly get 1 row back, should be one per person`,
      'only get 1 row back, should be one per person',
      undefined,
    ],
    [`${SQL}\n\nno such column: cost`, '', 'no such column: cost'],
    [`fix: ${SQL}`, 'fix:', undefined],
  ])('%s', (text, words, error) => {
    expect(sqlInText(text)).toEqual({ sql: SQL, words, ...(error !== undefined && { error }) });
  });

  it('goes on behind an empty line with a clause', () => {
    const sql = SQL.replace('GROUP', '\nGROUP');
    expect(sqlInText(sql)).toEqual({ sql, words: '' });
  });

  it('takes no line of the query for the engine', () => {
    const sql = "SELECT name\nFROM logs\nWHERE kind = 1\n  AND text LIKE 'error%'";
    expect(sqlInText(sql)).toEqual({ sql, words: '' });
    expect(sqlInText('select the best singers')).toBeUndefined();
  });
});
