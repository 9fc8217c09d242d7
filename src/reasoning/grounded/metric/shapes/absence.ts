import type { Dimension, Metric } from '../../../../knowledge/semantic/index.ts';
import type { Expression, Predicate, SelectQuery } from '../../../../sql/print/index.ts';
import type { GroundedKnowledge } from '../../knowledge/knowledge.ts';
import { BARE, cause, columnExpression, fromTable, joinClauses } from '../../query/plan/parts/plan-view.ts';
import { displayColumns } from '../../question/mention/display-columns.ts';
import type { Mention } from '../../question/mention/mention.ts';
import type { TimeWindow } from '../../question/read/find-times.ts';
import type { BoundMetric, BoundMetricFilter } from '../bind/bind-metric.ts';
import { defaultPredicates } from '../bind/default-filters.ts';
import { metricTree } from '../bind/metric-route.ts';
import type { MetricFrame } from '../frame/metric-frame.ts';
import { metricBlock, valuePredicate } from './metric-block.ts';

/** What is looked for, and the rows that it has none of. */
export interface AbsenceRequest {
  readonly frame: MetricFrame;
  readonly absent: BoundMetric;
  readonly windows: readonly TimeWindow[];
  readonly knowledge: GroundedKnowledge;
}

/** A row, or a name that many rows share, and the column of the figure's rows that points to it. */
interface Pointer {
  readonly table: string;
  readonly shown: readonly string[];
  readonly told: string;
  readonly pointer: string;
  /** The table that holds the pointer. */
  readonly holder: string;
  readonly isRow: boolean;
}

/**
 * "dealers without orders in 2024", "how many customers never ordered": rows whose key stands in no row of the figure that
 * passes its filters and its period. Null where no single key leads there, or where something else is asked for beside it.
 */
export function absentFrom({ frame, absent, windows, knowledge }: AbsenceRequest): SelectQuery | null {
  const { graph } = knowledge;
  const [part, other] = absent.parts;
  const [window, second] = windows;
  const subject = subjectOf(frame, absent.metric, knowledge);
  const isMore =
    frame.order !== undefined || frame.having !== undefined || frame.isShare || frame.growth !== undefined;
  if (part === undefined || other !== undefined || second !== undefined || subject === null || isMore)
    return null;
  const way = pointerTo(subject, part, frame, knowledge);
  const isOwn = ({ columnId }: BoundMetricFilter): boolean => columnId.startsWith(`${way?.table}.`);
  const asked = { ...absent, filters: absent.filters.filter((filter) => !isOwn(filter)) };
  const inner = way === null ? null : pointing(way, part, asked, window, frame, knowledge);
  if (way === null || inner === null) return null;
  const value = columnExpression(graph.column(way.told), graph);
  const why = `metric “${absent.metric.name}”: “${frame.absence?.mention.text ?? ''}”`;
  return {
    ...BARE,
    distinct: !way.isRow && !frame.countsGroups,
    select: frame.countsGroups
      ? [{ expression: countOf(way.isRow ? undefined : value), alias: 'count' }]
      : way.shown.map((id) => ({ expression: columnExpression(graph.column(id), graph) })),
    from: fromTable(graph.table(way.table)),
    where: [
      ...ownConditions(way.table, subject.metric, knowledge),
      // "private customers without shipments": the customers are private, not the shipments.
      ...absent.filters
        .filter(isOwn)
        .map((filter) => valuePredicate(filter, filter.term.isNegated, knowledge)),
      { kind: 'in-query', value, query: inner, negated: true, cause: cause(frame.absence?.mention, why) },
    ],
  };
}

function pointerTo(
  { dimension, metric }: Subject,
  part: Metric,
  frame: MetricFrame,
  knowledge: GroundedKnowledge,
): Pointer | null {
  const { graph } = knowledge;
  const table = dimension?.table ?? metric?.table ?? '';
  if (table === part.table) return null;
  const names = displayColumns(graph.table(table), knowledge.displayColumn(table));
  const [key, second] = graph.table(table).primaryKey;
  // A region is no row of its table: its name stands for it.
  const isRow = dimension === undefined || names.some(({ id }) => id === dimension.column);
  const told = isRow ? key : dimension.column;
  const tree = metricTree(part, [{ tableId: table, dimension }], frame.roles, knowledge);
  const last = tree?.edges.find(({ to }) => to === table);
  if (tree === null || last === undefined || told === undefined || second !== undefined) return null;
  if (tree.ambiguous.length > 0 && dimension?.via?.[part.table ?? ''] === undefined) return null;
  const isKey = isRow && last.toColumns[0] === told && last.toColumns.length === 1;
  const [pointer = told] = isKey ? last.fromColumns : [told];
  const shown = dimension === undefined ? names.map(({ id }) => id) : [dimension.column];
  return { table, shown, told, pointer, holder: isKey ? last.from : table, isRow };
}

/** The rows of the figure, as what they point to. */
function pointing(
  { pointer, holder }: Pointer,
  part: Metric,
  { filters }: BoundMetric,
  window: TimeWindow | undefined,
  { roles, groups }: MetricFrame,
  knowledge: GroundedKnowledge,
): SelectQuery | null {
  const { graph } = knowledge;
  const [group] = groups;
  const dimension = group?.kind === 'dimension' ? group.candidates[0] : undefined;
  const block = metricBlock({
    metric: part,
    groups: [],
    filters,
    window,
    roles,
    valueAlias: 'value',
    knowledge,
  });
  const way = metricTree(part, [{ tableId: holder, dimension }], roles, knowledge);
  if (block === null || way === null) return null;
  const column = columnExpression(graph.column(pointer), graph);
  const joined = new Set(block.joins.map((join) => join.table.table));
  const edges = way.edges.filter((edge) => !joined.has(graph.table(edge.to).name));
  const isNotNull: Predicate[] = graph.column(pointer).isNullable
    ? [{ kind: 'null', value: column, negated: true }]
    : [];
  return {
    ...block,
    select: [{ expression: column }],
    joins: [...block.joins, ...joinClauses({ ...way, edges }, { graph })],
    where: [
      ...block.where,
      ...defaultPredicates(new Set(edges.map(({ to }) => to)), knowledge),
      ...isNotNull,
    ],
  };
}

/** What belongs to the things that are looked for by definition. */
function ownConditions(table: string, metric: Metric | undefined, knowledge: GroundedKnowledge): Predicate[] {
  const why = `definition of “${metric?.name ?? ''}”`;
  return [
    ...(metric?.filters ?? []).map(
      (sql): Predicate => ({ kind: 'raw', sql, cause: { why, certainty: 'stated' } }),
    ),
    ...defaultPredicates(new Set([table]), knowledge),
  ];
}

function countOf(value: Expression | undefined): Expression {
  return {
    kind: 'aggregate',
    function: 'count',
    distinct: value !== undefined,
    argument: value ?? { kind: 'star' },
  };
}

/** What is looked for: the things of a dimension, or those that a metric counts. */
interface Subject {
  readonly dimension?: Dimension;
  readonly metric?: Metric;
}

/** A dimension that is asked for, or the things that another metric counts; null where it is not one of them. */
function subjectOf(
  { groups, metrics, filters }: MetricFrame,
  absent: Metric,
  knowledge: GroundedKnowledge,
): Subject | null {
  const [group, second] = groups;
  const [other, more] = metrics.filter(({ metric }) => metric.name !== absent.name);
  if (group?.kind === 'dimension' && second === undefined && other === undefined) {
    const [dimension] = group.candidates;
    if (dimension === undefined || dimension.isTime) return null;
    const things = thingsCalled(group.mention, dimension.table, knowledge);
    return { dimension, metric: things && { ...things, filters: things.filters.filter(leavesOutDeleted) } };
  }
  if (group !== undefined || more !== undefined) return null;
  if (other !== undefined) return countsThings(other.metric) ? { metric: other.metric } : null;
  // "business customers who …": the value says what they are.
  const [things] = filters.flatMap(
    ({ mention, values }) => thingsCalled(mention, values[0]?.[0]?.tableId ?? '', knowledge) ?? [],
  );
  return things === undefined ? null : { metric: things };
}

/** Customers that were deleted are none; a dealer that has closed since is one that had no orders. */
function leavesOutDeleted(sql: string): boolean {
  return /(?:delet|remov|eras)\w*\W*\s+is\s+null\s*$/i.test(sql);
}

/** The metric that counts the things that the last word of a mention names. */
function thingsCalled(
  { text }: Mention,
  table: string,
  { names, semantics }: GroundedKnowledge,
): Metric | undefined {
  const [word = ''] = text.toLowerCase().split(/\s+/).slice(-1);
  const called = new Set(
    names.match([word]).flatMap(({ kind, id, score }) => (kind === 'metric' && score >= 0.93 ? [id] : [])),
  );
  return semantics.metrics.find(
    (metric) => metric.table === table && called.has(metric.name) && countsThings(metric),
  );
}

function countsThings({ expression = '' }: Metric): boolean {
  return /^\s*count\s*\(\s*distinct\s/i.test(expression);
}
