import type { AggregateFunction } from '../../../sql/index.ts';
import type { TimeWindow } from '../read/find-times.ts';
import type { BoundDimension, BoundMetric } from './bind-metric.ts';
import type { MetricFrame } from './metric-frame.ts';

const SUMMARIES: Readonly<Record<AggregateFunction, string>> = {
  count: 'how many',
  sum: 'their total',
  avg: 'their average',
  min: 'the lowest of them',
  max: 'the highest of them',
};

/** How a metric question was understood, for people: `revenue, brand Halden, 2023, by month`. */
export function explainMetrics(
  frame: MetricFrame,
  bounds: readonly BoundMetric[],
  windows: readonly TimeWindow[],
): string {
  const [first] = bounds;
  const groups = (first?.groups ?? []).map(nameOf);
  const period = windows.map((window) => window.label).join(' against ');
  return [
    headOf(frame, bounds),
    ...(first?.filters ?? []).map(
      ({ dimension, columnId, term, values }) =>
        `${dimension?.name ?? columnId} ${term.isNegated ? 'not ' : ''}${values.join(' or ')}`,
    ),
    period,
    groups.length === 0 ? '' : `by ${groups.join(' and ')}`,
    havingOf(frame),
    orderOf(frame, first?.groups ?? []),
    summaryOf(frame, groups),
  ]
    .filter((part) => part !== '')
    .join(', ');
}

function headOf(frame: MetricFrame, bounds: readonly BoundMetric[]): string {
  const names = bounds.map((bound) => bound.metric.name).join(', ');
  if (frame.showsRanks && frame.growth !== undefined) return `change of rank by ${names}`;
  if (frame.isShare) return `share of ${names}`;
  return frame.growth === undefined ? names : `change of ${names}`;
}

function nameOf({ dimension, term }: BoundDimension): string {
  return dimension?.name ?? term.mention.text;
}

function havingOf({ having }: MetricFrame): string {
  return having === undefined
    ? ''
    : `${having.operator} ${having.isAverage ? 'their average' : having.number}`;
}

function orderOf({ order }: MetricFrame, groups: readonly BoundDimension[]): string {
  if (order === undefined) return '';
  const { direction, limit, by } = order;
  const group = groups.find(({ term }) => term === by);
  const sorted =
    group === undefined
      ? `${direction === 'desc' ? 'highest' : 'lowest'} first`
      : `sorted by ${nameOf(group)}${direction === 'desc' ? ' descending' : ''}`;
  return limit === undefined ? sorted : `${sorted}, ${limit} rows`;
}

function summaryOf({ summary, countsGroups, having }: MetricFrame, groups: readonly string[]): string {
  if (groups.length === 0) return '';
  if (summary !== undefined) return SUMMARIES[summary];
  return countsGroups && having !== undefined ? SUMMARIES.count : '';
}
