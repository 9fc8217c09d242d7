/** What is known of the data, as far as an access policy lets a person know it. */
import type { Catalog, Column, Table } from '../../catalog/index.ts';
import { type AccessPolicy, restrictsTables, visibleTables } from '../../database/index.ts';
import type { ValueIndex } from '../values/value-index.ts';

export interface KnownData {
  readonly catalog: Catalog;
  readonly values: ValueIndex;
}

/**
 * Takes out what was learned from rows and values that the policy hides: tables and views that may not be read, profiles
 * and indexed values of masked columns, of every table with a row filter, and of views and all else that may show rows of
 * other tables.
 * All of it was read over all rows, and a value in a clarification would show what the query itself may not.
 */
export function restrictKnowledge({ catalog, values }: KnownData, policy: AccessPolicy): KnownData {
  const { rowFilters, columnMasks } = policy;
  const isRestricting = restrictsTables(policy);
  const visible = new Set(visibleTables(policy, catalog).map(({ id }) => id));
  const isHidden = (table: Table, column: Column): boolean =>
    !visible.has(table.id) ||
    (isRestricting && table.ownsRows !== true) ||
    rowFilters?.has(table.id) === true ||
    columnMasks?.has(column.id) === true;
  const hidden = new Set(
    catalog.tables.flatMap((table) =>
      table.columns.filter((column) => isHidden(table, column)).map(({ id }) => id),
    ),
  );
  if (hidden.size === 0) return { catalog, values };
  const shown = (table: Table): Table => ({
    ...table,
    // How many rows there are in all is hidden with the rows.
    ...(rowFilters?.has(table.id) ? { rowCount: 0, estimatedRows: 0 } : {}),
    columns: table.columns.map((column) => (hidden.has(column.id) ? withoutProfile(column) : column)),
  });
  return {
    catalog: {
      ...catalog,
      tables: catalog.tables.filter(({ id }) => visible.has(id)).map(shown),
      foreignKeys: catalog.foreignKeys.filter(
        ({ fromTable, toTable }) => visible.has(fromTable) && visible.has(toTable),
      ),
      keyOverlaps: [],
    },
    values: values.without(hidden),
  };
}

function withoutProfile({ profile: _, ...column }: Column): Column {
  return column;
}
