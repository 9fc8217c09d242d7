import type { Bound } from '../resolve/bound.ts';

/** The tables whose columns or rows the slots of a bound frame speak of. */
export function neededTables(bound: Bound): string[] {
  return [
    ...bound.filters.map((filter) => filter.column.tableId),
    ...bound.projections.flatMap((item) => item.column?.tableId ?? item.countOf ?? []),
    ...bound.groups.map((group) => group.tableId),
    ...bound.orders.flatMap((order) => order.column?.tableId ?? order.countOf ?? []),
    ...bound.havings.flatMap((having) => having.column?.tableId ?? having.countOf ?? []),
  ];
}
