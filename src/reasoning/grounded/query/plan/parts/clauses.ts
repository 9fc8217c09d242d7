/** The clauses of a query: what is shown, grouped by and ordered by. */

import type { Column } from '../../../../../catalog/index.ts';
import { splitName } from '../../../../../language/index.ts';
import type { Cause, Expression, OrderItem, SelectItem } from '../../../../../sql/print/index.ts';
import { displayColumns } from '../../../question/mention/display-columns.ts';
import { isKey } from '../../../resolve/bind-projection.ts';
import type { BoundGroup, BoundOrder, BoundProjection } from '../../../resolve/bound.ts';
import { MONTHS, monthWriting } from './filter-predicate.ts';
import { cause, columnExpression, isManySide, keyOf, type Planned, type PlanView } from './plan-view.ts';

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

/** "spent the most money": a figure on the many side is added up for each row of the subject. */
export function orderAggregate(item: BoundOrder, view: Planned): BoundOrder['aggregate'] {
  if (item.aggregate !== undefined || item.column === undefined) return item.aggregate;
  // "which year had the highest revenue": the figure of a period is what its rows add up to.
  const isGrain = view.bound.groups.some((group) => group.part !== undefined);
  if (isGrain && item.isSuperlative) return 'sum';
  if (!item.isTotal) return undefined;
  return isManySide(item.column.tableId, view) || isShownByKey(item.column.tableId, view) ? 'sum' : undefined;
}

/** "which customer paid the most": shown by the key that the rows of the figure hold, and many rows hold one. */
function isShownByKey(tableId: string, { bound: { projections }, context: { graph } }: Planned): boolean {
  const keys = graph
    .edges(tableId)
    .filter(({ key }) => key.fromTable === tableId)
    .flatMap(({ fromColumns }) => fromColumns);
  return (
    projections.length > 0 &&
    projections.every(({ column, aggregate }) => aggregate === undefined && keys.includes(column?.id ?? ''))
  );
}

/** One ORDER BY item: a count, a column, or a figure of a column. */
export function orderItem(item: BoundOrder, view: PlanView): OrderItem {
  const { bound, context } = view;
  const { direction, column } = item;
  const because = cause(item.mention, `“${item.mention.text}”`);
  if (item.figure !== undefined) return { expression: item.figure.expression, direction };
  if (item.isCount || column === undefined) {
    const count: Expression = {
      kind: 'aggregate',
      function: 'count',
      distinct: false,
      argument: { kind: 'star' },
      cause: because,
    };
    return { expression: count, direction };
  }
  const isGroupKey =
    bound.groups.length === 0 || bound.groups.some((group) => group.column?.id === column.id);
  const shown = isGroupKey
    ? undefined
    : bound.projections.find((projection) => projection.column?.id === column.id)?.aggregate;
  const aggregate = orderAggregate(item, view) ?? shown;
  const argument = monthOrder(column, columnExpression(column, context.graph, because));
  return {
    expression:
      aggregate === undefined
        ? argument
        : { kind: 'aggregate', function: aggregate, distinct: false, argument },
    direction,
  };
}

/** A column of month names is ordered as the year goes, not by the alphabet; any other column stays as it is. */
function monthOrder(column: Column, value: Expression): Expression {
  const writing = monthWriting(column);
  if (writing === undefined || column.family === 'number') return value;
  return MONTHS.reduceRight<Expression>(
    (otherwise, _name, index) => ({
      kind: 'case',
      when: { kind: 'like', value, pattern: `${writing(index + 1)}%`, negated: false },
      value: { kind: 'literal', value: index + 1 },
      otherwise,
    }),
    { kind: 'literal', value: null },
  );
}

interface OnceOptions {
  readonly isDistinct: boolean;
  readonly keepsCategories?: boolean;
}

/** Whether equal rows are shown once: asked for, or the values of a category. */
export function isShownOnce(view: PlanView, { isDistinct, keepsCategories }: OnceOptions): boolean {
  return isDistinct || (keepsCategories !== true && (listsCategories(view) || excludesValues(view)));
}

/** "which countries have no friendly match": what is left are values of the column, not rows. */
function excludesValues({ bound }: PlanView): boolean {
  return bound.absences.some(({ tableId, isPresence }) => tableId === bound.subject && isPresence !== true);
}

/** "what are the payment methods": each kind once, where a column holds few kinds and no table is asked about. */
function listsCategories({ bound, context }: PlanView): boolean {
  if (bound.orders.length > 0 || bound.projections.length !== 1) return false;
  return bound.projections.every(({ column }) => {
    if (column === undefined || column.family !== 'text' || context.named.has(column.tableId)) return false;
    return (
      (column.profile?.distinctCount ?? Number.POSITIVE_INFINITY) <
      0.8 * context.graph.table(column.tableId).rowCount
    );
  });
}
