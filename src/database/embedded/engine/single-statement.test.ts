import { expect, it } from 'vitest';
import { outlineStatement } from './single-statement.ts';

const CASES: readonly { sql: string; firstWord: string; hasMore: boolean }[] = [
  { sql: '', firstWord: '', hasMore: false },
  { sql: ' ; ; ', firstWord: '', hasMore: false },
  { sql: '-- only a comment', firstWord: '', hasMore: false },
  { sql: '/* open', firstWord: '', hasMore: false },
  { sql: 'SELECT 1', firstWord: 'select', hasMore: false },
  { sql: ' /* a */ -- b\n WITH x AS (SELECT 1) SELECT * FROM x;', firstWord: 'with', hasMore: false },
  { sql: 'SELECT 1; -- end\n /* end */ ;', firstWord: 'select', hasMore: false },
  { sql: 'SELECT 1; SELECT 2', firstWord: 'select', hasMore: true },
  { sql: 'SELECT 1;x', firstWord: 'select', hasMore: true },
  { sql: '; DROP TABLE t', firstWord: 'drop', hasMore: false },
  { sql: `SELECT ';'`, firstWord: 'select', hasMore: false },
  { sql: `SELECT 'it''s;' || "a"";" || \`b;\` FROM [c;d]`, firstWord: 'select', hasMore: false },
  { sql: `SELECT 'a' ; 'b'`, firstWord: 'select', hasMore: true },
  { sql: `SELECT '--' ; DELETE FROM t`, firstWord: 'select', hasMore: true },
  { sql: `SELECT "unclosed ; DELETE FROM t`, firstWord: 'select', hasMore: false },
  { sql: `SELECT [a]]; SELECT 2`, firstWord: 'select', hasMore: true },
  { sql: '(SELECT 1)', firstWord: '(', hasMore: false },
];

it.each(CASES)('$sql', ({ sql, firstWord, hasMore }) => {
  expect(outlineStatement(sql)).toMatchObject({ firstWord, hasMore });
});

it.each([
  ['SELECT 1', 'SELECT 1'],
  ['; /* a */ SELECT 1 -- b\n ; -- c', 'SELECT 1'],
  ["SELECT ' -- x;' /* open", "SELECT ' -- x;'"],
  ['SELECT 1 /* a */ + 2;', 'SELECT 1 /* a */ + 2'],
])('takes from %j the statement alone', (sql, text) => expect(outlineStatement(sql).text).toBe(text));
