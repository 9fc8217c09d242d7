import { describe, expect, it } from 'vitest';
import type { DialectName } from '../dialects/dialect.ts';
import { bindProperties, bindSamples, type SessionProperties } from './bind-properties.ts';

const CASES: readonly (readonly [DialectName, string, SessionProperties, bound: string])[] = [
  ['sqlite', 'tenant = :tenant', { tenant: 7 }, 'tenant = (7)'],
  ['duckdb', 'a--:b⏎=:tenant', { tenant: -7 }, "a--:b⏎='-7'"],
  ['postgres', 'tenant = :tenant', { tenant: "O'Hara" }, "tenant = 'O''Hara'"],
  ['postgres', 'tenant::text = :tenant', { tenant: 'a' }, "tenant::text = 'a'"],
  ['mysql', 'tenant = :tenant', { tenant: "a\\' OR 1=1 -- " }, "tenant = 'a\\\\'' OR 1=1 -- '"],
  // As a number it would equal every text that begins with no other number.
  ['mysql', 'tenant = :tenant', { tenant: 0 }, "tenant = '0'"],
  ['mysql', 'a IN (:ids) AND b > :n', { ids: [1, 'x'], n: 2 }, "a IN ('1', 'x') AND b > (2)"],
  ['bigquery', 'tenant = :tenant', { tenant: "a'b\\" }, "tenant = 'a\\'b\\\\'"],
  [
    'snowflake',
    "doc:tenant = :tenant AND doc:a.b = 'x'",
    { tenant: 1 },
    "doc:tenant = (1) AND doc:a.b = 'x'",
  ],
  ['duckdb', 'list[1:n] = list[:n] AND x = :n', { n: 2 }, "list[1:n] = list[(2)] AND x = '2'"],
  [
    'trino',
    "note = ':tenant' AND a IN (:ids)",
    { ids: [1, 'b', true, 5n] },
    "note = ':tenant' AND a IN ((1), 'b', TRUE, (5))",
  ],
  ['sqlite', 'a IN (:ids)', { ids: [] }, 'a IN (NULL)'],
  ['sqlite', "a = ':tenant' AND /* :tenant */ b = 1", {}, "a = ':tenant' AND /* :tenant */ b = 1"],
];

describe('bindProperties', () => {
  it.each(CASES)('%s: %s', (dialect, text, properties, bound) => {
    const at = (line: string): string => line.replaceAll('⏎', '\n');
    expect(bindProperties(at(text), properties, dialect)).toEqual({ ok: true, text: at(bound) });
  });

  it.each([
    ['no property of that name', {}],
    ['a name of every object', {}, 'a = :constructor'],
    ['no number', { tenant: Number.NaN }],
    ['an endless number', { tenant: [1, Number.POSITIVE_INFINITY] }],
    ['a text with NUL', { tenant: 'a\0b' }],
    ['half a character', { tenant: 'a\uD800' }],
  ])('refuses %s', (_, properties: SessionProperties, text = 'a = :tenant') => {
    expect(bindProperties(text, properties, 'postgres').ok).toBe(false);
  });

  it('refuses what is no value, though types were not looked at', () => {
    const properties: SessionProperties = JSON.parse('{"tenant": null}');
    expect(bindProperties('a = :tenant', properties, 'sqlite').ok).toBe(false);
    expect(bindProperties('a = :tenant', JSON.parse('{"tenant": {"a": 1}}'), 'sqlite').ok).toBe(false);
  });
});

it('bindSamples makes SQL that can be read before there is a session', () => {
  expect(bindSamples('a = :tenant OR b IN (:ids)', 'duckdb')).toBe('a = (0) OR b IN ((0))');
});
