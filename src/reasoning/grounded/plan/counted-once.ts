import type { Column } from '../../../catalog/index.ts';
import { displayColumns } from '../resolve/display-columns.ts';
import { joinTree } from './join-tree.ts';
import { keyOf, type PlanView } from './plan-view.ts';
import type { Edge } from './schema-graph.ts';

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
