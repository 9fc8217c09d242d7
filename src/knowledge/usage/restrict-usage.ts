import { tableOfColumn } from '../../catalog/index.ts';
import type { TableAccess } from './table-access.ts';
import { TableAccesses } from './table-accesses.ts';
import type { Usage } from './usage.ts';

/** The usage without what tells of hidden tables: a join or a statement with one of them is left out whole. */
export function restrictUsage<Of extends Usage>(usage: Of, hidden: ReadonlySet<string>): Of {
  if (hidden.size === 0) return usage;
  const isSeen = ({ leftTable, rightTable }: { readonly leftTable: string; readonly rightTable: string }) =>
    !hidden.has(leftTable) && !hidden.has(rightTable);
  return {
    ...usage,
    tables: usage.tables.filter(({ tableId }) => !hidden.has(tableId)),
    columns: usage.columns.filter(({ columnId }) => tableOfColumn(columnId, hidden) === undefined),
    joins: usage.joins.filter(isSeen),
    coQueried: usage.coQueried.filter(isSeen),
    accesses: withoutTables(usage.accesses, hidden),
    examples: usage.examples.filter(({ tables }) => !tables.some((id) => hidden.has(id))),
  };
}

function withoutTables(accesses: TableAccesses, hidden: ReadonlySet<string>): TableAccesses {
  const seen = function* (): Generator<TableAccess> {
    for (const access of accesses) if (!hidden.has(access.tableId)) yield access;
  };
  return TableAccesses.of(seen());
}
