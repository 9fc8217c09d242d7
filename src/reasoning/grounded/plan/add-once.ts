import type { Expression, SelectItem, SelectQuery } from '../../../sql/index.ts';
import type { BoundProjection } from '../resolve/bound.ts';
import { BARE } from './bare-query.ts';
import { columnExpression } from './column-expression.ts';
import { joinTree } from './join-tree.ts';
import type { PlanView } from './plan-view.ts';

/**
 * "total shipping fee by product category": an order that has many lines would have its fee added once for each. The rows are taken once
 * for each group before they are added up. The query as it stands when no row repeats, null when it cannot be mended.
 */
export function addOnce(query: SelectQuery, view: PlanView): SelectQuery | null {
  const repeated = view.bound.projections.filter((item) => isRepeated(item, view));
  const [figure, second] = repeated;
  const column = figure?.column;
  if (query.groupBy.length === 0 || column === undefined) return query;
  const others = view.bound.projections.filter((item) => item.aggregate !== undefined && item !== figure);
  const key = view.context.graph.table(column.tableId).primaryKey;
  const ranks = query.orderBy.some(({ expression }) => expression.kind === 'aggregate');
  if (second !== undefined || others.length > 0 || key.length === 0 || query.having.length > 0 || ranks)
    return figure?.aggregate === 'sum' ? null : query;
  const { graph } = view.context;
  const shown = query.select.map((item, index) => ({ ...item, alias: `shown_${index + 1}` }));
  const plain = shown.filter(({ expression }) => expression.kind !== 'aggregate');
  const keys = query.groupBy.map((expression, index) => ({ expression, alias: `key_${index + 1}` }));
  const rows = key.map((id, index) => ({
    expression: columnExpression(graph.column(id), graph),
    alias: `row_${index + 1}`,
  }));
  const measure = { expression: columnExpression(column, graph), alias: 'measure' };
  const of = (name: string): Expression => ({ kind: 'column', table: 'once', column: name });
  return {
    ...BARE,
    ctes: [
      {
        name: 'once',
        query: {
          ...query,
          distinct: true,
          select: [...plain, ...keys, ...rows, measure],
          groupBy: [],
          orderBy: [],
        },
      },
    ],
    select: shown.map(
      ({ expression, alias }): SelectItem => ({
        expression: expression.kind === 'aggregate' ? { ...expression, argument: of('measure') } : of(alias),
      }),
    ),
    from: { table: 'once' },
    groupBy: [...keys, ...plain].map(({ alias }) => of(alias)),
  };
}

/** A figure whose rows meet many rows of another table that is joined. */
function isRepeated(
  { aggregate, column, isDistinct }: BoundProjection,
  { tree, context }: PlanView,
): boolean {
  if ((aggregate !== 'sum' && aggregate !== 'avg') || column === undefined || isDistinct) return false;
  return [tree.root, ...tree.edges.map(({ to }) => to)].some(
    (table) =>
      joinTree(column.tableId, [table], context.graph)?.edges.some((edge) => edge.multiplies) ?? false,
  );
}

/** Whether a figure is added up once for each row of its own, and so in several groups. */
export function addsOnce({ ctes }: SelectQuery): boolean {
  return ctes?.some(({ name }) => name === 'once') === true;
}
