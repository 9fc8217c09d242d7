import { describe, expect, it } from 'vitest';
import { guard } from '../../database/guard/guard.ts';
import { DIALECTS } from '../../sql/dialects/index.ts';
import type { DialectName } from '../../sql/index.ts';
import type { Column, Table, TypeFamily } from '../schema/catalog.ts';
import { groupSql, summarySql } from './profile-statements.ts';
import { firstRows, sampleRows } from './table-sample.ts';

const FAMILIES: readonly TypeFamily[] = ['text', 'number', 'time', 'boolean'];

function tableOf(qualifier: readonly string[]): Table {
  const columns = FAMILIES.map((family): Column => {
    const name = `a "${family}" column`;
    return { id: `t.${name}`, tableId: 't', name, type: family, family, isNullable: true };
  });
  return { id: 't', name: 'T t', qualifier, kind: 'table', columns, primaryKey: [], rowCount: 0 };
}

const DIALECT_NAMES = Object.keys(DIALECTS).filter((name): name is DialectName => name in DIALECTS);

describe.each(DIALECT_NAMES)('the statements of %s', (dialect) => {
  const table = tableOf(['my schema']);
  const sources = {
    'all rows': sampleRows(table, dialect, { rows: 10, rowCount: 10 }),
    'a sample': sampleRows(table, dialect, { rows: 10, rowCount: 12_345_678 }),
    'the first rows': firstRows(table, dialect, 10),
  };
  it.each(Object.entries(sources))('pass the guard over %s', (_, source) => {
    const groupings = table.columns.flatMap((column) => [
      { column, keep: 20, hasSteps: true },
      { column, keep: 20_000, hasSteps: false },
    ]);
    expect(() => guard(summarySql(table.columns, source, dialect), dialect)).not.toThrow();
    expect(() => guard(groupSql(groupings, source, dialect), dialect)).not.toThrow();
  });

  it('sample a large table and no small one', () => {
    expect(sources['all rows'].method).toBeUndefined();
    expect(sources['a sample'].method).toMatch(/^random /);
    expect(JSON.stringify(sources['a sample'])).not.toMatch(/[{]\w+[}]|e-\d/);
  });
});

it('a view, and a table that hides its row ids, give their first rows', () => {
  const size = { rows: 10, rowCount: 1000 };
  expect(sampleRows({ ...tableOf([]), kind: 'view' }, 'postgres', size).method).toBe('first rows');
  const hidden = { ...tableOf([]), columns: [{ ...tableOf([]).columns[0]!, name: 'RowId' }] };
  expect(sampleRows(hidden, 'sqlite', size).method).toBe('first rows');
  expect(sampleRows(hidden, 'mysql', size).method).toBe('random rows');
});
