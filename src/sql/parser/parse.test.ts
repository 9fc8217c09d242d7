import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { spanBreach, treeBreach } from '../../../test/fixtures/sql/tree-laws.ts';
import type { DialectName } from '../dialects/dialect.ts';
import { lexSql } from '../dialects/lex-sql.ts';
import { showTree } from '../tree/show-tree.ts';
import { STATEMENT_LIMITS } from '../tree/statement-limits.ts';
import { parse } from './parse.ts';

/** Blocks of a query and its tree, under `-- dialect`. */
function readGolden(): readonly { dialect: DialectName; sql: string; tree: string }[] {
  const cases: { dialect: DialectName; sql: string; tree: string }[] = [];
  let dialect: DialectName = 'sqlite';
  const blocks = readFileSync('test/fixtures/sql/trees.txt', 'utf8').split('\n\n').slice(1);
  for (const block of blocks) {
    const [sql = '', tree] = block.trim().split('\n');
    if (tree === undefined) dialect = sql.replace('-- ', '') as DialectName;
    else cases.push({ dialect, sql, tree });
  }
  return cases;
}

const GOLDEN = readGolden();

describe('golden trees', () => {
  it('are there for all dialects', () => {
    expect(new Set(GOLDEN.map(({ dialect }) => dialect)).size).toBe(7);
    expect(GOLDEN.length).toBeGreaterThan(70);
  });

  it.each(GOLDEN)('$dialect: $sql', ({ dialect, sql, tree }) => {
    const result = parse(sql, dialect);
    expect(result.ok ? showTree(result.tree.root) : result.error.message).toBe(tree);
  });

  it.each(GOLDEN)('obey the laws of trees: $sql', ({ dialect, sql }) => {
    const result = parse(sql, dialect);
    if (!result.ok) throw new Error(result.error.message);
    expect(treeBreach(result.tree)).toBeUndefined();
    for (const node of result.tree.nodes) {
      const isWordForTwo = node.type === 'Null' && /null$/i.test(sql.slice(node.start, node.end));
      if (!isWordForTwo) expect(spanBreach(result.tree, node)).toBeUndefined();
    }
  });

  it('do not depend on white space, comments and the case of keywords', () => {
    for (const { dialect, sql, tree } of GOLDEN) {
      const spaced = lexSql(sql, dialect)
        .map(({ kind, text }) => (kind === 'space' ? ' /* x */\n\t' : text))
        .join('');
      const result = parse(spaced, dialect);
      expect(result.ok && showTree(result.tree.root), spaced).toBe(tree);
    }
  });
});

const FAULTS: readonly (readonly [DialectName, string, string, place: number])[] = [
  ['sqlite', 'SELECT', 'expected an expression, found the end of the text', 6],
  [
    'trino',
    'SELECT 1 FROM t MATCH_RECOGNIZE (PARTITION BY a + 1 PATTERN (a) DEFINE a AS b)',
    'expected a column, found a',
    46,
  ],
  [
    'trino',
    'SELECT 1 FROM t MATCH_RECOGNIZE (PATTERN (a{}) DEFINE a AS b)',
    'expected a number, found }',
    44,
  ],
  [
    'trino',
    'SELECT 1 FROM t MATCH_RECOGNIZE (PATTERN (a**) DEFINE a AS b)',
    'expected a variable of the pattern, found **',
    43,
  ],
  ['trino', 'SELECT 1 FROM t MATCH_RECOGNIZE (PATTERN (a) )', 'expected DEFINE, found )', 45],
  [
    'snowflake',
    'SELECT 1 FROM t MATCH_RECOGNIZE (AFTER MATCH SKIP LAST PATTERN (a) DEFINE a AS b)',
    'expected TO, found LAST',
    50,
  ],
  ['duckdb', 'SELECT 1 FROM t MATCH_RECOGNIZE (PATTERN (a) DEFINE a AS b)', 'expected a type, found (', 41],
  ['sqlite', 'SELECT a FROM', 'expected a table, found the end of the text', 13],
  ['sqlite', 'SELECT a FORM t WHERE x', 'expected the end of the statement, found t', 14],
  ['sqlite', 'SELECT a FROM t WHERE', 'expected an expression, found the end of the text', 21],
  ['sqlite', 'SELECT CASE WHEN a THEN 1 FROM t', 'expected WHEN, ELSE or END, found FROM', 26],
  ['sqlite', 'SELECT CAST(a INT) FROM t', 'expected AS, found INT', 14],
  ['sqlite', 'SELECT (a FROM t', 'expected ), found FROM', 10],
  ['sqlite', 'SELECT a FROM t GROUP BY a ORDER a', 'expected the end of the statement, found ORDER', 27],
  ['sqlite', 'SELECT a,, b FROM t', 'expected an expression, found ,', 9],
  ['sqlite', 'SELECT a FROM t; DROP TABLE t', 'there is more than one statement', 17],
  ['sqlite', "SELECT 'a FROM t", "a ' is opened and not closed", 7],
  ['sqlite', '-- nothing', 'there is no statement', 0],
  ['sqlite', 'SELECT TOP 1 a FROM t', 'expected the end of the statement, found 1', 11],
  ['sqlite', '```sql\nSELECT 1\n```', 'expected SELECT or WITH, found ```sql…', 0],
  ['mysql', 'SELECT 1 /*! UNION SELECT 2 */', 'a comment that the server would run is not allowed', 9],
  ['duckdb', 'SELECT a /* b', 'a comment is opened and not closed', 9],
  ['postgres', 'SELECT a BETWEEN 1 OR 2', 'expected AND, found OR', 19],
  ['bigquery', 'SELECT CAST(a AS ARRAY<INT64) FROM t', 'expected >, found )', 28],
];

describe('refusals', () => {
  it.each(FAULTS)('%s: %s', (dialect, sql, message, offset) => {
    const result = parse(sql, dialect);
    expect(result.ok).toBe(false);
    if (!result.ok) expect([result.error.message, result.error.offset]).toEqual([message, offset]);
  });

  it('counts in UTF-16 units, and comments do not move the place', () => {
    const result = parse("SELECT '😀', /* two\nlines */\n  a b c FROM t", 'sqlite');
    if (result.ok) throw new Error('parsed');
    expect(result.error).toMatchObject({ line: 3, column: 7, excerpt: '  a b c FROM t\n      ^' });
  });

  it('points behind the last token where the end is what is wrong', () => {
    const result = parse('SELECT a FROM t WHERE   ', 'sqlite');
    expect(result.ok ? undefined : result.error.offset).toBe('SELECT a FROM t WHERE'.length);
  });

  it('shows the line with a caret and the place in lines and columns', () => {
    const result = parse('SELECT a\nFROM t\nWHERE (b = 1', 'sqlite');
    if (result.ok) throw new Error('parsed');
    expect(result.error).toMatchObject({ line: 3, column: 13, expected: [')'] });
    expect(result.error.excerpt).toBe('WHERE (b = 1\n            ^');
  });
});

const NOT_READ = readFileSync('test/fixtures/sql/not-read.txt', 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));

describe('syntax that is known to be missing', () => {
  it.each(NOT_READ)('%s', (line) => {
    const [, dialect = '', sql = ''] = /^(\w+): (.*)$/.exec(line) ?? [];
    const result = parse(sql, dialect as DialectName);
    expect(result.ok && result.tree.root.type !== 'Command').toBe(false);
  });
});

const MANY = 10_000;
const HOSTILE: readonly (readonly [string, string])[] = [
  ['brackets', `SELECT ${'('.repeat(MANY)}1${')'.repeat(MANY)}`],
  ['open brackets', `SELECT ${'('.repeat(MANY)}`],
  ['subqueries', `SELECT ${'(SELECT '.repeat(MANY)}1${')'.repeat(MANY)}`],
  ['derived tables', `SELECT * FROM ${'(SELECT * FROM '.repeat(MANY)}t${')'.repeat(MANY)}`],
  ['calls', `SELECT ${'SUBSTR('.repeat(MANY)}a${', 1)'.repeat(MANY)}`],
  ['CASE', `SELECT ${'CASE WHEN '.repeat(MANY)}1`],
  ['NOT', `SELECT ${'NOT '.repeat(MANY)}1`],
  ['minus', `SELECT ${'- '.repeat(MANY)}1`],
  ['AND', `SELECT ${'a AND '.repeat(MANY)}1`],
  ['plus', `SELECT ${'1 + '.repeat(MANY)}1`],
  ['UNION', `SELECT 1${' UNION SELECT 1'.repeat(MANY)}`],
  ['limited branches', `SELECT 1${' LIMIT 1 UNION SELECT 1'.repeat(MANY)}`],
  ['joins', `SELECT * FROM t${' JOIN t'.repeat(MANY)}${' ON 1'.repeat(MANY)}`],
  ['types', `SELECT CAST(a AS ${'ARRAY<'.repeat(MANY)}INT${'>'.repeat(MANY)})`],
  ['lists', `SELECT ${'['.repeat(MANY)}1${']'.repeat(MANY)}`],
  ['IS NULL', `SELECT a${' IS NULL'.repeat(MANY)}`],
  ['casts', `SELECT a${'::int'.repeat(MANY)}`],
  ['subscripts', `SELECT a${'[1]'.repeat(MANY)}`],
  ['CTEs', `WITH ${Array.from({ length: MANY }, (_, n) => `c${n} AS (SELECT 1)`).join(', ')} SELECT 1`],
];

describe('hostile SQL', () => {
  it.each(HOSTILE)('%s: 10,000 of them end in a tree or a refusal', (_, sql) => {
    for (const dialect of ['sqlite', 'duckdb', 'bigquery'] as const) {
      const result = parse(sql, dialect);
      if (!result.ok) expect(result.error.message).not.toBe('');
    }
  });

  it('takes a long flat list and refuses what is longer than the limit', () => {
    const list = Array.from({ length: 50_000 }, (_, n) => n).join(', ');
    expect(parse(`SELECT a FROM t WHERE a IN (${list})`, 'sqlite').ok).toBe(true);
    const long = parse(`SELECT '${'x'.repeat(STATEMENT_LIMITS.characters)}'`, 'sqlite');
    expect(long.ok ? '' : long.error.message).toContain('more than the 400000 allowed');
  });

  it('never throws, whatever the tokens', () => {
    const words = GOLDEN.flatMap(({ dialect, sql }) => lexSql(sql, dialect).map(({ text }) => text));
    const soup = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(soup, fc.constantFrom(...GOLDEN), (pieces, { dialect, sql }) => {
        const at = pieces.length % Math.max(1, sql.length);
        const result = parse(sql.slice(0, at) + pieces.join(' ') + sql.slice(at), dialect);
        if (result.ok) expect(treeBreach(result.tree)).toBeUndefined();
      }),
      { numRuns: 3_000, seed: 7 },
    );
  });
});
