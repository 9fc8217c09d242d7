import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it } from 'vitest';
import type { DialectName } from '../dialects/dialect.ts';
import { DIALECT_NAMES } from '../dialects/dialects.ts';
import { lexSql } from '../dialects/lex-sql.ts';
import { checkTokens } from './check-tokens.ts';

function refusal(sql: string, dialect: DialectName): string | undefined {
  return checkTokens(lexSql(sql, dialect), dialect)?.reason;
}

describe.each(DIALECT_NAMES)('line ends in %s', (dialect) => {
  it.each([
    'SELECT city,\r\n COUNT(*)\r\nFROM t\r\n',
    'SELECT a -- first\r\n, b FROM t',
    'SELECT a /* first\r\nsecond */, b FROM t',
    'SELECT a\r\n\r\n  \r\nFROM t;\r\n',
  ])('%j is read', (sql) => {
    expect(refusal(sql, dialect)).toBeUndefined();
  });

  it.each([
    'SELECT a,\r b FROM t',
    'SELECT a\r\r\nFROM t',
    'SELECT a -- first\r, b FROM t',
    'SELECT a -- first\r\r\n, b FROM t',
    'SELECT a /* first\rsecond */, b FROM t',
    'SELECT a FROM t\r',
    'SELECT\ra FROM t',
  ])('%j is not', (sql) => {
    expect(refusal(sql, dialect)).toContain('carriage return');
  });
});

it('leaves a carriage return inside of quotes alone', () => {
  expect(refusal("SELECT 'one\r\ntwo', 'three\rfour' FROM t", 'postgres')).toBeUndefined();
});

/** The characters that are white space to some engine or to some rule of Unicode, or nothing to see. */
const INVISIBLE = [
  ...[0x85, 0xa0, 0x1680, 0x180e, 0x2000, 0x2009, 0x200a, 0x200b, 0x200c, 0x200d, 0x200e, 0x2028, 0x2029],
  ...[0x202e, 0x202f, 0x205f, 0x2060, 0x2066, 0x3000, 0xfeff],
].map((code) => String.fromCharCode(code));

describe('characters that nobody sees', () => {
  const parts = ['SELECT 1 AS a', 'UNION', 'SELECT', 'b', 'FROM', 't'];

  it('are refused between words wherever an engine could take them for a part of a name', async () => {
    const instance = await DuckDBInstance.create(':memory:');
    const engine = await instance.connect();
    await engine.run('CREATE TABLE t AS SELECT 2 AS b');
    for (const character of INVISIBLE) {
      const sql = parts.join(character);
      for (const dialect of DIALECT_NAMES.filter((name) => name !== 'duckdb'))
        expect(refusal(sql, dialect)).toContain('invisible');
      if (refusal(sql, 'duckdb') !== undefined) continue;
      const read = await engine.runAndReadAll(sql);
      expect([character.charCodeAt(0), read.getRows().length]).toEqual([character.charCodeAt(0), 2]);
    }
    engine.closeSync();
    instance.closeSync();
  });

  it.each(["E'it\\'s'", '$$it is$$', '/* it */ 1'])('are refused in DuckDB beside %s, anywhere', (blind) => {
    expect(refusal(`SELECT ${blind}, 'a\u00a0b'`, 'duckdb')).toContain('U+00A0');
    expect(refusal(`SELECT ${blind},\u00a0b`, 'duckdb')).toContain('U+00A0');
    expect(refusal(`SELECT ${blind}, "a\u200bb"`, 'duckdb')).toContain('U+200B');
  });

  it('may stand inside of quotes and comments, and one before the first word', () => {
    for (const dialect of DIALECT_NAMES) {
      expect(refusal("\ufeffSELECT 'a\u00a0b\u200b' -- \u00a0", dialect)).toBeUndefined();
    }
  });
});

describe("a text behind E'…'", () => {
  it.each(["SELECT E'a'\n'b\\', (SELECT 1) --'", "SELECT e'a' -- x\n'b'"])('is refused: %j', (sql) => {
    expect(refusal(sql, 'postgres')).toContain('join them');
    expect(refusal(sql, 'duckdb')).toContain('join them');
  });

  it('is read where a word or comma stands between', () => {
    expect(refusal("SELECT E'a' || 'b', E'c', 'd', 'e' 'f'", 'postgres')).toBeUndefined();
  });
});
