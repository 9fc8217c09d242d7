import type { Metric } from '../../../../knowledge/semantic/index.ts';
import type { Expression, Join, Predicate, SelectItem, SelectQuery } from '../../../../sql/print/index.ts';
import type { GroundedKnowledge } from '../../knowledge/knowledge.ts';
import { statedPredicate } from '../../query/plan/parts/filter-predicate.ts';
import { cause, columnExpression, fromTable } from '../../query/plan/parts/plan-view.ts';
import { displayColumns } from '../../question/mention/display-columns.ts';
import type { TimeWindow } from '../../question/read/find-times.ts';
import type { BoundDimension, BoundMetricFilter } from '../bind/bind-metric.ts';
import { defaultPredicates } from '../bind/default-filters.ts';
import { amongMany } from '../bind/many-side.ts';
import { metricTree, type RouteTarget, relationshipOf } from '../bind/metric-route.ts';

/** One aggregation over the rows of one metric: the unit that ratios, shares and growth are made of. */
export interface BlockRequest {
  readonly metric: Metric;
  readonly groups: readonly BoundDimension[];
  readonly filters: readonly BoundMetricFilter[];
  readonly window?: TimeWindow;
  /** Periods that are taken together, in place of one. */
  readonly windows?: readonly TimeWindow[];
  /** A table that is joined whatever else needs it: its default filter narrows too. */
  readonly through?: string;
  /** Nothing is joined to the groups by their names: those of one name can stand apart. */
  readonly isAlone?: boolean;
  readonly roles: readonly string[];
  readonly valueAlias: string;
  readonly knowledge: GroundedKnowledge;
}

/** Whether the rows of a group are a step of time. */
export function isTimeGroup({ term, dimension }: BoundDimension): boolean {
  return term.kind === 'time' || dimension?.isTime === true;
}

/** Alias of a group in every block, so that blocks can be joined. */
export function groupAlias(group: BoundDimension): string {
  const name =
    group.dimension?.name ??
    (group.term.kind === 'time' ? group.term.part.replace(/-of-year$/, '') : group.term.mention.text);
  return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '_');
}

/** `SELECT groups, metric FROM fact JOIN … WHERE … GROUP BY groups`; null when a target cannot be reached. */
export function metricBlock(request: BlockRequest): SelectQuery | null {
  const { metric, groups, filters, roles, knowledge } = request;
  const { graph } = knowledge;
  const targets: RouteTarget[] = [
    ...groups.flatMap((group) =>
      group.dimension === undefined ? [] : [{ tableId: group.dimension.table, dimension: group.dimension }],
    ),
    ...filters.filter(isOnTheWay).map((filter) => ({
      tableId: filter.columnId.slice(0, filter.columnId.indexOf('.')),
      dimension: filter.dimension,
    })),
    ...(request.through === undefined ? [] : [{ tableId: request.through }]),
  ];
  const tree = metricTree(metric, targets, roles, knowledge);
  if (tree === null || metric.expression === undefined) return null;
  const conditions = filters.map((filter) => filterPredicate(filter, metric, knowledge));
  if (conditions.some((condition) => condition === null)) return null;
  const joins = tree.edges.map((edge): Join => {
    const name = relationshipOf(edge, knowledge);
    const on = edge.fromColumns.map((column, index) => ({
      left: columnExpression(graph.column(column), graph),
      right: columnExpression(graph.column(edge.toColumns[index] ?? ''), graph),
    }));
    return {
      kind: 'inner',
      table: fromTable(graph.table(edge.to)),
      on,
      cause: { why: `link ${name ?? `${edge.from} – ${edge.to}`}`, certainty: 'stated' },
    };
  });
  const groupColumns = groups.map((group) => groupExpression(group, metric, knowledge));
  const select: SelectItem[] = [
    ...groups.map((group, index) => ({
      expression: groupColumns[index] ?? { kind: 'star' as const },
      alias: groupAlias(group),
    })),
    {
      expression: {
        kind: 'raw',
        sql: metric.expression,
        cause: {
          why: `metric “${metric.name}”: ${metric.description ?? metric.expression}`,
          certainty: 'stated',
        },
      },
      alias: request.valueAlias,
    },
  ];
  const tables = new Set([tree.root, ...tree.edges.map((edge) => edge.to)]);
  return {
    kind: 'select',
    distinct: false,
    select,
    from: fromTable(graph.table(tree.root), { why: `rows of “${metric.name}”`, certainty: 'stated' }),
    joins,
    where: [
      ...definitionFilters(metric, tables, groups, filters, knowledge),
      ...conditions.filter((condition) => condition !== null),
      ...periodPredicates(request),
    ],
    groupBy: request.isAlone ? [...groupColumns, ...namesakeKeys(groups, metric, knowledge)] : groupColumns,
    having: [],
    orderBy: [],
  };
}

function groupExpression(group: BoundDimension, metric: Metric, knowledge: GroundedKnowledge): Expression {
  const because = cause(group.term.mention, `group “${group.term.mention.text}”`);
  if (group.dimension !== undefined)
    return columnExpression(knowledge.graph.column(group.dimension.column), knowledge.graph, because);
  const column = knowledge.graph.column(metric.timeColumn ?? '');
  return {
    kind: 'date-part',
    part: group.term.kind === 'time' ? group.term.part : 'day',
    argument: columnExpression(column, knowledge.graph),
    cause: because,
  };
}

/** What belongs to the metric or its tables by definition, whatever the question says. */
function definitionFilters(
  metric: Metric,
  tables: ReadonlySet<string>,
  groups: readonly BoundDimension[],
  filters: readonly BoundMetricFilter[],
  knowledge: GroundedKnowledge,
): Predicate[] {
  const used = new Set([
    ...groups.flatMap((group) => group.dimension?.name ?? []),
    ...filters.flatMap((filter) => filter.dimension?.name ?? []),
  ]);
  const conditional = metric.conditionalFilters.map((filter) =>
    filter.whenDimensions.some((name) => used.has(name)) ? filter.then : filter.otherwise,
  );
  return [
    ...[...metric.filters, ...conditional].map(
      (sql): Predicate => ({
        kind: 'raw',
        sql,
        cause: { why: `definition of “${metric.name}”`, certainty: 'stated' },
      }),
    ),
    ...defaultPredicates(tables, knowledge),
  ];
}

function isOnTheWay({ isAmongMany }: BoundMetricFilter): boolean {
  return isAmongMany !== true;
}

function filterPredicate(
  filter: BoundMetricFilter,
  metric: Metric,
  knowledge: GroundedKnowledge,
): Predicate | null {
  if (isOnTheWay(filter)) return valuePredicate(filter, filter.term.isNegated, knowledge);
  return amongMany(filter, valuePredicate(filter, false, knowledge), metric, knowledge);
}

/** A filter on a column of rows that are read. */
export function valuePredicate(
  filter: BoundMetricFilter,
  negated: boolean,
  knowledge: GroundedKnowledge,
): Predicate {
  if (filter.stated !== undefined) return statedPredicate(filter.stated);
  const value = columnExpression(knowledge.graph.column(filter.columnId), knowledge.graph);
  const because = cause(
    filter.term.mention,
    `“${filter.term.mention.text}” on ${filter.dimension?.name ?? filter.columnId}`,
  );
  const literals = filter.values.map((literal): Expression => ({ kind: 'literal', value: literal }));
  const [only] = literals;
  const [low, high] = literals;
  if (filter.operator === 'between' && low !== undefined && high !== undefined)
    return { kind: 'between', value, low, high, cause: because };
  if (filter.operator !== undefined && filter.operator !== 'between' && only !== undefined)
    return { kind: 'compare', operator: filter.operator, left: value, right: only, cause: because };
  if (only !== undefined && literals.length === 1)
    return { kind: 'compare', operator: negated ? '<>' : '=', left: value, right: only, cause: because };
  return { kind: 'in', value, values: literals, negated, cause: because };
}

/** One period, or several of which a row may be in any. */
function periodPredicates({ metric, window, windows, knowledge }: BlockRequest): Predicate[] {
  if (windows === undefined) return windowPredicates(metric, window, knowledge);
  const parts = windows.flatMap((one): Predicate[] => {
    const days = windowPredicates(metric, one, knowledge);
    return days.length === 0 ? [] : [{ kind: 'and', parts: days }];
  });
  return parts.length === 0 ? [] : [{ kind: 'or', parts }];
}

/** Days from (inclusive) to until (exclusive) on the metric's own date. */
function windowPredicates(
  metric: Metric,
  window: TimeWindow | undefined,
  knowledge: GroundedKnowledge,
): Predicate[] {
  if (window === undefined || metric.timeColumn === undefined) return [];
  const value = columnExpression(knowledge.graph.column(metric.timeColumn), knowledge.graph);
  const because = { why: `period “${window.label}”`, certainty: 'stated' as const };
  const low: Predicate[] =
    window.from === undefined
      ? []
      : [
          {
            kind: 'compare',
            operator: '>=',
            left: value,
            right: { kind: 'date', value: window.from },
            cause: because,
          },
        ];
  const high: Predicate[] =
    window.until === undefined
      ? []
      : [
          {
            kind: 'compare',
            operator: '<',
            left: value,
            right: { kind: 'date', value: window.until },
            cause: because,
          },
        ];
  return [...low, ...high];
}

/**
 * Keys that tell rows of one name apart: two people called Ana Silva are two groups, two shops in one city are one. A level of a
 * hierarchy, as cities are of provinces, is told by its name alone.
 */
function namesakeKeys(
  groups: readonly BoundDimension[],
  metric: Metric,
  { graph, displayColumn }: GroundedKnowledge,
): readonly Expression[] {
  return groups.flatMap(({ dimension }) => {
    // A name that the rows of the figure carry themselves is what they are added up by.
    if (dimension === undefined || dimension.parent !== undefined || dimension.table === metric.table)
      return [];
    const table = graph.table(dimension.table);
    const column = graph.column(dimension.column);
    const names = displayColumns(table, displayColumn(table.id));
    const { distinctCount, nullCount, scannedRows } = column.profile ?? {};
    const isShared =
      distinctCount !== undefined &&
      scannedRows !== undefined &&
      distinctCount < scannedRows - (nullCount ?? 0);
    return isShared && names.some(({ id }) => id === column.id)
      ? table.primaryKey.map((id) => columnExpression(graph.column(id), graph))
      : [];
  });
}
