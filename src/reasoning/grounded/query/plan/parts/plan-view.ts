import { type Column, epochUnit, type Table } from '../../../../../catalog/index.ts';
import type { Cause, Expression, FromTable, Join } from '../../../../../sql/print/index.ts';
import { displayColumns } from '../../../question/mention/display-columns.ts';
import type { Mention } from '../../../question/mention/mention.ts';
import type { Bound } from '../../../resolve/bound.ts';
import type { ResolveContext } from '../../../resolve/noun-candidates.ts';
import { type JoinTree, joinTree } from '../../graph/join-tree.ts';
import type { SchemaGraph } from '../../graph/schema-graph.ts';

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

// The parts that every query is put together from.

/** The clauses a query does not use. */
export const BARE = {
  kind: 'select' as const,
  distinct: false,
  joins: [],
  where: [],
  groupBy: [],
  having: [],
  orderBy: [],
};

/** Joins a query of one row to every row. */
export const ALWAYS = [
  { left: { kind: 'literal' as const, value: 1 }, right: { kind: 'literal' as const, value: 1 } },
];

/** The words that caused a part; a part without words is assumed, a loose match uncertain. */
export function cause(mention: Mention | undefined, why: string, score = 1): Cause {
  return {
    mention: mention?.index,
    why,
    certainty: mention === undefined ? 'assumed' : isLoose(mention, score) ? 'uncertain' : 'stated',
  };
}

/** Matched by a part of a name, or by a word that may mean another thing. */
function isLoose({ relatedWeight }: Mention, score: number): boolean {
  return score < 0.75 || relatedWeight !== undefined;
}

/** A column as the engine spells it; one that counts time since 1970, as the moment. */
export function columnExpression(column: Column, graph: SchemaGraph, because?: Cause): Expression {
  const { name: table } = graph.table(column.tableId);
  const unit = epochUnit(column);
  if (unit === undefined) return { kind: 'column', table, column: column.name, cause: because };
  const argument: Expression = { kind: 'column', table, column: column.name };
  return { kind: 'from-epoch', perSecond: unit.perSecond, argument, cause: because };
}

/** A table of the catalog as FROM or JOIN reads it. */
export function fromTable({ name, qualifier }: Table, because?: Cause): FromTable {
  return {
    table: name,
    ...(qualifier === undefined ? {} : { qualifier }),
    ...(because === undefined ? {} : { cause: because }),
  };
}
