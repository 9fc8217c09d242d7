import type { Column } from '../../../catalog/index.ts';
import type { Join } from '../../../sql/index.ts';
import type { Bound } from '../resolve/bound.ts';
import { displayColumns } from '../resolve/display-columns.ts';
import type { ResolveContext } from '../resolve/noun-candidates.ts';
import { columnExpression } from './column-expression.ts';
import { fromTable } from './from-table.ts';
import { type JoinTree, joinTree } from './join-tree.ts';

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
