import type { Expression, SelectItem, SelectQuery } from '../../../../sql/print/index.ts';
import { displayColumns } from '../../question/mention/display-columns.ts';
import type { Mention } from '../../question/mention/mention.ts';
import { flagValues } from '../../question/read/flag-values.ts';
import type { Bound, BoundFilter, BoundGroup } from '../../resolve/bound.ts';
import { isNumeric, type ResolveContext } from '../../resolve/noun-candidates.ts';
import { buildQuery } from '../plan/build-query.ts';
import { ALWAYS, BARE, cause, columnExpression, fromTable } from '../plan/parts/plan-view.ts';

/** Two sides of a ratio, bound. */
export interface RatioSides {
  readonly over: Bound;
  readonly under: Bound;
  readonly isAverage: boolean;
  readonly cue: Mention;
}

/** The query of a ratio: of two columns row by row, or of two figures, each made by itself and joined on the groups. */
export function ratioQuery(sides: RatioSides, context: ResolveContext): SelectQuery | null {
  return rowRatio(sides, context) ?? figureRatio(sides, context);
}

/** "the ratio of capacity to range for each aircraft": both stand in the same row. */
function rowRatio({ over, under, isAverage, cue }: RatioSides, context: ResolveContext): SelectQuery | null {
  const [left, right] = [plainColumn(over), plainColumn(under)];
  const [group, second] = over.groups;
  if (left === undefined || right === undefined || left.tableId !== right.tableId) return null;
  if (!isNumeric(left) || !isNumeric(right) || second !== undefined) return null;
  if ((group?.tableId ?? left.tableId) !== left.tableId || group?.part !== undefined) return null;
  const { graph } = context;
  const table = graph.table(left.tableId);
  const isRow = group === undefined || namesRow(group, context);
  if (!isRow && !isAverage) return null;
  const value: Expression = {
    kind: 'arithmetic',
    operator: '/',
    left: columnExpression(left, graph),
    right: columnExpression(right, graph),
    cause: cause(cue, `“${cue.text}”`),
  };
  const isMean = isAverage && (group === undefined || !isRow);
  const names = isMean && group === undefined ? [] : shownBy(group, table.id, context);
  const mean: Expression = { kind: 'aggregate', function: 'avg', distinct: false, argument: value };
  return {
    ...BARE,
    select: [
      ...names.map((expression) => ({ expression })),
      { expression: isMean ? mean : value, alias: 'ratio' },
    ],
    from: fromTable(table, cause(undefined, 'the table the question is about')),
    groupBy: isMean ? names : [],
  };
}

function plainColumn({ projections: [only, second], ...bound }: Bound) {
  const isBare = bound.filters.length + bound.havings.length + bound.absences.length === 0;
  return second === undefined && only?.aggregate === undefined && isBare ? only?.column : undefined;
}

/** The groups are the rows of the table themselves. */
function namesRow({ column, tableId }: BoundGroup, { graph, displayColumn }: ResolveContext): boolean {
  const table = graph.table(tableId);
  return (
    column === undefined ||
    table.primaryKey.includes(column.id) ||
    displayColumns(table, displayColumn(tableId)).some((shown) => shown.id === column.id)
  );
}

function shownBy(group: BoundGroup | undefined, tableId: string, context: ResolveContext): Expression[] {
  const { graph } = context;
  const columns =
    group?.column === undefined
      ? displayColumns(graph.table(tableId), context.displayColumn(tableId))
      : [group.column];
  return columns.map((column) => columnExpression(column, graph));
}

function figureRatio({ over, under, cue }: RatioSides, context: ResolveContext): SelectQuery | null {
  const [part, whole] = [figure(withShared(over, under), context), figure(under, context)];
  if (part === null || whole === null || part.select.length !== whole.select.length) return null;
  const keys = part.select.slice(0, -1).map((_, index) => `key_${index + 1}`);
  const column = (table: string, name: string): Expression => ({ kind: 'column', table, column: name });
  const value = column('part', 'value');
  // A group that the upper side has no rows of has none of them.
  const counted: Expression = {
    kind: 'case',
    when: { kind: 'null', value, negated: false },
    value: { kind: 'literal', value: 0 },
    otherwise: value,
  };
  const ratio: Expression = {
    kind: 'arithmetic',
    operator: '/',
    left: keys.length > 0 ? counted : value,
    right: column('whole', 'value'),
    cause: cause(cue, `“${cue.text}”`),
  };
  const on = keys.map((key) => ({ left: column('whole', key), right: column('part', key) }));
  return {
    ...BARE,
    ctes: [
      { name: 'part', query: part },
      { name: 'whole', query: whole },
    ],
    select: [
      ...keys.map((key) => ({ expression: column('whole', key) })),
      { expression: ratio, alias: 'ratio' },
    ],
    from: { table: 'whole' },
    joins: [
      {
        kind: keys.length > 0 ? 'left' : 'inner',
        table: { table: 'part' },
        on: keys.length > 0 ? on : ALWAYS,
      },
    ],
  };
}

/** One figure for each group; a plain column is added up. */
function figure(bound: Bound, context: ResolveContext): SelectQuery | null {
  const [only, second] = bound.projections;
  if (only === undefined || second !== undefined) return null;
  if (only.aggregate === undefined && (only.column === undefined || !isNumeric(only.column))) return null;
  const aggregate = only.aggregate ?? 'sum';
  const built = buildQuery(
    { ...bound, projections: [{ ...only, aggregate }] },
    { isDistinct: false },
    context,
  );
  if (built?.query.kind !== 'select') return null;
  const last = built.query.select.length - 1;
  const named = (item: SelectItem, index: number): SelectItem => ({
    ...item,
    alias: index === last ? 'value' : `key_${index + 1}`,
  });
  return { ...built.query, select: built.query.select.map(named) };
}

/** "A to B in New York": a place or a time that B ends with is said of both, unless A has its own. */
function withShared(over: Bound, under: Bound): Bound {
  const own = new Set(over.filters.map(({ column }) => column.id));
  const isShared = ({ column, operator, operands }: BoundFilter): boolean =>
    !own.has(column.id) &&
    operator === '=' &&
    flagValues(column) === undefined &&
    operands.every(({ kind }) => kind !== 'statistic');
  const shared = under.filters.filter(isShared);
  const tables = new Set([...over.tables, ...shared.map(({ column }) => column.tableId)]);
  return { ...over, filters: [...over.filters, ...shared], tables };
}
