import type { Column } from '../../../../../catalog/index.ts';
import type { Expression, SelectItem, SelectQuery } from '../../../../../sql/print/index.ts';
import { displayColumns } from '../../../question/mention/display-columns.ts';
import type { BoundProjection } from '../../../resolve/bound.ts';
import { joinTree } from '../../graph/join-tree.ts';
import type { Edge } from '../../graph/schema-graph.ts';
import { BARE, columnExpression, keyOf, type PlanView } from '../parts/plan-view.ts';

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

/**
 * "artists with tracks in more than two genres": one genre meets many tracks of an artist, and is one genre all the same. The key that
 * tells the counted rows apart; undefined where each of them meets a group once.
 */
export function countedOnce(tableId: string, view: PlanView): Column | undefined {
  const { bound, context } = view;
  const path = joinTree(tableId, [bound.subject], context.graph)?.edges ?? [];
  const at = path.findIndex(({ multiplies }) => multiplies);
  const [many, next] = path.slice(at);
  if (at < 0 || many === undefined || next === undefined) return undefined;
  if (at === 0 && path.length === 2 && isPair(many, next, view)) return undefined;
  const [key, second] = keyOf(tableId, view);
  return second === undefined ? key : undefined;
}

/** `film_actor` with the key (film_id, actor_id): each pair is there once. */
function isPair(many: Edge, next: Edge, { context: { graph } }: PlanView): boolean {
  const { primaryKey } = graph.table(many.to);
  const both = new Set([...many.toColumns, ...next.fromColumns]);
  return primaryKey.length > 0 && primaryKey.every((column) => both.has(column));
}

/** "which media type is used least": each is one row of its own table, so that a count of its rows ranks nothing. */
export function countsItself(view: PlanView): boolean {
  const { bound, tree } = view;
  const isCounted =
    bound.orders.some(({ isCount, isSuperlative }) => isCount && isSuperlative) ||
    bound.havings.some(({ aggregate, countOf }) => aggregate === 'count' && countOf === undefined);
  const isAlone = bound.groups.length === 0 && tree.edges.every(({ multiplies }) => !multiplies);
  return isCounted && isAlone && showsEachRow(view);
}

/** What is shown tells the rows apart: the key, the name where no two are alike, or first and last name. */
function showsEachRow({
  bound: { projections, subject },
  context: { graph, displayColumn },
}: PlanView): boolean {
  const table = graph.table(subject);
  const shown = projections.flatMap(({ aggregate, column }) =>
    aggregate === undefined && column?.tableId === subject ? [column] : [],
  );
  const names = displayColumns(table, displayColumn(subject));
  const isNamed = names.length > 1 && names.every(({ id }) => shown.some((column) => column.id === id));
  const isUnique = ({ id, profile }: Column): boolean =>
    (table.primaryKey.length === 1 && table.primaryKey[0] === id) ||
    (names.length === 1 && names[0]?.id === id && profile?.distinctCount === table.rowCount);
  return isNamed || shown.some(isUnique);
}
