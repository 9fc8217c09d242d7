import type { Column } from '../../../catalog/index.ts';
import type { Cause, Expression, SelectItem } from '../../../sql/index.ts';
import { splitName } from '../read/split-name.ts';
import type { BoundProjection } from '../resolve/bound.ts';
import { cause, columnExpression } from './column-expression.ts';
import type { PlanView } from './plan-view.ts';

/** What is shown, each thing once. */
export function selectItems(view: PlanView): SelectItem[] {
  const seen = new Set<string>();
  const items = view.bound.projections.filter((item) => {
    if (item.figure !== undefined) return true;
    const key = `${item.aggregate ?? ''}:${item.column?.id ?? item.countOf ?? ''}`;
    return !seen.has(key) && seen.add(key);
  });
  return items.map((item) => ({ expression: projection(item, view) }));
}

function projection(item: BoundProjection, view: PlanView): Expression {
  const { graph } = view.context;
  const why = item.mention === undefined ? 'counts rows' : `“${item.mention.text}”`;
  const because = cause(item.mention, why, item.score);
  if (item.figure !== undefined) return withCause(item.figure.expression, because);
  if (item.column === undefined) return rowCount(item.countOf, view, because);
  if (item.aggregate === undefined) return columnExpression(item.column, graph, because);
  const argument = columnExpression(item.column, graph);
  const { family, profile, tableId } = item.column;
  // "how many countries" asks for different ones when a column holds them many times.
  const isCategory = family === 'text' && (profile?.distinctCount ?? 0) < graph.table(tableId).rowCount;
  const distinct =
    item.aggregate === 'count' && (item.isDistinct || isCategory || isKeyOfOthers(item.column, view));
  return { kind: 'aggregate', function: item.aggregate, distinct, argument, cause: because };
}

/** "how many customers" where only `customer_id` of the orders tells of them: one that repeats is one customer. */
export function isKeyOfOthers(
  { id, name, tableId, profile }: Column,
  { context: { graph } }: PlanView,
): boolean {
  const { primaryKey, rowCount } = graph.table(tableId);
  const isKey = /^(?:id|key|code|no|number|num)$/.test(splitName(name).at(-1) ?? '');
  return isKey && !primaryKey.includes(id) && (profile?.distinctCount ?? rowCount) < rowCount;
}

/** Where the outermost part cannot carry a cause its parts stand without. */
function withCause(expression: Expression, because: Cause): Expression {
  return expression.kind === 'star' || expression.kind === 'subquery'
    ? expression
    : { ...expression, cause: because };
}

/** Rows of a table are counted once each, also when a join repeats them. */
function rowCount(
  tableId: string | undefined,
  { bound, tree, context }: PlanView,
  because: Cause,
): Expression {
  const isGrouped = bound.groups.length > 0 || bound.projections.length > 1;
  const isRepeated = tree.root === tableId && tree.edges.some((edge) => edge.multiplies);
  const [key, second] = tableId === undefined ? [] : context.graph.table(tableId).primaryKey;
  const base = { kind: 'aggregate' as const, function: 'count' as const, cause: because };
  if (isGrouped || !isRepeated || key === undefined || second !== undefined)
    return { ...base, distinct: false, argument: { kind: 'star' } };
  return { ...base, distinct: true, argument: columnExpression(context.graph.column(key), context.graph) };
}
