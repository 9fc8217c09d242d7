import { describe, expect, it } from 'vitest';
import { SMALL_CATALOG } from '../../../../../test/fixtures/grounded/small-catalog.ts';
import type { Column, Table } from '../../../../catalog/index.ts';
import { displayColumns } from './display-columns.ts';

function tableOf(columns: readonly string[], primaryKey: readonly string[] = [columns[0] ?? '']): Table {
  return {
    id: 'item',
    name: 'item',
    kind: 'table',
    rowCount: 1,
    primaryKey: primaryKey.map((name) => `item.${name}`),
    columns: columns.map(
      (name): Column => ({
        id: `item.${name}`,
        tableId: 'item',
        name,
        type: '',
        family: /id$|count|age/.test(name) ? 'number' : 'text',
        isNullable: true,
      }),
    ),
  };
}

describe('displayColumns', () => {
  const cases: readonly (readonly [columns: readonly string[], shown: readonly string[]])[] = [
    [['id', 'name', 'title'], ['name']],
    [['id', 'note', 'title'], ['title']],
    [['id', 'item_name', 'note'], ['item_name']],
    [
      ['id', 'first_name', 'last_name', 'note'],
      ['first_name', 'last_name'],
    ],
    [['id', 'full_name', 'first_name', 'last_name'], ['full_name']],
    [['id', 'note', 'street_name'], ['street_name']],
    [['id', 'age'], ['id']],
    [
      ['id', 'code', 'forename', 'surname'],
      ['forename', 'surname'],
    ],
    [['id', 'note', 'item_details'], ['item_details']],
    [['id', 'description', 'item_name'], ['item_name']],
    [['id', 'other_details'], ['id']],
    [['age', 'count'], ['age']],
  ];
  it.each(cases)('of %j are %j', (columns, shown) => {
    expect(displayColumns(tableOf(columns)).map((column) => column.name)).toEqual([...shown]);
  });

  it('are what the semantic model declares', () => {
    const shown = displayColumns(tableOf(['id', 'name', 'note']), 'item.note');
    expect(shown.map((column) => column.name)).toEqual(['note']);
  });

  it('are the whole key when nothing names a row', () => {
    const shown = displayColumns(tableOf(['a_id', 'b_id', 'count'], ['a_id', 'b_id']));
    expect(shown.map((column) => column.name)).toEqual(['a_id', 'b_id']);
  });

  it('exist for every table', () => {
    for (const table of SMALL_CATALOG.tables) expect(displayColumns(table).length).toBeGreaterThan(0);
    expect(displayColumns(tableOf([], []))).toEqual([]);
  });
});
