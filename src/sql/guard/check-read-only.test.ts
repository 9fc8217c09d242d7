import { describe, expect, it } from 'vitest';
import type { DialectName } from '../dialects/dialect.ts';
import { parse } from '../parser/parse.ts';
import { checkReadOnly } from './check-read-only.ts';

const CASES: readonly (readonly [DialectName, string, string | undefined])[] = [
  ['sqlite', 'SELECT a FROM t;', undefined],
  ['sqlite', "SELECT a FROM 't'", undefined],
  ['duckdb', "SELECT a FROM 't'", 't'],
  ['duckdb', 'SELECT a FROM "sales.csv"', 'sales.csv'],
  ['duckdb', 'SELECT a FROM sales.parquet', 'sales.parquet'],
  ['duckdb', 'SELECT a FROM main.sales', undefined],
  ['sqlite', 'SELECT * INTO x FROM t', 'into'],
  ['sqlite', 'SELECT a FROM t FOR UPDATE', 'locks'],
  ['sqlite', 'WITH x AS (DELETE FROM t RETURNING a) SELECT a FROM x', 'DELETE'],
  ['sqlite', 'DROP TABLE t', 'DROP'],
  ['sqlite', 'SELECT Load_Extension(a) FROM t', 'load_extension'],
  ['duckdb', 'SELECT md5(a) FROM t', undefined],
  ['sqlite', 'SELECT md5(a) FROM t', 'md5'],
  [
    'duckdb',
    'SELECT formatReadableSize(a), formatReadableDecimalSize(a), grade_up([a, 2]) FROM t',
    undefined,
  ],
  ['duckdb', "SELECT switch(a, MAP {'x': 1}, 0) FROM t", undefined],
  ['sqlite', 'SELECT constructor(a) FROM t', 'constructor'],
  ['duckdb', 'SELECT __proto__(a) FROM t', '__proto__'],
  ['sqlite', 'SELECT name FROM sqlite_master', 'sqlite_master'],
  ['duckdb', 'SELECT * FROM information_schema.columns', 'columns'],
];

describe('checkReadOnly', () => {
  it.each(CASES)('%s: %s', (dialect, sql, offending) => {
    const parsed = parse(sql, dialect);
    if (!parsed.ok) throw new Error(parsed.error.message);
    const verdict = checkReadOnly(parsed.tree);
    expect(verdict.readOnly ? undefined : verdict.offending).toBe(offending);
  });

  it('gives a reason a person can act on', () => {
    const parsed = parse('SELECT sleep(1000)', 'duckdb');
    if (!parsed.ok) throw new Error(parsed.error.message);
    expect(checkReadOnly(parsed.tree)).toMatchObject({
      reason: 'the function sleep only makes the engine wait or fail',
    });
  });
});
