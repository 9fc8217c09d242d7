import type { Bound } from '../resolve/bound.ts';

/** The tables whose columns or rows the slots of a bound frame speak of. */
export function neededTables(bound: Bound): string[] {
  return [
    ...bound.filters.map((filter) => filter.column.tableId),
    ...bound.projections.flatMap((item) => item.figure?.tables ?? item.column?.tableId ?? item.countOf ?? []),
    ...bound.stated.flatMap((condition) => condition.tables),
    ...bound.groups.map((group) => group.tableId),
    ...bound.orders.flatMap((order) => order.figure?.tables ?? order.column?.tableId ?? order.countOf ?? []),
    ...bound.havings.flatMap((having) => having.column?.tableId ?? having.countOf ?? []),
  ];
}
