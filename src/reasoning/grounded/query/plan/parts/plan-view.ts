import type { Column } from '../../../../../catalog/index.ts';
import type { Join } from '../../../../../sql/index.ts';
import { displayColumns } from '../../../question/mention/display-columns.ts';
import type { Bound } from '../../../resolve/bound.ts';
import type { ResolveContext } from '../../../resolve/noun-candidates.ts';
import { type JoinTree, joinTree } from '../../graph/join-tree.ts';
import { columnExpression, fromTable } from './query-parts.ts';

/** What the clauses of one query are made from. */
export interface PlanView {
  readonly bound: Bound;
  readonly tree: JoinTree;
  readonly context: ResolveContext;
}

/** A bound frame before its joins are chosen. */
export type Planned = Pick<PlanView, 'bound' | 'context'>;

/** The primary key of a table, or what names its rows when it has none. */
export function keyOf(tableId: string, { context }: PlanView): readonly Column[] {
  const table = context.graph.table(tableId);
  const key = table.primaryKey.map((id) => context.graph.column(id));
  return key.length > 0 ? key : displayColumns(table, context.displayColumn(tableId));
}

/** Whether one row of the subject may meet many rows of a table. */
export function isManySide(tableId: string, { bound, context }: Planned): boolean {
  return joinTree(bound.subject, [tableId], context.graph)?.edges.some((edge) => edge.multiplies) ?? false;
}

/** The JOIN clauses of a tree, each with the key it rests on. */
export function joinClauses(tree: JoinTree, { graph }: Pick<ResolveContext, 'graph'>): Join[] {
  return tree.edges.map((edge) => ({
    kind: 'inner',
    table: fromTable(graph.table(edge.to)),
    on: edge.fromColumns.map((column, index) => ({
      left: columnExpression(graph.column(column), graph),
      right: columnExpression(graph.column(edge.toColumns[index] ?? ''), graph),
    })),
    cause: {
      why: `${edge.key.source} key ${edge.from} – ${edge.to}`,
      certainty: edge.key.source === 'inferred' || tree.ambiguous.includes(edge) ? 'uncertain' : 'stated',
    },
  }));
}

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
