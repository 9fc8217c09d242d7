import type { Expression, SelectQuery } from '../../../../sql/index.ts';
import type { BoundMetric, BoundMetricFilter } from '../bind-metric.ts';
import { aliasOf, columnOf, combine, figure, type MetricPlan } from '../metric-plan.ts';

/** Two filters on one column that no row can pass together; undefined when there are none. */
export function opposedFilters(
  filters: readonly BoundMetricFilter[],
): readonly [BoundMetricFilter, BoundMetricFilter] | undefined {
  for (const [index, first] of filters.entries()) {
    const second = filters
      .slice(index + 1)
      .find(
        (other) =>
          narrowed(other) === narrowed(first) &&
          other.operator === undefined &&
          !other.term.isNegated &&
          !first.term.isNegated,
      );
    if (second?.values.every((value) => !first.values.includes(value))) return [first, second];
  }
  return undefined;
}

/** What a filter is of: a column, or what a phrase makes of one ("on Mondays" of the day of the week). */
function narrowed({ columnId, stated }: BoundMetricFilter): string {
  if (stated === undefined) return columnId;
  const { predicate } = stated;
  const of =
    predicate.kind === 'compare' ? predicate.left : predicate.kind === 'in' ? predicate.value : predicate;
  return JSON.stringify(of);
}

/** "by how much was Halden's average price above Kestrel's": the figure of the first less that of the second; "weekdays vs weekends": both. */
export function contrast(
  bound: BoundMetric,
  opposed: readonly [BoundMetricFilter, BoundMetricFilter],
  plan: MetricPlan,
): SelectQuery | null {
  const [first, second] = opposed;
  const shared = bound.filters.filter((filter) => filter !== first && filter !== second);
  const request = { window: plan.windows[0], alias: 'value', groups: plan.groups };
  const left = figure(bound, { ...request, filters: [...shared, first] }, plan);
  const right = figure(bound, { ...request, filters: [...shared, second] }, plan);
  if (left === null || right === null) return null;
  const difference = (a: Expression, b: Expression): Expression => ({
    kind: 'arithmetic',
    operator: '-',
    left: a,
    right: b,
  });
  const compared = combine({ name: 'one', query: left }, { name: 'other', query: right }, difference, {
    alias: `${aliasOf(bound.metric.name)}_difference`,
    groups: plan.groups,
  });
  if (plan.frame.isVersus !== true) return compared;
  const both = [
    { expression: columnOf('one', 'value'), alias: figureAlias(first, bound) },
    { expression: columnOf('other', 'value'), alias: figureAlias(second, bound) },
  ];
  return { ...compared, select: [...compared.select.slice(0, -1), ...both] };
}

/** `shipments_on_weekdays` */
function figureAlias({ term }: BoundMetricFilter, { metric }: BoundMetric): string {
  return aliasOf(`${metric.name} ${term.mention.text}`);
}
