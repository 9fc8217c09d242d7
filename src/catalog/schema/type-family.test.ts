import { describe, expect, it } from 'vitest';
import type { Cell } from '../../sql/dialects/cell.ts';
import type { DialectName } from '../../sql/dialects/dialect.ts';
import type { TypeFamily } from './catalog.ts';
import { familyOfType, familyOfValues, findPattern } from './type-family.ts';

describe('declared types', () => {
  const cases: readonly [DialectName, string, TypeFamily][] = [
    ['sqlite', 'INTEGER', 'number'],
    ['sqlite', 'bigint unsigned', 'number'],
    ['sqlite', 'DECIMAL(10,2)', 'number'],
    ['sqlite', 'double precision', 'number'],
    ['sqlite', 'year', 'number'],
    ['sqlite', 'VARCHAR(20)', 'text'],
    ['sqlite', 'text', 'text'],
    ['sqlite', 'DATETIME', 'time'],
    ['sqlite', 'timestamp', 'time'],
    ['sqlite', 'bool', 'boolean'],
    ['sqlite', '', 'other'],
    ['sqlite', 'BLOB', 'other'],
    ['duckdb', 'UBIGINT', 'number'],
    ['duckdb', 'HUGEINT', 'number'],
    ['duckdb', 'DECIMAL(18,3)', 'number'],
    ['duckdb', 'VARCHAR', 'text'],
    ['duckdb', `ENUM('a', 'b(c)')`, 'text'],
    ['duckdb', 'TIMESTAMP WITH TIME ZONE', 'time'],
    ['duckdb', 'DATE', 'time'],
    ['duckdb', 'TIME', 'other'],
    ['duckdb', 'INTERVAL', 'other'],
    ['duckdb', 'BOOLEAN', 'boolean'],
    ['duckdb', 'INTEGER[]', 'other'],
    ['duckdb', 'DECIMAL(18,3)[]', 'other'],
    ['duckdb', 'STRUCT(a INTEGER)', 'other'],
    ['duckdb', 'MAP(INTEGER, VARCHAR)', 'other'],
    ['duckdb', 'UUID', 'other'],
    ['duckdb', 'BLOB', 'other'],
  ];
  it.each(cases)('%s %s is %s', (dialect, type, family) => {
    expect(familyOfType(dialect, type)).toBe(family);
  });
});

describe('stored values', () => {
  const cases: readonly [TypeFamily, readonly Cell[], TypeFamily][] = [
    ['text', ['2024-01-31', '2023-12-01'], 'time'],
    ['text', ['2024-01-31 10:00:00', '2024-01-31T10:00'], 'time'],
    ['text', ['2024-01-31', 'unknown'], 'text'],
    ['text', ['2024-13-31'], 'text'],
    ['text', ['1', '2'], 'text'],
    ['text', [], 'text'],
    ['time', ['2024-01-31'], 'time'],
    ['time', ['01/31/2024'], 'text'],
    ['time', [1706659200], 'number'],
    ['time', [], 'time'],
    ['boolean', [0, 1], 'boolean'],
    ['boolean', ['T', 'F'], 'text'],
    ['other', [1, 2.5], 'number'],
    ['other', ['a', 1], 'text'],
    ['other', ['2024-01-31'], 'time'],
    ['other', [], 'other'],
  ];
  it.each(cases)('%s with %j is %s', (declared, values, family) => {
    expect(familyOfValues(declared, values)).toBe(family);
  });
});

describe('patterns', () => {
  const cases: readonly [readonly string[], ReturnType<typeof findPattern>][] = [
    [['2024-02-29'], 'iso-date'],
    [['2024-02-29', '2024-02-29 10:00'], undefined],
    [['2024-02-29T10:00:00Z', '2024-02-29 10:00:00.123'], 'iso-timestamp'],
    [['2024-02-29 25:00'], undefined],
    [['1', '-2.5', '.5'], 'number'],
    [['90210', 'N1'], 'code'],
    [['NEV', 'A-01'], 'code'],
    [['Berlin'], undefined],
    [['-'], undefined],
    [[], undefined],
  ];
  it.each(cases)('%j is %s', (texts, pattern) => {
    expect(findPattern(texts)).toBe(pattern);
  });
});
