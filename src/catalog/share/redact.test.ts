import { describe, expect, it } from 'vitest';
import { knownWords, redactEngineError, redactQuoted } from './redact-message.ts';
import { redactSql, withoutLiterals } from './redact-sql.ts';

describe('redactSql', () => {
  it.each([
    ["SELECT name FROM t WHERE city = 'Berlin' LIMIT 5", 'SELECT name FROM t WHERE city = :text LIMIT 5'],
    ["SELECT 100.0 * a / b FROM t WHERE d >= '2024-01-31'", 'SELECT 100.0 * a / b FROM t WHERE d >= :date'],
    ["SELECT strftime('%Y', d) FROM t WHERE n = 4711", "SELECT strftime('%Y', d) FROM t WHERE n = :number"],
    ['SELECT 1 -- for Ms Smith', 'SELECT 1'],
    ["SELECT * FROM t WHERE x = 'it''s' /* 'y' */ AND 1 = 1", 'SELECT * FROM t WHERE x = :text   AND 1 = 1'],
    ["SELECT 'open", 'SELECT :text'],
    ['SELECT "odd name" FROM t WHERE x = "Anna"', 'SELECT "odd name" FROM t WHERE x = :text'],
  ])('%s', (sql, shown) => {
    expect(redactSql(sql, 'sqlite', { isName: (name) => name === 'odd name' }).sql).toBe(shown);
  });

  it('keeps the literals that the reader knows', () => {
    const keeps = (literal: string) => literal === 'Bonn';
    expect(redactSql("x = 'Bonn' OR x = 'Köln'", 'sqlite', { keeps }).sql).toBe("x = 'Bonn' OR x = :text");
  });

  it('takes the literals out of the question, too', () => {
    const { literals } = redactSql(
      "SELECT a FROM t WHERE c = 'Bad Ems' AND d LIKE '%Ltd%' AND n > 4711",
      'sqlite',
    );
    expect(withoutLiterals('Which LTD of bad ems has more than 4711 "things"?', literals)).toBe(
      'Which … of … has more than … …?',
    );
  });
});

describe('messages', () => {
  const known = knownWords(['SELECT CAST(code AS INTEGER) FROM "Orders" LIMIT 10']);
  it.each([
    [
      "Conversion Error: Could not convert string 'Zoe K-77' to INT32",
      "Conversion Error: Could not convert string '…' to INT32",
    ],
    ['invalid input syntax for type integer: "zq-9"', 'invalid input syntax for type integer: "…"'],
    ['Value cannot be cast to date: kqx 12.3.2020', 'Value cannot be cast to date: …'],
    ["Could not convert string 'O'Brien' to INT32", "Could not convert string '…'…' to INT32"],
    ['Type INT64 with value 98765432 is out of range', 'Type INT64 with value … is out of range'],
    ['no such column: Orders.code', 'no such column: Orders.code'],
    ['syntax error near "LIMIT 10"', 'syntax error near "LIMIT 10"'],
  ])('%s', (message, shown) => {
    expect(redactEngineError(message, known)).toBe(shown);
  });

  it('of checks keep their words and lose what is quoted', () => {
    expect(redactQuoted('no value “Zoe” in Orders.code; nearest: “Zoë”, 4711', known)).toBe(
      'no value “…” in Orders.code; nearest: “…”, …',
    );
  });
});
