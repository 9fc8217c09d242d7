import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DialectName } from '../dialects/dialect.ts';
import { lexSql } from '../dialects/lex-sql.ts';
import { formatSql } from './format-sql.ts';

const WORDS = `select from where group by having order limit union all left join on and or between case when then end
as in not with values over partition ( ) , . = t a b 'x' "q" 1 -- c⏎ /* d */ count( left( || ;`;
const sqlLike = fc
  .array(fc.tuple(fc.constantFrom(...WORDS.split(/\s+/)), fc.constantFrom(' ', '', '\n', '  ')), {
    maxLength: 60,
  })
  .map((pieces) => pieces.map(([word, space]) => word.replace('⏎', '\n') + space).join(''));

function tokensOf(sql: string, dialect: DialectName): readonly string[] {
  return lexSql(sql, dialect)
    .filter((token) => token.kind !== 'space')
    .map((token) => token.text);
}

describe.each(['sqlite', 'duckdb'] as const)('formatSql for %s', (dialect) => {
  it('changes no token, and moves every span to the same text', () => {
    fc.assert(
      fc.property(sqlLike, (sql) => {
        const { text, moveSpan } = formatSql(sql, dialect);
        expect(tokensOf(text, dialect)).toEqual(tokensOf(sql, dialect));
        for (const token of lexSql(sql, dialect)) {
          if (token.kind === 'space') continue;
          const { start, end } = moveSpan({ start: token.start, end: token.end });
          expect(text.slice(start, end)).toBe(token.text);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('is a fixed point: formatting twice changes nothing more', () => {
    fc.assert(
      fc.property(sqlLike, (sql) => {
        const once = formatSql(sql, dialect).text;
        expect(formatSql(once, dialect).text).toBe(once);
      }),
    );
  });
});

it('puts clauses, conditions and subqueries on lines of their own', () => {
  const sql = `WITH x AS (SELECT a, b FROM t) SELECT x.a, count(*) AS n FROM x LEFT JOIN u ON x.a = u.a
    WHERE x.b BETWEEN 1 AND 2 AND (x.a = 1 OR x.a = 2) AND u.c IN (SELECT c FROM v WHERE d = 1) GROUP BY x.a ORDER BY n DESC LIMIT 3`;
  expect(formatSql(sql, 'sqlite').text).toMatchInlineSnapshot(`
    "WITH x AS (
      SELECT a, b
      FROM t
    )
    SELECT x.a, count(*) AS n
    FROM x
    LEFT JOIN u ON x.a = u.a
    WHERE x.b BETWEEN 1 AND 2
      AND (x.a = 1 OR x.a = 2)
      AND u.c IN (
        SELECT c
        FROM v
        WHERE d = 1
      )
    GROUP BY x.a
    ORDER BY n DESC
    LIMIT 3"
  `);
});

it('moves a span that holds several tokens', () => {
  const sql = 'SELECT a FROM t WHERE b = 1   AND c = 2';
  const { text, moveSpan } = formatSql(sql, 'sqlite');
  const start = sql.indexOf('b = 1');
  const moved = moveSpan({ start, end: start + 8 });
  expect(text.slice(moved.start, moved.end)).toBe('b = 1');
});
