import type { Column } from '../../../catalog/index.ts';
import type { Expression, SelectItem } from '../../../sql/index.ts';
import { isKey } from '../resolve/bind-projection.ts';
import type { BoundGroup } from '../resolve/bound.ts';
import { displayColumns } from '../resolve/display-columns.ts';
import { cause, columnExpression } from './column-expression.ts';
import { orderAggregate } from './order-clause.ts';
import { keyOf, type PlanView } from './plan-view.ts';

/** The GROUP BY keys: what is grouped by, and every plain column that is shown beside a figure. */
export function groupKeys(view: PlanView): Expression[] {
  const { bound, context } = view;
  const plain = bound.projections.flatMap((item) =>
    item.aggregate === undefined ? (item.column ?? []) : [],
  );
  const hasFigures =
    bound.projections.length > plain.length ||
    bound.havings.length > 0 ||
    bound.orders.some((item) => item.isCount || orderAggregate(item, view) !== undefined);
  if (bound.groups.length === 0 && (!hasFigures || plain.length === 0)) return [];
  const keys = new Map<string, Expression>();
  for (const group of bound.groups) {
    const [grain] = group.part === undefined ? [] : groupNames(group, view);
    if (grain !== undefined) keys.set(`${group.column?.id}:${group.part}`, grain);
    else
      for (const column of group.column === undefined ? rowKeys(group.tableId, view) : [group.column])
        keys.set(column.id, columnExpression(column, context.graph));
  }
  const entities = bound.groups.length > 0 ? [] : plain.flatMap((column) => entityKeys(column, view));
  for (const column of [...entities, ...plain]) keys.set(column.id, columnExpression(column, context.graph));
  return [...keys.values()];
}

/** What tells the rows of a table apart, with their name where the engine has to be told that it depends on the key. */
function rowKeys(tableId: string, view: PlanView): readonly Column[] {
  const { graph, displayColumn } = view.context;
  const keys = keyOf(tableId, view);
  const names = graph.isKeyAssumed(tableId)
    ? displayColumns(graph.table(tableId), displayColumn(tableId))
    : [];
  return [...keys, ...names.filter((name) => !keys.includes(name))];
}

/** A name may repeat, its table's key may not: rows are grouped by both. */
function entityKeys(column: Column, view: PlanView): readonly Column[] {
  const { bound, tree, context } = view;
  const isName = displayColumns(context.graph.table(column.tableId)).some(
    (display) => display.id === column.id,
  );
  const isSubject =
    column.tableId === bound.subject && bound.tables.size > 1 && tree.edges.some((edge) => edge.multiplies);
  return isSubject && (isName || passesByRow(column, view)) ? keyOf(column.tableId, view) : [];
}

/** "the credits of courses with more than one prerequisite": each course passes by its own rows, whatever is shown of it. */
function passesByRow(column: Column, { bound, context }: PlanView): boolean {
  const isCounted = bound.havings.length > 0 || bound.orders.some(({ isCount }) => isCount);
  const isPlain = bound.projections.every(({ aggregate }) => aggregate === undefined);
  return isCounted && isPlain && !isKey(column, context) && (context.named.get(column.tableId) ?? 0) >= NAMED;
}

/** Tables named worse than this may be meant or not. */
const NAMED = 0.85;

/** What a group shows: its date at a grain, its column, or the name of its table's rows. */
function groupNames(group: BoundGroup, { context }: PlanView): Expression[] {
  const { graph } = context;
  const because = cause(group.mention, `group “${group.mention.text}”`);
  const { column, part } = group;
  if (column !== undefined && part !== undefined)
    return [{ kind: 'date-part', part, argument: columnExpression(column, graph), cause: because }];
  const columns =
    column === undefined
      ? displayColumns(graph.table(group.tableId), context.displayColumn(group.tableId))
      : [column];
  return columns.map((shown) => columnExpression(shown, graph, because));
}

/** Groups are shown with their name, or their figures mean nothing; a pure ranking shows what was asked for. */
export function withGroupNames(select: readonly SelectItem[], view: PlanView): SelectItem[] {
  const { bound } = view;
  const isPlain = bound.projections.every((item) => item.aggregate === undefined);
  if (isPlain && select.length > 0 && bound.orders.some((item) => item.isCount)) return [...select];
  const names = bound.groups.flatMap((group) => {
    const isShown = bound.projections.some(
      (item) =>
        item.aggregate === undefined &&
        item.column !== undefined &&
        (group.column === undefined
          ? item.column.tableId === group.tableId || refersTo(item.column, group.tableId, view)
          : item.column.id === group.column.id),
    );
    return isShown ? [] : groupNames(group, view);
  });
  return [...eachOnce(names).map((expression) => ({ expression })), ...select];
}

/** "each invoice by invoice number": two groups may show the same column. */
function eachOnce(names: readonly Expression[]): readonly Expression[] {
  const seen = new Set<string>();
  return names.filter((name) => {
    const key = name.kind === 'column' ? `${name.table}.${name.column}` : '';
    return key === '' || (!seen.has(key) && seen.add(key));
  });
}

/** A foreign key that is shown names the rows of the table it points to. */
function refersTo(column: Column, tableId: string, { context }: PlanView): boolean {
  return context.graph
    .edges(column.tableId)
    .some((edge) => !edge.multiplies && edge.to === tableId && edge.fromColumns.includes(column.id));
}
