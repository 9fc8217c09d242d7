import { describe, expect, it } from 'vitest';
import type { DialectName } from './dialect.ts';
import { type ParseError, parse } from './parse.ts';
import { loadParser } from './parser-instance.ts';

async function errorOf(sql: string, dialect: DialectName = 'sqlite'): Promise<ParseError> {
  const result = await parse(sql, dialect);
  if (result.ok) throw new Error(`parsed: ${sql.slice(0, 80)}`);
  return result.error;
}

describe('parse', () => {
  it('gives one tree for each statement', async () => {
    const result = await parse('SELECT 1; SELECT 2', 'duckdb');
    expect(result.ok && result.query.statements.length).toBe(2);
  });

  it('names the place of an error in UTF-16 units, with the line and a caret', async () => {
    const error = await errorOf("SELECT '😀',\n  a b c FROM t");
    expect(error).toMatchObject({ line: 2, column: 7, offset: 19 });
    expect(error.excerpt).toBe('  a b c FROM t\n      ^');
  });

  it('places an error on the line of an astral character after it', async () => {
    expect((await errorOf("SELECT '😀' a b")).offset).toBe(14);
  });

  it('places an error at the end of the text where the end is what is wrong', async () => {
    const error = await errorOf('SELECT a FROM t WHERE   ');
    expect(error.offset).toBe('SELECT a FROM t WHERE'.length);
    expect(error.message).toContain('the end of the text');
  });

  it('does not let a comment move the place', async () => {
    expect((await errorOf('SELECT /* two\nlines */ a b c')).line).toBe(2);
  });

  it.each([
    ['an open text', "SELECT 'a", "a ' is opened"],
    ['nothing', '  -- only a comment', 'there is no statement'],
    ['prose', 'how many orders?', 'an SQL statement'],
  ])('refuses %s', async (_, sql, message) => {
    expect((await errorOf(sql)).message).toContain(message);
  });
});

const DEEP: readonly (readonly [string, string])[] = [
  ['brackets', `SELECT ${'('.repeat(10_000)}1${')'.repeat(10_000)}`],
  ['open brackets', `SELECT ${'('.repeat(10_000)}`],
  ['functions', `SELECT ${'abs('.repeat(10_000)}1${')'.repeat(10_000)}`],
  ['subqueries', `${'SELECT * FROM ('.repeat(10_000)}SELECT 1${')'.repeat(10_000)}`],
  ['CASE', `SELECT ${'CASE WHEN 1 THEN '.repeat(10_000)}1${' END'.repeat(10_000)}`],
  ['NOT', `SELECT ${'NOT '.repeat(10_000)}1`],
  ['minus', `SELECT ${'- '.repeat(10_000)}1`],
  ['lists', `SELECT ${'['.repeat(10_000)}1${']'.repeat(10_000)}`],
  ['additions', `SELECT 1${' + 1'.repeat(10_000)}`],
  ['AND', `SELECT 1 FROM t WHERE a${' AND a'.repeat(10_000)}`],
  ['IS NULL', `SELECT a${' IS NULL'.repeat(10_000)}`],
  ['casts', `SELECT a${'::int'.repeat(10_000)}`],
  ['UNION', `SELECT 1${' UNION SELECT 1'.repeat(10_000)}`],
  ['text', `SELECT '${'a'.repeat(1_000_000)}'`],
];

describe.each(['sqlite', 'duckdb'] as const)('limits of %s', (dialect) => {
  it.each(DEEP)('refuses too many %s, quickly, and goes on working', async (_, sql) => {
    const start = performance.now();
    const error = await errorOf(sql, dialect);
    expect(error.message.length).toBeLessThan(200);
    expect(performance.now() - start).toBeLessThan(2_000);
    expect((await parse('SELECT 1', dialect)).ok).toBe(true);
  });

  it.each([
    ['IN list', `SELECT a FROM t WHERE a IN (${Array.from({ length: 10_000 }, (_, i) => i).join(', ')})`],
    ['AND list', `SELECT a FROM t WHERE a = 1${' AND a = 1'.repeat(250)}`],
    ['brackets', `SELECT ${'('.repeat(30)}1${')'.repeat(30)}`],
    ['columns', `SELECT ${Array.from({ length: 3_000 }, (_, i) => `a${i} + 1`).join(', ')} FROM t`],
    ['unions', `SELECT 1${' UNION ALL SELECT 1'.repeat(200)}`],
  ])('still reads a long %s', async (_, sql) => {
    expect((await parse(sql, dialect)).ok).toBe(true);
  });
});

it('replaces the parser when an input has killed it', async () => {
  const parser = await loadParser();
  expect(parser.parse(`SELECT 1${' + 1'.repeat(20_000)}`, 'sqlite').kind).toBe('died');
  const next = await loadParser();
  expect(next).not.toBe(parser);
  expect(next.parse('SELECT 1', 'sqlite').kind).toBe('parsed');
  expect((await parse('SELECT 1', 'sqlite')).ok).toBe(true);
});
