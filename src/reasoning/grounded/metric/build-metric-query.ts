import type { Expression, OrderItem, SelectQuery } from '../../../sql/print/index.ts';
import type { GroundedKnowledge } from '../knowledge/knowledge.ts';
import { BARE } from '../query/plan/parts/plan-view.ts';
import { rowsInTheMiddle } from '../query/plan/shapes/quantile-query.ts';
import type { TimeWindow } from '../question/read/find-times.ts';
import type { BoundDimension, BoundMetric } from './bind/bind-metric.ts';
import type { MetricFrame } from './frame/metric-frame.ts';
import { contrast, opposedFilters, periodsSideBySide, sideBySide } from './shapes/contrast.ts';
import { changedGroups, comparedPeriods, growth, rankChange, stepsFromPrevious } from './shapes/growth.ts';
import { groupAlias, isTimeGroup } from './shapes/metric-block.ts';
import { aliasOf, columnOf, figure, type MetricPlan } from './shapes/metric-plan.ts';
import { figureOf, inPlace, keepPassing, summarise, topPerGroup } from './shapes/narrow-groups.ts';
import { ratioOf, share, shareOfBest } from './shapes/share.ts';

/**
 * Turns bound metrics into a query: figures by groups, then which groups stay, their order and what is shown.
 * Null when something cannot be reached.
 */
export function buildMetricQuery(
  bounds: readonly BoundMetric[],
  frame: MetricFrame,
  windows: readonly TimeWindow[],
  knowledge: GroundedKnowledge,
  hidden?: BoundMetric,
): SelectQuery | null {
  const plan: MetricPlan = { bounds, frame, windows, knowledge, groups: bounds[0]?.groups ?? [], hidden };
  const figures = figuresByGroup(plan);
  if (figures === null) return null;
  if (frame.isPerGroup) return shown(topPerGroup(figures, plan), plan);
  const kept = keepPassing(figures, plan);
  if (plan.groups.length > 0 && frame.summary !== undefined) return summarise(kept, frame.summary);
  if (frame.countsGroups && frame.having !== undefined) return summarise(kept, 'count');
  if (frame.isRunning === true) {
    const running = runningTotal(kept, plan);
    return running === null ? null : shown(running, plan);
  }
  const ordered = inOrder(kept, plan);
  return frame.order?.place === undefined
    ? shown(ordered, plan)
    : inPlace(kept, frame.order.place, frame.order.direction, plan);
}

/** "which city had the most leads" asks for the city: its figure ranks and is not shown. */
function shown(query: SelectQuery, { frame, groups }: MetricPlan): SelectQuery {
  // Where several figures are asked for, none of them only ranks.
  return frame.hidesValue && query.select.length === groups.length + 1
    ? { ...query, select: query.select.slice(0, -1) }
    : query;
}

/** The table of groups and figures that the question speaks of. */
function figuresByGroup(plan: MetricPlan): SelectQuery | null {
  const { frame, groups, bounds } = plan;
  const [first] = bounds;
  if (first === undefined) return null;
  const [window] = plan.windows;
  const opposed = opposedFilters(first.filters);
  if (frame.percent !== undefined)
    return opposed === undefined ? median(first, frame.percent, window, plan) : null;
  // No row passes both: without a word that compares them, the question is not understood.
  if (opposed !== undefined) return frame.isContrast ? contrast(first, opposed, plan) : null;
  if (frame.showsRanks && groups.length > 0 && comparedPeriods(plan).length === 2)
    return rankChange(first, plan);
  if (frame.growth === 'previous' && groups.length > 0) return stepsFromPrevious(first, plan);
  if (frame.growth !== undefined && comparedPeriods(plan).length === 2) return growth(first, plan);
  if (frame.isShare && frame.order?.limit !== undefined && groups.length > 0)
    return shareOfBest(first, frame.order.limit, plan);
  if (frame.isShare && bounds.length === 2) return ratioOf(plan);
  if (frame.isShare) return share(first, window, `share_of_${aliasOf(first.metric.name)}`, plan);
  const { windows } = plan;
  const alone = { filters: first.filters, alias: aliasOf(first.metric.name), groups, isAlone: true };
  // "per quarter, 2023 and 2024": each quarter is a row of its own year.
  if (windows.length > 1 && bounds.length === 1 && !frame.comparesPeriods && groups.some(isOfYears))
    return figure(first, { ...alone, windows }, plan);
  if (windows.length > 1 && bounds.length === 1)
    return frame.comparesPeriods
      ? changedGroups(first, plan)
      : (periodsSideBySide(first, plan) ?? figure(first, { ...alone, windows }, plan));
  if (bounds.length > 1 || plan.hidden !== undefined) return sideBySide(plan);
  return figure(first, { ...alone, window }, plan);
}

/** Groups by a grain whose labels say their year: none of one year stands beside one of another. */
function isOfYears({ term }: BoundDimension): boolean {
  return term.kind === 'time' && term.part !== 'weekday';
}

/** Best first when the question ranks, by time when it groups by time. */
function inOrder(query: SelectQuery, plan: MetricPlan): SelectQuery {
  const { frame, groups } = plan;
  const value = query.select.at(-1);
  const [tieBreak] = query.select;
  if (groups.length === 0 || value === undefined || tieBreak === undefined) return query;
  if (frame.order !== undefined) {
    const { direction, limit, by } = frame.order;
    const place = by === undefined ? -1 : groups.findIndex((group) => group.term === by);
    const first = (query.select[place] ?? figureOf(frame.order.metric, query) ?? value).expression;
    const orderBy: OrderItem[] = [{ expression: first, direction }];
    if (first !== tieBreak.expression) orderBy.push({ expression: tieBreak.expression, direction: 'asc' });
    return { ...query, orderBy, limit };
  }
  const time = groups.findIndex((group) => group.term.kind === 'time' || group.dimension?.isTime === true);
  const byTime = query.select[time]?.expression;
  if (byTime === undefined || query.orderBy.length > 0) return query;
  return { ...query, orderBy: [{ expression: byTime, direction: 'asc' }] };
}

/** The column whose mean a metric is: `orders.amount` of `AVG(orders.amount)`. */
function averagedColumn(expression: string | undefined): string | undefined {
  return /^\s*avg\s*\(\s*([\p{L}\p{N}_."]+)\s*\)\s*$/iu.exec(expression ?? '')?.[1];
}

/**
 * The median of what a metric averages, in place of the average. Null beside another figure, a growth or a share, and where the metric
 * is no mean of one column.
 */
function median(
  bound: BoundMetric,
  percent: number,
  window: TimeWindow | undefined,
  plan: MetricPlan,
): SelectQuery | null {
  const { frame, windows, groups, bounds, hidden } = plan;
  const column = averagedColumn(bound.metric.expression);
  const isMore =
    bounds.length > 1 ||
    hidden !== undefined ||
    windows.length > 1 ||
    frame.isShare ||
    frame.showsRanks ||
    frame.isRunning === true ||
    frame.growth !== undefined ||
    frame.summary !== undefined ||
    frame.countsGroups;
  if (column === undefined || isMore) return null;
  const alias = aliasOf(bound.metric.name).replace(/^(?:average|mean|avg)_/, 'median_');
  const rows = figure(bound, { filters: bound.filters, window, isAlone: true, alias, groups }, plan);
  if (rows === null) return null;
  const figures = rows.select.at(-1)?.expression;
  return rowsInTheMiddle(rows, {
    measure: {
      kind: 'raw',
      sql: column,
      cause: { why: `what “${bound.metric.name}” averages`, certainty: 'stated' },
    },
    percent,
    isFigure: (expression) => expression === figures,
  });
}

/**
 * "running total of orders per month": each step of time with all before it, inside each of the other groups. Null where nothing
 * can be added up: without steps, or for a figure whose parts are no part of the whole, such as an average or different buyers.
 */
function runningTotal(query: SelectQuery, plan: MetricPlan): SelectQuery | null {
  const { groups, bounds, knowledge } = plan;
  const [bound, second] = bounds;
  const step = groups.find(isTimeGroup);
  const figure = query.select.at(-1)?.alias;
  if (bound === undefined || second !== undefined || step === undefined || figure === undefined) return null;
  const [part, other] = bound.parts;
  const key = part?.table === undefined ? [] : knowledge.graph.table(part.table).primaryKey;
  const counted = /^\s*count\s*\(\s*distinct\s+([\w.]+)\s*\)\s*$/i.exec(part?.expression ?? '')?.[1];
  const isAdded =
    counted === undefined
      ? /^\s*(?:sum|count)\s*\(/i.test(part?.expression ?? '')
      : key.length === 1 && key[0] === counted.toLowerCase();
  if (other !== undefined || !isAdded) return null;
  const inGrouped = (name: string): Expression => columnOf('grouped', name);
  const names = groups.map(groupAlias);
  const total: Expression = {
    kind: 'window',
    function: 'sum',
    argument: inGrouped(figure),
    partitionBy: groups.filter((group) => group !== step).map((group) => inGrouped(groupAlias(group))),
    orderBy: [{ expression: inGrouped(groupAlias(step)), direction: 'asc' }],
    cause: { why: 'running total', certainty: 'stated' },
  };
  const { ctes = [], ...grouped } = query;
  return {
    ...BARE,
    ctes: [...ctes, { name: 'grouped', query: grouped }],
    select: [
      ...names.map((name) => ({ expression: inGrouped(name), alias: name })),
      { expression: total, alias: `running_total_of_${figure}` },
    ],
    from: { table: 'grouped' },
    orderBy: [...groups.filter((group) => group !== step), step].map((group) => ({
      expression: inGrouped(groupAlias(group)),
      direction: 'asc' as const,
    })),
  };
}
