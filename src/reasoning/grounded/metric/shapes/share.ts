import type { Metric } from '../../../../knowledge/semantic/index.ts';
import type { Expression, SelectQuery } from '../../../../sql/print/index.ts';
import { ALWAYS, BARE } from '../../query/plan/parts/plan-view.ts';
import type { TimeWindow } from '../../question/read/find-times.ts';
import type { BoundMetric, BoundMetricFilter } from '../bind/bind-metric.ts';
import { groupAlias, isTimeGroup } from './metric-block.ts';
import { aliasOf, columnOf, combine, figure, type MetricPlan, scaled } from './metric-plan.ts';

/** "share of orders by brand", or "what share of orders were electric": a part against the whole. */
export function share(
  bound: BoundMetric,
  window: TimeWindow | undefined,
  alias: string,
  plan: MetricPlan,
): SelectQuery | null {
  const { groups } = plan;
  const whole =
    plan.groups.every(isTimeGroup) && bound.filters.length === 0 ? widerMetric(bound, plan) : undefined;
  if (whole !== undefined) return shareOfWider(bound, whole, window, alias, plan);
  // All of all: whatever was asked for, it is not that.
  if (groups.length === 0 && bound.filters.length === 0) return null;
  const kept = bound.filters.filter((filter) => !isPart(filter, bound.filters, plan));
  const narrows = kept.length < bound.filters.length;
  // "by brand per year": each year is a whole of its own.
  const periods = groups.every(isTimeGroup) ? [] : groups.filter(isTimeGroup);
  const part = figure(bound, { filters: bound.filters, window, alias: 'value', groups }, plan);
  const all = figure(
    bound,
    { filters: narrows ? kept : bound.filters, window, alias: 'value', groups: narrows ? groups : periods },
    plan,
  );
  if (part === null || all === null) return null;
  const ratio = (left: Expression, right: Expression): Expression =>
    scaled({ kind: 'arithmetic', operator: '/', left, right }, plan);
  if (groups.length === 0 || narrows)
    return combine({ name: 'part', query: part }, { name: 'whole', query: all }, ratio, { alias, groups });
  const keys = groups.map(groupAlias);
  return {
    ...BARE,
    ctes: [
      { name: 'part', query: part },
      { name: 'whole', query: all },
    ],
    select: [
      ...keys.map((key) => ({ expression: columnOf('part', key), alias: key })),
      { expression: ratio(columnOf('part', 'value'), columnOf('whole', 'value')), alias },
    ],
    from: { table: 'part' },
    joins: [
      {
        kind: 'inner',
        table: { table: 'whole' },
        on:
          periods.length === 0
            ? ALWAYS
            : periods
                .map(groupAlias)
                .map((key) => ({ left: columnOf('part', key), right: columnOf('whole', key) })),
      },
    ],
  };
}

/** The metric that counts the same rows without the conditions of this one: leads, for won leads. */
function widerMetric({ metric }: BoundMetric, { knowledge }: MetricPlan): Metric | undefined {
  if (metric.filters.length === 0) return undefined;
  return knowledge.semantics.metrics.find(
    (other) =>
      other.table === metric.table &&
      other.timeColumn === metric.timeColumn &&
      other.expression === metric.expression &&
      other.filters.length < metric.filters.length &&
      other.filters.every((filter) => metric.filters.includes(filter)),
  );
}

/** "what proportion of our leads did we win": the part is a metric of its own. */
function shareOfWider(
  bound: BoundMetric,
  wider: Metric,
  window: TimeWindow | undefined,
  alias: string,
  plan: MetricPlan,
): SelectQuery | null {
  const { groups } = plan;
  const request = { filters: [], window, alias: 'value', groups };
  const part = figure(bound, request, plan);
  const whole = figure({ ...bound, metric: wider, parts: [wider] }, request, plan);
  if (part === null || whole === null) return null;
  const ratio = (left: Expression, right: Expression): Expression =>
    scaled({ kind: 'arithmetic', operator: '/', left, right }, plan);
  return combine({ name: 'part', query: part }, { name: 'whole', query: whole }, ratio, {
    alias,
    groups,
  });
}

/** "the ratio of deliveries to orders": the first figure by the second. */
export function ratioOf(plan: MetricPlan): SelectQuery | null {
  const { groups, bounds, windows } = plan;
  const [first, second] = bounds;
  if (first === undefined || second === undefined) return null;
  const of = (bound: BoundMetric): SelectQuery | null =>
    figure(bound, { filters: bound.filters, window: windows[0], alias: 'value', groups }, plan);
  const [part, whole] = [of(first), of(second)];
  if (part === null || whole === null) return null;
  const ratio = (left: Expression, right: Expression): Expression =>
    scaled({ kind: 'arithmetic', operator: '/', left, right }, plan);
  const alias = `${aliasOf(first.metric.name)}_by_${aliasOf(second.metric.name)}`;
  return combine({ name: 'part', query: part }, { name: 'whole', query: whole }, ratio, { alias, groups });
}

/** Which filter makes the part: before the share word, between it and the figure ("share of X in …"), behind the verb, else the last. */
function isPart(filter: BoundMetricFilter, all: readonly BoundMetricFilter[], plan: MetricPlan): boolean {
  // "share of electric cars in orders per year": each year is told of all its orders.
  if (!plan.groups.every(isTimeGroup) && all.every((item) => !item.term.isPredicate)) return false;
  const shareAt = plan.frame.shareAt ?? -1;
  const before = all.filter((item) => item.term.mention.index < shareAt);
  const metricAt = plan.frame.metrics[0]?.mention.index ?? -1;
  const within = all.filter(({ term }) => term.mention.index > shareAt && term.mention.index < metricAt);
  if (before.length === 0 && within.length > 0) return within.includes(filter);
  const predicates = all.filter((item) => item.term.isPredicate);
  const parts = before.length > 0 ? before : predicates.length > 0 ? predicates : all.slice(-1);
  return parts.includes(filter);
}

/** "what percentage came from the three best dealers": the sum of the best against the sum of all. */
export function shareOfBest(bound: BoundMetric, limit: number, plan: MetricPlan): SelectQuery | null {
  const { groups, frame } = plan;
  const grouped = figure(
    bound,
    { filters: bound.filters, window: plan.windows[0], alias: 'value', groups },
    plan,
  );
  if (grouped === null) return null;
  const value = columnOf('grouped', 'value');
  const best: SelectQuery = {
    ...BARE,
    select: [{ expression: value, alias: 'value' }],
    from: { table: 'grouped' },
    orderBy: [{ expression: value, direction: frame.order?.direction ?? 'desc' }],
    limit,
  };
  const ratio: Expression = {
    kind: 'arithmetic',
    operator: '/',
    left: columnOf('part', 'value'),
    right: columnOf('whole', 'value'),
  };
  return {
    ...BARE,
    ctes: [
      { name: 'grouped', query: grouped },
      { name: 'best', query: best },
      { name: 'part', query: sumOf('best') },
      { name: 'whole', query: sumOf('grouped') },
    ],
    select: [{ expression: scaled(ratio, plan), alias: `share_of_${aliasOf(bound.metric.name)}` }],
    from: { table: 'part' },
    joins: [{ kind: 'inner', table: { table: 'whole' }, on: ALWAYS }],
  };
}

function sumOf(table: string): SelectQuery {
  const sum: Expression = {
    kind: 'aggregate',
    function: 'sum',
    distinct: false,
    argument: columnOf(table, 'value'),
  };
  return { ...BARE, select: [{ expression: sum, alias: 'value' }], from: { table } };
}
