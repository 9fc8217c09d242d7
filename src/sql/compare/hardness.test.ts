import { describe, expect, it } from 'vitest';
import { readRows, treeOf } from '../../../test/fixtures/sql/compare-read.ts';
import { type Hardness, hardness } from './hardness.ts';

/** The classes are what the official evaluation.py gives for these queries. */
describe('hardness', () => {
  const cases = readRows<{ readonly sql: string; readonly hardness: Hardness }>('compare-hardness');
  it.each(cases)('$hardness: $sql', ({ sql, hardness: expected }) => {
    expect(hardness(treeOf(sql))).toBe(expected);
  });

  const BEYOND: readonly (readonly [Hardness, string])[] = [
    ['hard', 'WITH c AS (SELECT a FROM t) SELECT a FROM c'],
    ['hard', 'SELECT (SELECT MAX(a) FROM u) FROM t'],
    ['hard', 'SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u)'],
    ['medium', 'SELECT a FROM t, u WHERE t.i = u.i'],
    ['easy', 'DELETE FROM t'],
  ];
  it.each(BEYOND)('beyond the official parser, %s: %s', (expected, sql) => {
    expect(hardness(treeOf(sql))).toBe(expected);
  });
});
