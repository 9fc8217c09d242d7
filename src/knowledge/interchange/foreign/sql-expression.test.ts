import { describe, expect, it } from 'vitest';
import { resolveExpression } from './resolve-expression.ts';
import {
  columnText,
  equalColumnsIn,
  equalityIn,
  localSql,
  ratioIn,
  rewriteColumns,
  withFilters,
} from './sql-expression.ts';

describe('expressions of other tools', () => {
  it.each([
    ['SUM(amount)', 'SUM(CASE WHEN paid THEN amount END)'],
    ['COUNT(*)', 'COUNT(CASE WHEN paid THEN 1 END)'],
    [
      'COUNT(DISTINCT id) / NULLIF(SUM(x), 0)',
      'COUNT(DISTINCT CASE WHEN paid THEN id END) / NULLIF(SUM(CASE WHEN paid THEN x END), 0)',
    ],
    ['COUNT(DISTINCT a, b)', undefined],
    ['amount', undefined],
  ])('%s takes conditions in', (sql, expected) => {
    expect(withFilters(sql, ['paid'])).toBe(expected);
  });

  it('keeps several conditions apart', () => {
    expect(withFilters('SUM(x)', ['a OR b', 'c'])).toBe('SUM(CASE WHEN (a OR b) AND (c) THEN x END)');
  });

  it.each([
    ['a / b', { numerator: 'a', denominator: 'b' }],
    ['SUM(a) / NULLIF(SUM(b), 0)', { numerator: 'SUM(a)', denominator: 'SUM(b)' }],
    ['a / NULLIF(b, 1)', { numerator: 'a', denominator: 'NULLIF(b, 1)' }],
    ['a + b', undefined],
  ])('%s as a ratio', (sql, expected) => expect(ratioIn(sql)).toEqual(expected));

  it.each([
    ["t.a = 'it''s'", { parts: ['t', 'a'], value: "it's" }],
    ['"A b" = 3', { parts: ['A b'], value: 3 }],
    ['a = 007', undefined],
    ['a > 3', undefined],
    ["a = 'x' OR TRUE", undefined],
  ])('%s as one value of one column', (sql, expected) => expect(equalityIn(sql)).toEqual(expected));

  it.each([
    [
      'a.x = b.y AND (a.z = b.w)',
      [
        [
          ['a', 'x'],
          ['b', 'y'],
        ],
        [
          ['a', 'z'],
          ['b', 'w'],
        ],
      ],
    ],
    ['a.x = b.y OR a.z = b.w', undefined],
    ['a.x = 3', undefined],
    ['a.x BETWEEN b.y AND b.z', undefined],
  ])('%s as a join of columns', (sql, expected) => expect(equalColumnsIn(sql)).toEqual(expected));

  it.each(['1) FROM secrets WHERE (1', 'a -- b', '(SELECT 1)', 'a; DROP TABLE b', 'a, b', ''])(
    '%j is no expression',
    (sql) => expect(rewriteColumns(sql, (parts) => parts.join('.'))).toBeUndefined(),
  );

  it('names columns alone, with quotes where they need them', () => {
    expect(localSql('SUM(t.amount) + MAX(t."Net Amount") - MIN(t."order")')).toBe(
      'SUM(amount) + MAX("Net Amount") - MIN("order")',
    );
    expect(columnText('t', 'a"b')).toBe('t."a""b"');
  });
});

describe('names of members', () => {
  const orders = {
    name: 'orders',
    table: 'fct',
    members: new Map([
      ['net', 'gross - tax'],
      ['a', 'b'],
      ['b', 'a + a'],
      ['status', 'status'],
    ]),
  };

  it.each([
    ['SUM(net)', 'SUM((fct.gross - fct.tax))'],
    ['ORDERS.status', 'fct.status'],
    ['fct.anything', 'fct.anything'],
    ['a', undefined],
    ['other.x', undefined],
  ])('%s', (sql, expected) => expect(resolveExpression(sql, [orders], orders)?.sql).toBe(expected));

  it('stop growing', () => {
    const members = new Map(
      Array.from({ length: 19 }, (_, n) => [
        `m${n}`,
        Array(9)
          .fill(`m${n + 1}`)
          .join(' + '),
      ]),
    );
    expect(resolveExpression('m0', [{ ...orders, members }], { ...orders, members })).toBeUndefined();
  });
});
