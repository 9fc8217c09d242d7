import type { OrderItem, SelectQuery } from '../../../sql/index.ts';
import type { GroundedKnowledge } from '../knowledge.ts';
import type { TimeWindow } from '../read/find-times.ts';
import type { BoundDimension, BoundMetric } from './bind-metric.ts';
import type { MetricFrame } from './metric-frame.ts';
import { aliasOf, figure, type MetricPlan } from './metric-plan.ts';
import { contrast, opposedFilters } from './shapes/contrast.ts';
import { changedGroups, comparedPeriods, growth, stepsFromPrevious } from './shapes/growth.ts';
import { median } from './shapes/median.ts';
import { figureOf, inPlace, keepPassing, summarise, topPerGroup } from './shapes/narrow-groups.ts';
import { rankChange } from './shapes/rank-change.ts';
import { runningTotal } from './shapes/running-total.ts';
import { ratioOf, share, shareOfBest } from './shapes/share.ts';
import { periodsSideBySide, sideBySide } from './shapes/side-by-side.ts';

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
